"""How fast each part of Azure is asked."""

from typing import Any

import pytest

from app.clouds.azure_paces import GRAPH, READS_PER_SECOND, TENANT, AzurePacers, bucket_of
from app.clouds.pacing import Pacer


def rates(per_second: float) -> dict[str, tuple[float, int]]:
    """Rate and burst of each bucket."""
    made: list[tuple[float, int]] = []

    def make(rate: float, *, burst: int, **_: Any) -> Pacer:
        made.append((rate, burst))
        return Pacer(rate, burst=burst)

    pacers = AzurePacers(per_second, make)
    for bucket in (GRAPH, TENANT, "a"):
        pacers.of(bucket)
    return dict(zip((GRAPH, TENANT, "a"), made, strict=True))


def test_azure_itself_is_asked_below_what_it_refills() -> None:
    found = rates(READS_PER_SECOND)
    assert found[GRAPH][0] * 5 + found[GRAPH][1] <= 15 + 10
    assert found[GRAPH][0] < 15 / 5
    assert found["a"][0] < 25
    assert found["a"][1] < 250


def test_a_server_of_ones_own_is_not_held_back() -> None:
    assert rates(10_000.0)[GRAPH][0] == 10_000.0


def test_a_slower_rate_holds_for_resource_graph_too() -> None:
    assert rates(1.0) == {GRAPH: (1.0, 10), TENANT: (1.0, 10), "a": (1.0, 10)}


@pytest.mark.parametrize(
    ("url", "bucket"),
    [
        ("/subscriptions/AB-1/providers/x", "ab-1"),
        ("https://management.azure.com/subscriptions/ab-1?x=y", "ab-1"),
        ("/subscriptions?api-version=1", TENANT),
        ("/providers/Microsoft.Management/managementGroups", TENANT),
    ],
)
def test_the_bucket_is_that_of_the_subscription_in_the_path(url: str, bucket: str) -> None:
    assert bucket_of(url) == bucket


def test_one_bucket_has_one_pacer() -> None:
    pacers = AzurePacers(20.0)
    assert pacers.of("a") is pacers.of("a")
    assert pacers.of("a") is not pacers.of("b")
