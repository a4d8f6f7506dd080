"""What each kind of Azure's clusters tells beside its machines: pools, nodes, versions, limits.

Stored objects leave out attributes without a value.
"""

from collections.abc import Mapping
from typing import Any

from app.domain.azure_aks import AksClusterFacts
from app.domain.azure_batch import USER_SUBSCRIPTION, BatchPoolFacts
from app.domain.azure_machine_learning import COMPUTE_INSTANCE, MlComputeFacts
from app.store.queries.inventory import ResourceItem
from app.web.fact_tables import Table, TableHead, TableRow, Wording, table_of
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell
from app.web.resource_view import Attribute, attribute

# Their machines are in Microsoft's subscriptions or are told by their account alone.
WITHOUT_LISTED_MACHINES = frozenset({BatchPoolFacts.KIND, MlComputeFacts.KIND})
_SUPPORT = {"supported": "pass", "long_term": "warn", "preview": "warn", "none": "fail"}
# What is longer is no time that anybody meant.
_LONGEST_SECONDS = 10**9
_GOOD_NODES = frozenset({"running", "idle", "preparing", "leaving"})


def of_kind(kind: str, reader: Reader, shell: Shell) -> tuple[Table, ...]:
    """The tables of this kind of cluster."""
    if kind == AksClusterFacts.KIND:
        return (_pools(reader, shell),)
    if kind == MlComputeFacts.KIND and reader.is_present("current_nodes"):
        return (_nodes(reader, shell),)
    return ()


def attributes(item: ResourceItem, reader: Reader, shell: Shell) -> tuple[Attribute, ...]:
    """The figures that matter most for this kind of cluster."""
    t = shell.t
    if item.kind == AksClusterFacts.KIND:
        version = reader.cell("kubernetes_version", lambda found: _version(found, reader, shell))
        return (attribute(item, t.gettext("Version"), "kubernetes_version", version),)
    if item.kind == BatchPoolFacts.KIND:
        held = reader.cell("pool_allocation_mode", lambda mode: _held(mode, shell))
        return (attribute(item, t.gettext("Machines held by"), "pool_allocation_mode", held),)
    if item.kind == MlComputeFacts.KIND:
        return (_given_back(item, reader, shell),)
    return ()


def _version(found: str, reader: Reader, shell: Shell) -> Cell:
    t, support = shell.t, str(reader.value("version_support") or "")
    notes = {
        "supported": t.gettext("supported"),
        "long_term": t.gettext("long-term support only"),
        "preview": t.gettext("a preview"),
        "none": t.gettext("out of support"),
    }
    return Cell(_SUPPORT.get(support, ""), found, notes.get(support, ""))


def _held(mode: str, shell: Shell) -> Cell:
    t = shell.t
    if mode == USER_SUBSCRIPTION:
        return Cell("", t.gettext("Your subscription"), t.gettext("they are VMs of it too"))
    return Cell("", t.gettext("Microsoft"), t.gettext("they are no VMs of yours"))


def _given_back(item: ResourceItem, reader: Reader, shell: Shell) -> Attribute:
    """After how long without use its machines go: nodes of a cluster, or an instance."""
    t = shell.t

    def write(found: float) -> Cell:
        return Cell(
            "", shell.formats.seconds(min(found, _LONGEST_SECONDS)), t.gettext("without use")
        )

    if reader.value("compute_type") == COMPUTE_INSTANCE:
        name, never = "idle_seconds_before_shutdown", Cell("warn", t.gettext("Never"))
    else:
        name, never = "idle_seconds_before_scale_down", Cell("", t.gettext("Does not apply"))
    return attribute(
        item, t.gettext("Given back after"), name, reader.cell(name, write, absent=never)
    )


def _pools(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "pools",
        t.gettext("Agent pools"),
        t.gettext("Pool"),
        t.gettext("It has no agent pool."),
    )
    heads = (
        TableHead(t.gettext("Mode")),
        TableHead(t.gettext("GPU driver")),
        TableHead(t.gettext("When Azure takes one away"), cls="c-md"),
        TableHead(t.gettext("Image of its nodes"), cls="c-lo"),
    )
    return table_of(reader, "agent_pools", wording, heads, lambda one: _pool(one, reader, shell))


def _pool(one: Mapping[str, Any], reader: Reader, shell: Shell) -> TableRow:
    t = shell.t
    image = Cell("", str(one.get("node_image_version") or ""), str(one.get("os_sku") or ""))
    return TableRow(
        name=one["name"],
        note=", ".join(one["taints"]),
        cells=(
            Cell("", str(one.get("mode") or t.gettext("Not told"))),
            _driver(one, reader, shell),
            _eviction(one, shell),
            image,
        ),
    )


def _driver(one: Mapping[str, Any], reader: Reader, shell: Shell) -> Cell:
    """The driver where there are GPUs, and the parts that they are cut into."""
    t = shell.t
    groups = {group["name"]: group for group in reader.value("machine_groups") or ()}
    count = groups.get(one["name"], {}).get("accelerator_count")
    if count == 0:
        return Cell("", t.gettext("No GPU"))
    lacks = one["name"] in (reader.value("groups_without_driver") or ())
    wrong = one["name"] in (reader.value("groups_misdivided") or ())
    text = t.gettext("None") if one["gpu_driver"] == "None" else t.gettext("Installed by AKS")
    return Cell("warn" if lacks or wrong else "", text, one["gpu_instance_profile"])


def _eviction(one: Mapping[str, Any], shell: Shell) -> Cell:
    t = shell.t
    if one["priority"] != "Spot":
        return Cell("", t.gettext("Does not apply"))
    price = one.get("spot_maximum_price")
    limit = t.gettext("up to the price on demand") if price is None else t.number(price, 5)
    return Cell("", str(one.get("eviction_policy") or t.gettext("Not told")), limit)


def _nodes(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "nodes", t.gettext("Nodes"), t.gettext("Node"), t.gettext("It has no node now.")
    )
    heads = (TableHead(t.gettext("Status")), TableHead(t.gettext("Job")))
    return table_of(reader, "nodes", wording, heads, lambda one: _node(one, shell))


def _node(one: Mapping[str, Any], shell: Shell) -> TableRow:
    state = Cell("pass" if one["state"] in _GOOD_NODES else "warn", one["state"])
    return TableRow(one["id"], "", (state, Cell("", one["run_id"] or shell.t.gettext("None"))))
