"""What a machine is, in cells, wherever machines are listed."""

from app.store.queries.inventory import ResourceItem
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell
from app.web.resource_list import FactColumn

_WELL = frozenset({"Running", "running"})
_IDLE = "stopped"


def columns(shell: Shell) -> tuple[FactColumn, ...]:
    """The columns of machines."""
    t = shell.t
    return (
        FactColumn("status", t.gettext("Status"), lambda _, r: _status(r, shell)),
        FactColumn("group", t.gettext("Group"), lambda _, r: _group(r, shell)),
        FactColumn("type", t.gettext("Type"), lambda _, r: r.cell("machine_type", r.plain)),
        FactColumn("accelerators", t.gettext("Accelerators"), lambda _, r: _accelerators(r, shell)),
        FactColumn("zone", t.gettext("Zone"), lambda i, r: zone(i, r, shell), cls="c-lo"),
    )


def _status(reader: Reader, shell: Shell) -> Cell:
    """In the provider's word; a word that is not "running" is worth a look.

    A scale set has no state of its own, but as many machines as it is meant to have.
    """
    if reader.is_known("orchestration_mode"):
        return reader.cell("machine_count", lambda count: _machines(count, shell))
    name = "node_status" if not reader.is_present("state") else "state"
    return reader.cell(
        name, lambda word: Cell("pass" if word in _WELL else "warn", word, _message(reader, shell))
    )


def _machines(count: int, shell: Shell) -> Cell:
    text = shell.t.ngettext("%(num)s machine wanted", "%(num)s machines wanted", count)
    return Cell("", text % {"num": shell.t.number(count)})


def _message(reader: Reader, shell: Shell) -> str:
    """What the provider says of it, or that it is paid for although it does nothing."""
    if reader.value("state") == _IDLE and reader.value("is_billed"):
        return shell.t.gettext("still paid for")
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

    def each(count: float) -> Cell:
        if not count:
            return Cell("", shell.t.gettext("None"))
        text = shell.t.gettext("%(num)s in each machine") % {"num": shell.t.number(count, 3)}
        return Cell("", text, model)

    if reader.is_known("orchestration_mode"):
        return reader.cell("accelerators_per_machine", each)
    return reader.cell("accelerator_count", write)


def zone(_item: ResourceItem, reader: Reader, shell: Shell) -> Cell:
    """Where it stands. Azure's numbers of zones say little: the building is beside them."""

    def write(found: str | list[str]) -> Cell:
        names = [found] if isinstance(found, str) else found
        built = reader.value("physical_zone") or ", ".join(reader.value("physical_zones") or ())
        return Cell("", ", ".join(names) or shell.t.gettext("None"), built)

    several = reader.is_known("orchestration_mode")
    return reader.cell("availability_zones" if several else "availability_zone", write)
