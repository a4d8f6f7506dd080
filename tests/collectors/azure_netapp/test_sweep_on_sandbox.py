"""The collector against the sandbox's tenant: what is paid, copies, refusals."""

from collections.abc import Callable

import pytest

from app.collectors.azure_netapp import COLLECTOR
from app.collectors.azure_netapp.operations import POOLS, REPLICATIONS, STATUS, VOLUMES
from app.domain.azure_netapp import AzureNetappPoolFacts, AzureNetappVolumeFacts
from app.domain.collecting import Connection, Outcome
from app.domain.facts import ABSENT, Present, Unreadable
from app.sandbox.azure.story_netapp import POOLS as STORY
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import PLATFORM, RESEARCH
from tests.support.azure_fixtures import azure, azure_connection, tenant
from tests.support.azure_swept_files import SweptFiles, swept_files, unreadable

__all__ = ["azure", "azure_connection", "tenant"]
Sweep = Callable[..., SweptFiles]
POOL, VOLUME = AzureNetappPoolFacts.KIND, AzureNetappVolumeFacts.KIND


@pytest.fixture
def sweep(azure: AzureServer, azure_connection: Callable[..., Connection]) -> Sweep:
    del azure
    return lambda **settings: swept_files(COLLECTOR, azure_connection(**settings))


def test_every_pool_and_volume_is_read_with_few_calls(sweep: Sweep) -> None:
    found = sweep()
    assert found.whole.names(POOL) == {pool.name for pool in STORY}
    volumes = [one for pool in STORY for one in pool.volumes]
    assert found.whole.names(VOLUME) == {one.name for one in volumes}
    assert found.total(POOLS, Outcome.ANSWERED) == len({pool.account_id for pool in STORY})
    assert found.total(VOLUMES, Outcome.ANSWERED) == len(STORY)
    assert found.total(REPLICATIONS, Outcome.ANSWERED) == sum(bool(one.others) for one in volumes)
    assert found.whole.calls(STATUS) == sum(bool(one.copy_of) for one in volumes)
    assert all(whole for whole, _ in (found.ends(POOL) | found.ends(VOLUME)).values())


def test_a_volume_is_a_part_of_its_pool_and_a_pool_of_its_account(sweep: Sweep) -> None:
    found = sweep()
    pool, volume = found.resources["pool-homes"], found.resources["vol-homes"]
    assert volume.parent_native_id == pool.native_id
    assert pool.parent_native_id.endswith("/netAppAccounts/anf-research-weu")


def test_what_is_paid_and_given_to_no_volume_is_summed(sweep: Sweep) -> None:
    found = sweep()
    shares = {
        name: found.derived(name, 1).unallocated_percent.value for name in found.whole.names(POOL)
    }
    assert shares == {
        "pool-homes": 0.0,
        "pool-notes": 75.0,
        "pool-copies": 0.0,
        "pool-empty": 100.0,
    }


def test_copies_are_places_of_their_source(sweep: Sweep) -> None:
    found = sweep()
    places = [(one.role, one.region_id) for one in found.derived("vol-notes").rest_places.value]
    assert places == [("primary", "westeurope"), ("replica", "eastus")]
    copy = found.derived("vol-homes-neu")
    assert (copy.is_replica, copy.rest_region_ids) == (Present(True), Present(("northeurope",)))
    assert found.facts("vol-homes").replication_healthy == ABSENT
    assert found.facts("vol-thorax-neu").mirror_state == Present("Broken")


def test_a_copy_whose_state_is_refused_keeps_the_rest(sweep: Sweep) -> None:
    found = sweep()
    assert set(unreadable(found.facts("vol-speech-neu"))) == {
        "replication_healthy",
        "mirror_state",
        "relationship_status",
        "replication_message",
    }
    assert found.total(STATUS, Outcome.DENIED) == 1


def test_volumes_that_cannot_be_listed_are_not_gone_and_their_pool_is_not_empty(
    sweep: Sweep, azure: AzureServer
) -> None:
    azure.faults.add(Fault(path="pool-homes/volumes", status=403, code="AuthorizationFailed"))
    found = sweep()
    assert found.facts("pool-homes").allocated_bytes == Unreadable("AuthorizationFailed")
    assert found.derived("pool-homes", 1).unallocated_percent == Unreadable("AuthorizationFailed")
    assert "vol-homes" not in found.resources
    assert found.ends(VOLUME)[RESEARCH.subscription_id] == (False, "AuthorizationFailed")
    assert found.ends(POOL)[RESEARCH.subscription_id] == (True, "")
    assert found.ends(VOLUME)[PLATFORM.subscription_id] == (True, "")


@pytest.mark.parametrize("effect", [Effect.REPEATED_NEXT, Effect.FOREIGN_NEXT, Effect.MALFORMED])
def test_a_broken_list_of_pools_tells_nothing_gone(
    sweep: Sweep, azure: AzureServer, effect: Effect
) -> None:
    azure.faults.add(Fault(path="anf-research-weu/capacityPools", effect=effect))
    found = sweep()
    assert "pool-copies" in found.resources
    for kind in (POOL, VOLUME):
        whole, code = found.ends(kind)[RESEARCH.subscription_id]
        assert not whole
        assert code
    assert found.total(POOLS, Outcome.FAILED) >= 1


def test_a_refused_list_of_copies_leaves_their_places_unknown(
    sweep: Sweep, azure: AzureServer
) -> None:
    azure.faults.add(
        Fault(path="vol-notes/listReplications", status=403, code="AuthorizationFailed")
    )
    places = sweep().derived("vol-notes").rest_places.value
    assert [(one.region_id, one.code) for one in places] == [
        ("westeurope", ""),
        (None, "AuthorizationFailed"),
    ]


def test_without_an_inventory_nothing_is_gone(sweep: Sweep, azure: AzureServer) -> None:
    azure.faults.add(Fault(path="ResourceGraph", status=403, code="AuthorizationFailed"))
    found = sweep()
    assert found.resources == {}
    assert set(found.ends(POOL).values()) == {(False, "AuthorizationFailed")}
