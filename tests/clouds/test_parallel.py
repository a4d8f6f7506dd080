import threading
from collections.abc import Iterator

import pytest

from app.clouds.parallel import stream


def test_every_item_comes_back_once_in_any_order() -> None:
    assert sorted(stream(lambda n: n * n, range(500), threads=8)) == [n * n for n in range(500)]


def test_nothing_to_do_gives_nothing() -> None:
    assert list(stream(str, [], threads=4)) == []


def test_a_slow_reader_holds_the_work_back() -> None:
    taken: list[int] = []

    def source() -> Iterator[int]:
        for number in range(10_000):
            taken.append(number)
            yield number

    results = stream(str, source(), threads=2)
    next(results)
    assert len(taken) <= 2 * 4 * 2
    results.close()  # type: ignore[attr-defined]


def test_work_runs_on_that_many_threads_at_once() -> None:
    meeting = threading.Barrier(4, timeout=30)
    assert len(list(stream(lambda _: meeting.wait(), range(4), threads=4))) == 4


def test_an_error_ends_the_stream_and_is_raised_to_the_reader() -> None:
    def work(number: int) -> int:
        if number == 3:
            raise ValueError("three")
        return number

    with pytest.raises(ValueError, match="three"):
        list(stream(work, range(1000), threads=2))


def test_leaving_early_starts_nothing_new() -> None:
    begun: list[int] = []
    results = stream(begun.append, range(1000), threads=2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(begun) <= 2 * 4 * 2
