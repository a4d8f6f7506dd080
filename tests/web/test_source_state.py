"""A source's state in one word: from its last sweep, its age, and what was refused."""

from datetime import UTC, datetime, timedelta

import pytest

from app.collectors.registry import collectors
from app.store.queries.connections import CellItem, CollectorItem, SweepItem
from app.web.charts import history
from app.web.source_state import since, state_of, strip

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
COLLECTOR = collectors()["aws_s3"]
HOUR = timedelta(hours=1)
LONG_AGO = NOW - timedelta(days=100)


def sweep(state: str = "complete", ago: timedelta = HOUR, throttled: int = 0) -> SweepItem:
    return SweepItem(
        id="s",
        connection_id="c",
        connection_name="aws",
        collector_id="aws_s3",
        cell="",
        state=state,
        started_at=NOW - ago,
        ended_at=NOW - ago,
        trace={"throttled": throttled},
        code="",
        message="",
    )


def item(last: SweepItem | None, good_ago: timedelta | None = HOUR) -> CollectorItem:
    return CollectorItem("aws_s3", (cell("", last, good_ago),))


def cell(name: str, last: SweepItem | None, good_ago: timedelta | None = HOUR) -> CellItem:
    return CellItem(name, last, None if good_ago is None else NOW - good_ago)


@pytest.mark.parametrize(
    ("last", "good_ago", "denied", "shape", "word"),
    [
        (None, None, 0, "unknown", "Not swept yet"),
        (sweep("running"), HOUR, 0, "run", "Sweeping"),
        (sweep("failed"), HOUR, 0, "fail", "Unreachable"),
        (sweep("complete"), timedelta(hours=40), 0, "stale", "Stale"),
        (sweep("complete"), timedelta(hours=8), 0, "warn", "Late"),
        (sweep("partial"), HOUR, 2, "warn", "Permission missing"),
        (sweep("partial", throttled=3), HOUR, 0, "warn", "Throttled"),
        (sweep("incomplete"), HOUR, 0, "warn", "Incomplete"),
        (sweep("complete"), HOUR, 0, "pass", "Fresh"),
        (sweep("complete"), None, 0, "stale", "Stale"),
    ],
)
def test_the_state_is_told_in_one_word(
    last: SweepItem | None, good_ago: timedelta | None, denied: int, shape: str, word: str
) -> None:
    found = state_of(item(last, good_ago), COLLECTOR, NOW, denied=denied)
    assert (found.shape, found.word) == (shape, word)
    assert found.attention is (shape in {"fail", "warn", "stale"})


def test_a_day_is_48_cells_and_the_worst_of_each_is_shown() -> None:
    sweeps = [
        sweep("complete", timedelta(minutes=20)),
        sweep("failed", timedelta(minutes=10)),
        sweep("partial", timedelta(hours=2)),
        sweep("running", timedelta(0)),
        sweep("complete", timedelta(hours=30)),
    ]
    cells = strip(sweeps, NOW)
    assert (len(cells), cells[-1], cells.count("n")) == (48, "f", 46)
    assert history(cells).count("<rect") == 4  # a split bar, a half one, and the line below all


def test_a_state_began_with_the_first_sweep_that_ended_like_the_last() -> None:
    sweeps = [
        sweep("complete", timedelta(hours=5)),
        sweep("incomplete", timedelta(hours=4)),
        sweep("partial", timedelta(hours=3)),
        sweep("running", timedelta(hours=1)),
    ]
    assert since(sweeps, LONG_AGO, NOW) == NOW - timedelta(hours=4)


def test_a_source_is_not_unreachable_since_it_answered_with_gaps() -> None:
    sweeps = [sweep("partial", timedelta(hours=3)), sweep("failed", timedelta(hours=2))]
    assert since(sweeps, LONG_AGO, NOW) == NOW - timedelta(hours=2)


def test_a_state_older_than_the_day_shown_has_no_beginning_here() -> None:
    sweeps = [sweep("complete", timedelta(hours=h)) for h in (20, 10, 1)]
    assert since(sweeps, LONG_AGO, NOW) is None
    assert since([], LONG_AGO, NOW) is None


def test_a_connection_made_today_has_been_so_since_its_first_sweep() -> None:
    sweeps = [sweep("complete", timedelta(hours=h)) for h in (20, 10, 1)]
    assert since(sweeps, NOW - timedelta(hours=21), NOW) == NOW - timedelta(hours=20)


@pytest.mark.parametrize(
    ("states", "word"),
    [
        (("complete", "complete"), "Fresh"),
        (("complete", "partial"), "Incomplete"),
        (("failed", "failed"), "Unreachable"),
        (("failed", "complete"), "Incomplete"),
        (("complete", "running"), "Sweeping"),
    ],
)
def test_a_source_of_many_cells_is_as_good_as_its_worst_unless_others_answer(
    states: tuple[str, ...], word: str
) -> None:
    cells = tuple(cell(str(place), sweep(state)) for place, state in enumerate(states))
    assert state_of(CollectorItem("aws_s3", cells), COLLECTOR, NOW).word == word


def test_a_cell_that_was_not_swept_yet_does_not_count() -> None:
    cells = (cell("", sweep()), cell("444455556666", None))
    assert state_of(CollectorItem("aws_s3", cells), COLLECTOR, NOW).word == "Fresh"
