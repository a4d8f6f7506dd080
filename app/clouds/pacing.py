"""Keeps a client within what a cloud allows: a token bucket that all threads share, and pauses."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

LONGEST_PAUSE_SECONDS = 60.0


class Pacer:
    """Lets calls through at a steady rate and holds all of them back when the cloud asks to wait.

    `per_second` None: no limit of our own. `burst` calls may come at once. Clock and sleep can be
    replaced in tests; the clock counts seconds and never runs backwards.
    """

    def __init__(
        self,
        per_second: float | None = None,
        *,
        burst: int = 1,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._step = 1 / per_second if per_second else 0.0
        self._slack = self._step * (burst - 1)
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._next = self._paused_until = float("-inf")

    def take(self) -> float:
        """Waits for this call's turn; the seconds that it had to wait."""
        waited = 0.0
        if not self._step and self._clock() >= self._paused_until:
            return waited
        with self._lock:
            now = self._clock()
            turn = max(self._next, now - self._slack)
            self._next = turn + self._step
        while (left := max(turn, self._paused_until) - self._clock()) > 0:
            self._sleep(left)
            waited += left
        return waited

    def pause(self, seconds: float) -> bool:
        """Holds every later call back this long.

        False, and no pause, when it is more than `LONGEST_PAUSE_SECONDS`: the call had better
        fail and be counted as throttled than stall a whole sweep.
        """
        if seconds > LONGEST_PAUSE_SECONDS:
            return False
        with self._lock:
            self._paused_until = max(self._paused_until, self._clock() + seconds)
        return True


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast one connection may ask, and how often its calls of a thread were told to wait."""

    pacer: Pacer
    of_thread: threading.local = field(default_factory=threading.local)
