"""What accounts and workspaces of machine learning are: their ways in, models, quotas and links."""

from collections.abc import Mapping
from typing import Any

from app.domain.azure_ai import AiAccountFacts
from app.domain.azure_batch import BatchAccountFacts
from app.domain.azure_machine_learning import MlWorkspaceFacts
from app.store.queries.inventory import ResourceItem
from app.web.fact_tables import Table, TableHead, TableRow, Wording, table_of
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell
from app.web.resource_detail import Detail, plain
from app.web.resource_view import Attribute, attribute, sentence_of

_KINDS = frozenset({AiAccountFacts.KIND, BatchAccountFacts.KIND, MlWorkspaceFacts.KIND})


def describe(item: ResourceItem, reader: Reader, shell: Shell) -> Detail:
    """Figures and tables of these kinds; of any other kind none."""
    if item.kind not in _KINDS:
        return plain(item, reader, shell)
    return Detail(
        sentence_of(shell, item), _strip(item, reader, shell), _tables(item.kind, reader, shell)
    )


def _strip(item: ResourceItem, reader: Reader, shell: Shell) -> tuple[Attribute, ...]:
    t = shell.t
    names = {
        AiAccountFacts.KIND: ((t.gettext("Kind"), "account_kind"),),
        BatchAccountFacts.KIND: (
            (t.gettext("Dedicated cores"), "dedicated_core_quota"),
            (t.gettext("Low-priority cores"), "low_priority_core_quota"),
        ),
        MlWorkspaceFacts.KIND: ((t.gettext("Kind"), "workspace_kind"),),
    }
    own = tuple(
        attribute(item, label, name, reader.cell(name, reader.plain))
        for label, name in names[item.kind]
    )
    return (*own, *_ways_in(item, reader, shell))


def _ways_in(item: ResourceItem, reader: Reader, shell: Shell) -> tuple[Attribute, ...]:
    t = shell.t

    def network(is_open: bool) -> Cell:
        return (
            Cell("warn", t.gettext("All networks"))
            if is_open
            else Cell("", t.gettext("Named ones"))
        )

    def keys(accepted: bool) -> Cell:
        return (
            Cell("warn", t.gettext("Accepted")) if accepted else Cell("", t.gettext("Not accepted"))
        )

    return (
        attribute(
            item, t.gettext("Reached from"), "open_to_internet",
            reader.cell("open_to_internet", network),
        ),
        attribute(
            item, t.gettext("Keys"), "keys_accepted", reader.cell("keys_accepted", keys)
        ),
    )  # fmt: skip


def _tables(kind: str, reader: Reader, shell: Shell) -> tuple[Table, ...]:
    if kind == AiAccountFacts.KIND:
        return (_models(reader, shell),)
    return (_families(reader, shell),) if kind == BatchAccountFacts.KIND else ()


def _models(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "deployments",
        t.gettext("Models that it serves"),
        t.gettext("Deployment"),
        t.gettext("It serves no model."),
    )
    heads = (
        TableHead(t.gettext("Model")),
        TableHead(t.gettext("Computed")),
        TableHead(t.gettext("Capacity"), numeric=True, cls="c-md"),
        TableHead(t.gettext("New versions"), cls="c-md"),
    )
    return table_of(reader, "deployments", wording, heads, lambda one: _model(one, reader, shell))


def _model(one: Mapping[str, Any], reader: Reader, shell: Shell) -> TableRow:
    t, capacity = shell.t, one.get("capacity")
    changes = one["name"] in (reader.value("unpinned_deployments") or ())
    return TableRow(
        name=one["name"],
        note="",
        cells=(
            Cell("", str(one.get("model") or ""), str(one.get("model_version") or "")),
            _place(one, reader, shell),
            Cell("", t.gettext("Not told") if capacity is None else t.number(capacity)),
            Cell(
                "warn" if changes else "", str(one.get("upgrade_option") or t.gettext("Not told"))
            ),
        ),
    )


def _place(one: Mapping[str, Any], reader: Reader, shell: Shell) -> Cell:
    t, name = shell.t, one["name"]
    sku = str(one.get("sku_name") or "")
    if name in (reader.value("global_deployments") or ()):
        return Cell("warn", t.gettext("In any region"), sku)
    if name in (reader.value("data_zone_deployments") or ()):
        return Cell("", t.gettext("In its data zone"), sku)
    return Cell("", t.gettext("In its region") if sku else t.gettext("Not told"), sku)


def _families(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "quotas",
        t.gettext("Cores by family of sizes"),
        t.gettext("Family"),
        t.gettext("Its subscription's quotas count."),
    )
    heads = (TableHead(t.gettext("Cores"), numeric=True),)
    return table_of(
        reader,
        "family_quotas",
        wording,
        heads,
        lambda one: TableRow(one["family"], "", (Cell("", t.number(one["core_count"])),)),
    )
