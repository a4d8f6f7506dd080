"""What a cluster is, in cells: machines, accelerators, how they are bought, who places work."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.web.facts_view import Cell, Reader
from app.web.pages import Shell


def machines(reader: Reader, shell: Shell) -> Cell:
    """How many machines there are of how many are meant to be, and of which types."""
    t = shell.t
    target = reader.value("machine_target_count")
    types = ", ".join(reader.value("machine_types") or ())

    def write(now: int) -> Cell:
        text = t.ngettext("%(num)s machine", "%(num)s machines", now) % {"num": t.number(now)}
        if target is None or now == target:
            return Cell("", text, types)
        short = t.gettext("%(num)s of %(target)s machines")
        values = {"num": t.number(now), "target": t.number(target)}
        return Cell("warn" if now < target else "", short % values, types)

    if not reader.is_present("machine_count") and target is not None:
        text = t.ngettext("%(num)s machine wanted", "%(num)s machines wanted", target)
        return Cell("", text % {"num": t.number(target)}, types)
    return reader.cell("machine_count", write)


def accelerators(reader: Reader, shell: Shell) -> Cell:
    """How many accelerators its machines hold, and of which models; none is a known none."""
    t = shell.t
    models = ", ".join(reader.value("accelerator_models") or ())

    def write(count: float) -> Cell:
        return Cell("", t.number(count, 3), models) if count else Cell("", t.gettext("None"))

    target = reader.value("accelerator_target_count")
    if not reader.is_present("accelerator_count") and target is not None:
        wanted = t.gettext("%(num)s wanted") % {"num": t.number(target, 3)}
        return Cell("", wanted, models) if target else Cell("", t.gettext("None"))
    return reader.cell("accelerator_count", write)


def bought_as(reader: Reader, shell: Shell) -> Cell:
    """How its machines are paid for."""
    return reader.cell("capacities", lambda found: Cell("", capacity_words(found, shell)))


def capacity_words(found: Sequence[str], shell: Shell) -> str:
    """Ways of buying in words."""
    return ", ".join(shell.formats.words.capacity(code) for code in found) or shell.t.gettext(
        "None"
    )


def orchestrator(reader: Reader, shell: Shell) -> Cell:
    """Who places work on its machines."""
    word = shell.formats.words.orchestrator
    return reader.cell("orchestrator", lambda code: Cell("", word(code)))


def groups(reader: Reader, shell: Shell) -> Cell:
    """How many groups of machines it has, and which of them want something."""
    t = shell.t
    poor = reader.value("groups_below_target") or ()
    sick = reader.value("groups_unhealthy") or ()

    def write(found: Sequence[Mapping[str, Any]]) -> Cell:
        text = t.ngettext("%(num)s group", "%(num)s groups", len(found))
        text %= {"num": t.number(len(found))}
        if troubled := sorted({*poor, *sick}):
            return Cell("warn", text, ", ".join(troubled))
        if not reader.is_known("groups_unhealthy"):
            return Cell("unknown", text, reader.gap("groups_unhealthy").text)
        return Cell("", text)

    return reader.cell("machine_groups", write)
