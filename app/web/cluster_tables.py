"""What each kind of cluster tells beside its machines: add-ons, shares of teams, mounts.

Stored objects leave out attributes without a value.
"""

from collections.abc import Mapping
from typing import Any

from app.domain.cyclecloud import CycleCloudClusterFacts
from app.domain.eks import EksClusterFacts
from app.domain.hyperpod import HyperpodClusterFacts
from app.store.queries.inventory import ResourceItem
from app.web import azure_cluster_tables
from app.web.fact_tables import Table, TableHead, TableRow, Wording, table_of
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell
from app.web.resource_view import Attribute, attribute

_TIMES = "\N{MULTIPLICATION SIGN}"
_GOOD_ADDON = frozenset({"ACTIVE"})


def of_kind(kind: str, reader: Reader, shell: Shell) -> tuple[Table, ...]:
    """The tables of this kind of cluster."""
    if kind == EksClusterFacts.KIND:
        return (_addons(reader, shell),)
    if kind == HyperpodClusterFacts.KIND:
        return (_mounts(reader, shell), _quotas(reader, shell))
    return azure_cluster_tables.of_kind(kind, reader, shell)


def attributes(item: ResourceItem, reader: Reader, shell: Shell) -> tuple[Attribute, ...]:
    """The figure that matters most for this kind of cluster."""
    t = shell.t
    if item.kind == EksClusterFacts.KIND:
        version = reader.cell("kubernetes_version", lambda found: _version(found, reader, shell))
        return (attribute(item, t.gettext("Version"), "kubernetes_version", version),)
    if item.kind == HyperpodClusterFacts.KIND:
        recovery = reader.cell("node_recovery", lambda found: _recovery(found, shell))
        return (attribute(item, t.gettext("Node recovery"), "node_recovery", recovery),)
    if item.kind == CycleCloudClusterFacts.KIND:
        return (
            attribute(item, t.gettext("Seen with machines"), "node_arrays", _seen(item, shell)),
        )
    return azure_cluster_tables.attributes(item, reader, shell)


def _seen(item: ResourceItem, shell: Shell) -> Cell:
    """When its machines last told of it; without any it is still no cluster that is gone."""
    age = shell.formats.ago(shell.now - item.observed_at)
    return Cell("", age, shell.t.gettext("it may have scaled to none since"))


def _version(found: str, reader: Reader, shell: Shell) -> Cell:
    shapes = {"STANDARD_SUPPORT": "pass", "EXTENDED_SUPPORT": "warn", "UNSUPPORTED": "fail"}
    status = str(reader.value("version_status") or "")
    ends = str(reader.value("standard_support_ends_at") or "")[:10]
    note = shell.t.gettext("standard support until %(day)s") % {"day": ends} if ends else status
    return Cell(shapes.get(status, ""), found, note)


def _recovery(found: str, shell: Shell) -> Cell:
    t = shell.t
    if found == "Automatic":
        return Cell("pass", t.gettext("Automatic"))
    return Cell("warn", t.gettext("Off")) if found == "None" else Cell("", found)


def _addons(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "addons",
        t.gettext("Add-ons"),
        t.gettext("Add-on"),
        t.gettext("EKS manages no add-on in it."),
    )
    heads = (TableHead(t.gettext("Version")), TableHead(t.gettext("Status")))
    return table_of(reader, "addons", wording, heads, lambda one: _addon(one, shell))


def _addon(one: Mapping[str, Any], shell: Shell) -> TableRow:
    if one["code"]:
        gap = Cell("unknown", shell.t.gettext("Not readable"), one["code"])
        return TableRow(one["name"], "", (gap, gap))
    issues = "; ".join(issue["message"] for issue in one.get("health_issues") or ())
    good = one.get("status") in _GOOD_ADDON and not issues
    status = Cell("pass" if good else "warn", str(one.get("status") or ""), issues)
    return TableRow(one["name"], "", (Cell("", str(one.get("version") or "")), status))


def _mounts(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "mounts",
        t.gettext("Storage attached"),
        t.gettext("File system"),
        t.gettext("Its groups name no file system that they mount."),
    )
    heads = (TableHead(t.gettext("Group")), TableHead(t.gettext("Path"), cls="c-md"))
    return table_of(
        reader,
        "file_system_mounts",
        wording,
        heads,
        lambda one: TableRow(
            one["dns_name"],
            f"{one['kind']} {one['mount_name']}".strip(),
            (Cell("", one["group"]), Cell("", one["mount_path"])),
        ),
    )


def _quotas(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "quotas",
        t.gettext("Shares of the teams"),
        t.gettext("Team"),
        t.gettext("No team has a share of its own."),
    )
    heads = (
        TableHead(t.gettext("Share")),
        TableHead(t.gettext("Lends and borrows"), cls="c-md"),
        TableHead(t.gettext("Status"), cls="c-lo"),
    )
    return table_of(reader, "compute_quotas", wording, heads, lambda one: _quota(one, shell))


def _quota(one: Mapping[str, Any], shell: Shell) -> TableRow:
    t = shell.t
    share = "; ".join(_resource(resource, shell) for resource in one["resources"])
    return TableRow(
        one["team"],
        one["name"],
        (
            Cell("", share or t.gettext("Only what it borrows")),
            Cell("", one.get("sharing") or t.gettext("Not told")),
            Cell("", str(one.get("status") or "")),
        ),
    )


def _resource(one: Mapping[str, Any], shell: Shell) -> str:
    """What a team may use of one machine type, in the measure that is set."""
    number = shell.t.number
    if one.get("partition_type"):
        parts = one.get("partition_count")
        count = shell.t.gettext("Not told") if parts is None else number(parts)
        return f"{count} {_TIMES} {one['partition_type']}"
    measures = (
        (one.get("machine_count"), one["machine_type"]),
        (one.get("accelerator_count"), f"{one['machine_type']} GPU"),
        (one.get("vcpu_count"), f"{one['machine_type']} vCPU"),
        (one.get("memory_gib"), f"{one['machine_type']} GiB"),
    )
    return ", ".join(
        f"{number(count)} {_TIMES} {name}" for count, name in measures if count is not None
    )
