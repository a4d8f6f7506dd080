"""What a machine is, in cells, wherever machines are listed."""

from app.store.queries.inventory import ResourceItem
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell
from app.web.resource_list import FactColumn

_WELL = frozenset({"Running", "running"})


def columns(shell: Shell) -> tuple[FactColumn, ...]:
    """The columns of machines."""
    t = shell.t
    return (
        FactColumn("status", t.gettext("Status"), lambda _, r: _status(r)),
        FactColumn("group", t.gettext("Group"), lambda _, r: _group(r, shell)),
        FactColumn("type", t.gettext("Type"), lambda _, r: r.cell("machine_type", r.plain)),
        FactColumn("accelerators", t.gettext("Accelerators"), lambda _, r: _accelerators(r, shell)),
        FactColumn("zone", t.gettext("Zone"), _zone, cls="c-lo"),
    )


def _status(reader: Reader) -> Cell:
    """In the provider's word; a word that is not "running" is worth a look."""
    name = "node_status" if not reader.is_present("state") else "state"
    return reader.cell(
        name, lambda word: Cell("pass" if word in _WELL else "warn", word, _message(reader))
    )


def _message(reader: Reader) -> str:
    return str(reader.value("status_message") or "")


def _group(reader: Reader, shell: Shell) -> Cell:
    if reader.is_known("instance_group"):
        return reader.cell("instance_group", reader.plain)
    return reader.cell("cluster_name", reader.plain, absent=Cell("", shell.t.gettext("None")))


def _accelerators(reader: Reader, shell: Shell) -> Cell:
    model = str(reader.value("accelerator_model") or "")

    def write(count: float) -> Cell:
        if not count:
            return Cell("", shell.t.gettext("None"))
        return Cell("", shell.t.number(count, 3), model)

    return reader.cell("accelerator_count", write)


def _zone(_item: ResourceItem, reader: Reader) -> Cell:
    return reader.cell("availability_zone", reader.plain)
