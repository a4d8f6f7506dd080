"""Each API has a pace of its own, below what AWS allows."""

import pytest

from app.clouds.aws_paces import ServicePacers, rate_of
from app.clouds.pacing import Pacer


class Clock:
    """Seconds that pass only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def pacer(self, *args: float, **more: int) -> Pacer:
        return Pacer(*args, **more, clock=lambda: self.now, sleep=self.sleep)


def test_an_api_is_asked_at_its_rate_once_its_burst_is_used_up() -> None:
    clock = Clock()
    pacer = ServicePacers(clock.pacer).of("ec2", "eu-west-1")
    for _ in range(50):
        pacer.take()
    assert clock.now == 0
    for _ in range(20):
        pacer.take()
    assert clock.now == pytest.approx(2.0)


def test_a_pause_of_one_api_holds_back_no_other_and_no_other_region() -> None:
    clock = Clock()
    pacers = ServicePacers(clock.pacer)
    assert pacers.of("eks", "eu-west-1").pause(30)
    assert pacers.of("fsx", "eu-west-1").take() == 0
    assert pacers.of("eks", "us-east-1").take() == 0
    assert pacers.of("eks", "eu-west-1").take() == 30


def test_the_settings_of_buckets_are_read_as_fast_as_answers_come() -> None:
    assert rate_of("s3") is None
    clock = Clock()
    pacer = ServicePacers(clock.pacer).of("s3", "eu-west-1")
    for _ in range(1_000):
        pacer.take()
    assert clock.now == 0


def test_a_service_without_a_published_figure_is_asked_cautiously() -> None:
    found = rate_of("datasync")
    assert found is not None
    assert found.per_second <= 10
