"""How a source is doing, in one word: from its last sweeps, their age and what was refused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.collecting import Collector, SweepState
from app.domain.compliance import freshness
from app.kit.i18n import mark
from app.store.queries.connections import CollectorItem, ConnectionItem, SweepItem
from app.store.queries.source_groups import SourceGroup

DAY = timedelta(hours=24)
CELLS = 48
HALF = {SweepState.PARTIAL, SweepState.INCOMPLETE}
# In half an hour with several sweeps the worst one is shown.
_LETTERS = {
    SweepState.COMPLETE: "o",
    SweepState.PARTIAL: "l",
    SweepState.INCOMPLETE: "l",
    SweepState.FAILED: "f",
}
_WORST = "nolf"
_ORDER = ("fail", "stale", "warn", "run", "pass")


@dataclass(frozen=True, slots=True)
class SourceState:
    """`shape` is a status shape, `word` English text, `age` fresh, late or stale.

    `attention`: somebody has to act, or the figures are no longer good.
    """

    shape: str
    word: str
    age: str
    attention: bool


PAUSED = SourceState("paused", mark("Paused"), "stale", attention=False)
INCOMPLETE = SourceState("warn", mark("Incomplete"), "fresh", attention=True)
DECLARED = SourceState("pass", mark("Declared"), "fresh", attention=False)
NEVER = SourceState("unknown", mark("Not swept yet"), "stale", attention=False)


def state_of(
    item: CollectorItem, collector: Collector, now: datetime, *, denied: int = 0
) -> SourceState:
    """The state of one collector on one connection; `denied` calls of its last sweeps.

    What all cells have in common, else the worst of them: one that fails costs no more than
    itself, so a source with others that answer is incomplete, not unreachable.
    """
    return _worst(
        _state_of(
            cell.last_sweep.state,
            throttled=bool(cell.last_sweep.trace.get("throttled")),
            age=age_of(cell.last_good_at, collector, now),
            denied=denied,
        )
        for cell in item.cells
        if cell.last_sweep
    )


def state_of_groups(
    groups: Iterable[SourceGroup], collector: Collector, now: datetime
) -> SourceState:
    """The same from the groups of one collector on one connection, without counting refusals."""
    return _worst(
        _state_of(
            group.state,
            throttled=group.throttled,
            age=age_of(group.last_good_at, collector, now),
            denied=0,
        )
        for group in groups
        if group.state
    )


def _worst(found: Iterable[SourceState]) -> SourceState:
    states = tuple(found)
    if not states:
        return NEVER
    worst = min(states, key=rank)
    some_answer = any(state.shape != "fail" for state in states)
    return INCOMPLETE if worst.shape == "fail" and some_answer else worst


def rank(state: SourceState) -> int:
    """The worse, the lower."""
    return _ORDER.index(state.shape) if state.shape in _ORDER else len(_ORDER)


def _state_of(state: str, *, throttled: bool, age: str, denied: int) -> SourceState:
    shape, word = _words(state, throttled, age, denied)
    return SourceState(shape, word, age, attention=shape in {"fail", "warn", "stale"})


def age_of(last_good_at: datetime | None, collector: Collector, now: datetime) -> str:
    """fresh, late or stale; a source that never answered is stale."""
    if last_good_at is None:
        return "stale"
    every, grace = collector.every.total_seconds(), collector.grace.total_seconds()
    return freshness(now, last_good_at, every, grace)


def _words(state: str, throttled: bool, age: str, denied: int) -> tuple[str, str]:
    if state == SweepState.RUNNING:
        return "run", mark("Sweeping")
    if state == SweepState.FAILED:
        return "fail", mark("Unreachable")
    if age == "stale":
        return "stale", mark("Stale")
    if denied:
        return "warn", mark("Permission missing")
    if state in HALF:
        return "warn", mark("Throttled") if throttled else mark("Incomplete")
    return ("warn", mark("Late")) if age == "late" else ("pass", mark("Fresh"))


_WORST_FIRST = (
    SweepState.FAILED,
    SweepState.INCOMPLETE,
    SweepState.PARTIAL,
    SweepState.COMPLETE,
)


def telling_sweep(connection: ConnectionItem) -> SweepItem | None:
    """The sweep to look at first: of the last ones of all cells that have ended, the newest of
    those that ended worst; None before the first end.
    """
    ended = [sweep for one in connection.collectors for sweep in one.sweeps if sweep.ended_at]
    newest_first = sorted(ended, key=lambda sweep: sweep.started_at, reverse=True)
    return min(
        newest_first,
        key=lambda sweep: _WORST_FIRST.index(SweepState(sweep.state)),
        default=None,
    )


def strip(sweeps: Sequence[SweepItem], now: datetime) -> str:
    """One letter per half hour of the last day, oldest first: see `charts.history`."""
    cells = ["n"] * CELLS
    for sweep in sweeps:
        letter = _LETTERS.get(SweepState(sweep.state))
        place = CELLS - 1 - int((now - sweep.started_at) / (DAY / CELLS))
        if letter and 0 <= place < CELLS:
            cells[place] = max(cells[place], letter, key=_WORST.index)
    return "".join(cells)


def since(sweeps: Sequence[SweepItem], born_at: datetime, now: datetime) -> datetime | None:
    """When the run of sweeps that ended like the last one began; None when it reaches further.

    Like the last one: without a gap, with gaps, or without an answer.

    `sweeps` are those of the last day, `born_at` is when the connection was made.
    """
    ended = [sweep for sweep in sweeps if sweep.state != SweepState.RUNNING]
    began = None
    for sweep in reversed(ended):
        if _LETTERS.get(SweepState(sweep.state)) != _LETTERS.get(SweepState(ended[-1].state)):
            return began
        began = sweep.started_at
    return began if born_at > now - DAY else None
