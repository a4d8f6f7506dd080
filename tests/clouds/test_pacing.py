from app.clouds.pacing import LONGEST_PAUSE_SECONDS, Pacer


class Clock:
    """Time that passes only in `sleep`."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def paced(clock: Clock, per_second: float | None = None, burst: int = 1) -> Pacer:
    return Pacer(per_second, burst=burst, clock=clock, sleep=clock.sleep)


def test_without_a_rate_nothing_waits() -> None:
    clock = Clock()
    pacer = paced(clock)
    assert [pacer.take() for _ in range(100)] == [0.0] * 100


def test_calls_leave_at_the_given_rate() -> None:
    clock = Clock()
    pacer = paced(clock, per_second=4)
    for _ in range(9):
        pacer.take()
    assert clock.now == 1000.0 + 8 / 4


def test_a_burst_passes_at_once_and_the_rest_keeps_the_rate() -> None:
    clock = Clock()
    pacer = paced(clock, per_second=10, burst=5)
    waits = [round(pacer.take(), 6) for _ in range(7)]
    assert waits == [0, 0, 0, 0, 0, 0.1, 0.1]


def test_unused_turns_are_not_saved_up_beyond_the_burst() -> None:
    clock = Clock()
    pacer = paced(clock, per_second=10, burst=2)
    pacer.take()
    clock.now += 3600
    waits = [round(pacer.take(), 6) for _ in range(3)]
    assert waits == [0, 0, 0.1]


def test_a_pause_holds_every_later_call_until_it_is_over() -> None:
    clock = Clock()
    pacer = paced(clock)
    assert pacer.pause(37)
    pacer.pause(5)
    assert pacer.take() == 37
    assert pacer.take() == 0


def test_a_pause_too_long_for_a_sweep_is_declined() -> None:
    clock = Clock()
    pacer = paced(clock)
    assert pacer.pause(LONGEST_PAUSE_SECONDS)
    assert not pacer.pause(86_400)
    assert pacer.take() == LONGEST_PAUSE_SECONDS
