"""Runs many small remote reads on threads and streams their results, with a bounded backlog."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from queue import SimpleQueue
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
    done: SimpleQueue[Future[Result]] = SimpleQueue()
    pool = ThreadPoolExecutor(threads, thread_name_prefix="read")

    def submit(count: int) -> int:
        begun = [pool.submit(work, item) for item in islice(source, count)]
        for future in begun:
            future.add_done_callback(done.put)
        return len(begun)

    try:
        waiting = submit(threads * _AHEAD_PER_THREAD)
        while waiting:
            result = done.get().result()
            waiting += submit(1) - 1
            yield result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
