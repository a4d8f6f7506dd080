"""The collector against Microsoft's own examples, served as they stand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_netapp import COLLECTOR
from app.domain.azure_netapp import AzureNetappPoolFacts, AzureNetappVolumeFacts
from app.domain.collecting import Connection, Provider
from app.domain.facts import ABSENT, Present, Unreadable
from tests.support.azure_swept_files import SweptFiles, swept_files
from tests.support.replay_arm import ReplayArm

WIRE = Path(__file__).parent / "wire"
POOL, VOLUME = AzureNetappPoolFacts.KIND, AzureNetappVolumeFacts.KIND
# As the examples spell it; the inventory of subscriptions is in lower case.
SUBSCRIPTION = "d633cc2e-722b-4ae1-b636-bbd9e4c60ed9"


def wire(name: str) -> Any:
    return json.loads((WIRE / f"netapp.{name}.json").read_text("utf-8"))


@pytest.fixture
def arm() -> Iterator[ReplayArm]:
    """The account, pool and volume of the examples."""
    (account,) = wire("accounts.list")["value"]
    with ReplayArm([account]) as running:
        running.set(account, "capacityPools", wire("pools.list"))
        running.set(account, "capacityPools/pool1/volumes", wire("volumes.list"))
        yield running


def sweep(arm: ReplayArm) -> SweptFiles:
    return swept_files(
        COLLECTOR,
        Connection(
            id="0",
            name="Azure",
            provider=Provider.AZURE,
            config=arm.config(),
            secret=lambda _: "token",
            allow_private_endpoints=True,
        ),
    )


def test_the_examples_are_understood_whole(arm: ReplayArm) -> None:
    found = sweep(arm)
    assert set(found.resources) == {"pool1", "volume1"}
    assert found.facts("pool1").allocated_bytes == Present(100 * 2**30)
    assert found.derived("pool1", 1).unallocated_percent == Present(97.6)
    assert found.facts("volume1").replications == ABSENT
    assert found.resources["volume1"].parent_native_id == found.resources["pool1"].native_id
    assert found.resources["volume1"].sub_account_id == SUBSCRIPTION
    assert found.ends(POOL) == found.ends(VOLUME) == {SUBSCRIPTION: (True, "")}


def test_copies_on_a_second_page_are_places_too(arm: ReplayArm) -> None:
    (row,) = wire("volumes.list")["value"]
    row["properties"]["dataProtection"] = {"replication": {"endpointType": "src"}}
    arm.set(arm.accounts[0], "capacityPools/pool1/volumes", {"value": [row]})
    (copy,) = wire("volume.replications")["value"]
    more = "capacityPools/pool1/volumes/volume1/more"
    link = f"{arm.endpoint}{arm.accounts[0]['id']}/{more}"
    asked = "capacityPools/pool1/volumes/volume1/listReplications"
    arm.set(arm.accounts[0], asked, {"value": [copy], "nextLink": link})
    arm.set(arm.accounts[0], more, {"value": [{**copy, "remoteVolumeRegion": "brazilsouth"}]})
    places = sweep(arm).derived("volume1").rest_places.value
    assert [one.region_id for one in places] == ["eastus", "westus", "brazilsouth"]
    arm.set(arm.accounts[0], more, {"error": {"code": "InternalError"}}, status=400)
    places = sweep(arm).derived("volume1").rest_places.value
    assert [one.region_id for one in places] == ["eastus", None]


def test_a_pool_without_an_id_is_left_out_and_its_list_is_not_whole(arm: ReplayArm) -> None:
    rows = [*wire("pools.list")["value"], {"name": "odd", "properties": {"size": 1}}]
    arm.set(arm.accounts[0], "capacityPools", {"value": rows})
    found = sweep(arm)
    assert "pool1" in found.resources
    assert found.ends(POOL)[SUBSCRIPTION] == (False, "UnexpectedAnswer")
    assert found.ends(VOLUME)[SUBSCRIPTION] == (False, "UnexpectedAnswer")


def test_a_volume_of_another_shape_leaves_the_sum_unknown_and_the_others_as_they_are(
    arm: ReplayArm,
) -> None:
    (good,) = wire("volumes.list")["value"]
    odd = {**good, "id": good["id"] + "-odd", "properties": {"usageThreshold": "100"}}
    arm.set(arm.accounts[0], "capacityPools/pool1/volumes", {"value": [good, odd]})
    found = sweep(arm)
    assert found.facts("pool1").allocated_bytes == Unreadable("UnexpectedAnswer")
    assert found.facts("volume1-odd").quota_bytes == Unreadable("UnexpectedAnswer")
    assert found.facts("volume1").quota_bytes == Present(100 * 2**30)
