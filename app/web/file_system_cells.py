"""What a file system is, in cells: how it is mounted, how big it is, how safe its bytes are."""

from collections.abc import Sequence
from typing import Any

from app.web.facts_view import Cell, Reader
from app.web.pages import Shell


def size(reader: Reader, shell: Shell) -> Cell:
    """What it holds and can hold, as far as its service tells."""
    t = shell.t
    used = reader.value("used_bytes")
    note = t.gettext("%(size)s used") % {"size": t.size(used)} if used is not None else ""
    grows = Cell("", t.size(used) if used is not None else t.gettext("Grows by itself"))
    left = reader.value("unallocated_percent")
    if left:
        note = t.gettext("%(share)s %% given to no volume") % {"share": t.number(left, 1)}
    return reader.cell("capacity_bytes", lambda found: Cell("", t.size(found), note), absent=grows)


def health(reader: Reader, shell: Shell) -> Cell:
    """Whether its service finds anything wrong; a state that passes says nothing."""
    t = shell.t

    def write(well: bool) -> Cell:
        return (
            Cell("pass", t.gettext("Healthy")) if well else Cell("fail", t.gettext("Not healthy"))
        )

    return reader.cell("healthy", write)


def durability(reader: Reader, shell: Shell) -> Cell:
    """What the loss of a disk or of a zone would cost."""
    shapes = {"scratch": "warn", "cache": "", "persistent": "", "multi_az": "pass"}
    word = shell.formats.words.durability
    return reader.cell("durability", lambda code: Cell(shapes.get(code, ""), word(code)))


def backups(reader: Reader, shell: Shell) -> Cell:
    """Whether its service backs it up by itself."""
    t = shell.t
    if reader.value("backups_possible") is False:
        return Cell("", t.gettext("Not possible here"))

    def write(on: bool) -> Cell:
        return Cell("pass", t.gettext("On")) if on else Cell("warn", t.gettext("Off"))

    return reader.cell("backed_up", write)


def repositories(reader: Reader, shell: Shell) -> Cell:
    """How many stores it is linked with, and whether results find their way there."""
    t = shell.t
    broken: Sequence[str] = reader.value("broken_repository_paths") or ()

    def write(found: Sequence[Any]) -> Cell:
        text = t.ngettext("%(num)s linked", "%(num)s linked", len(found))
        text %= {"num": t.number(len(found))}
        if broken:
            return Cell("fail", text, t.gettext("broken: %(paths)s") % {"paths": ", ".join(broken)})
        if not reader.is_known("broken_repository_paths"):
            return Cell("unknown", text, reader.gap("broken_repository_paths").text)
        if reader.value("exports_changes") is False:
            return Cell("warn", text, t.gettext("changes are not exported"))
        return Cell("", text)

    return reader.cell("repositories", write, absent=Cell("", t.gettext("None")))


def protocols(reader: Reader, shell: Shell) -> Cell:
    """How it is mounted."""
    del shell
    return reader.cell("protocols", lambda found: Cell("", ", ".join(found)))
