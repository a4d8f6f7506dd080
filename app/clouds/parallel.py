"""Runs many small remote reads on threads and streams their results, with a bounded backlog."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_AHEAD_PER_THREAD = 4


def stream(
    work: Callable[[Item], Result], items: Iterable[Item], *, threads: int
) -> Iterator[Result]:
    """`work(item)` of every item, as they finish, in any order; at most four per thread wait.

    The backlog keeps the threads busy while the reader stores a batch, and memory flat. An error
    of `work` ends the stream and is raised here. Leaving early cancels what has not begun.
    """
    source = iter(items)
    pool = ThreadPoolExecutor(threads, thread_name_prefix="read")
    try:
        pending = {pool.submit(work, item) for item in islice(source, threads * _AHEAD_PER_THREAD)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {pool.submit(work, item) for item in islice(source, len(done))}
            yield from map(_result, done)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _result(future: Future[Result]) -> Result:
    return future.result()
