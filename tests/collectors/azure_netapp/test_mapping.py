"""NetApp's words into ours, and whatever else may stand in their place."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_netapp import mapping
from app.collectors.azure_netapp.operations import (
    OPERATIONS,
    POOLS,
    REPLICATIONS,
    STATUS,
    VOLUMES,
)
from app.domain.azure_netapp import AzureNetappPoolFacts, AzureNetappVolumeFacts
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import FactDocument, fact_names
from app.domain.replies import Parse, Reply, understood
from tests.collectors.test_hostile_answers import spoiled
from tests.support.azure_files import TIB, pool, volume

WIRE = Path(__file__).parent / "wire"
FEEDS = {operation.name: operation.feeds for operation in OPERATIONS}
# A volume with everything that the examples leave out; the names are those of the REST API.
FULL: dict[str, Any] = {
    "id": "/x/capacityPools/p/volumes/v",
    "name": "a/p/v",
    "location": "West Europe",
    "zones": ["1"],
    "properties": {
        "usageThreshold": 2 * TIB,
        "serviceLevel": "Ultra",
        "protocolTypes": ["NFSv3", "CIFS"],
        "coolAccess": True,
        "coolnessPeriod": 31,
        "encryptionKeySource": "Microsoft.KeyVault",
        "throughputMibps": 128.5,
        "dataProtection": {
            "snapshot": {"snapshotPolicyId": "/snapshotPolicies/s"},
            "backup": {"backupPolicyId": "/backupPolicies/b", "policyEnforced": True},
            "replication": {
                "endpointType": "Src",
                "replicationSchedule": "daily",
                "remoteVolumeResourceId": "/volumes/w",
                "remoteVolumeRegion": "northeurope",
            },
        },
    },
}


def wire(name: str) -> Any:
    return json.loads((WIRE / f"netapp.{name}.json").read_text("utf-8"))


def test_a_pool_is_its_size_whatever_volumes_have_of_it() -> None:
    found = mapping.pool(wire("pools.list")["value"][0])
    assert (found["size_bytes"], found["pool_service_level"]) == (4 * TIB, "Premium")
    assert (found["qos_type"], found["pool_throughput_mib_per_second"]) == ("Auto", 281.474)
    assert (found["pool_cool_access"], found["encryption_type"]) == (None, None)


def test_what_volumes_have_is_the_sum_of_their_quotas() -> None:
    assert mapping.allocated(wire("volumes.list")) == {
        "allocated_bytes": 100 * 2**30,
        "volume_count": 1,
    }
    assert mapping.allocated({"value": []}) == {"allocated_bytes": 0, "volume_count": 0}


def test_a_volume_of_the_example_has_nothing_but_its_quota() -> None:
    for row in (wire("volume.get"), wire("volumes.list")["value"][0]):
        found = mapping.volume(row)
        assert (found["quota_bytes"], found["volume_region"]) == (100 * 2**30, "eastus")
        assert found["mount_path"] == "some-amazing-filepath"
        for name in (
            "protocol_types",
            "cool_access",
            "snapshot_policy_id",
            "backup_policy_id",
            "backup_policy_enforced",
            "replication_endpoint_type",
            "availability_zones",
        ):
            assert found[name] is None, name
        assert mapping.endpoint_type(row) == ""


def test_a_volume_tells_its_tiers_and_its_protection() -> None:
    found = mapping.volume(FULL)
    assert (found["cool_access"], found["coolness_period_days"]) == (True, 31)
    assert found["protocol_types"] == ("NFSv3", "CIFS")
    assert (found["backup_policy_enforced"], found["snapshot_policy_id"]) == (
        True,
        "/snapshotPolicies/s",
    )
    assert (found["replication_endpoint_type"], mapping.endpoint_type(FULL)) == ("Src", "src")
    assert found["volume_region"] == "westeurope"


def test_copies_are_named_with_their_regions() -> None:
    (one,) = mapping.replications(wire("volume.replications"))["replications"]
    assert (one.region_id, one.schedule) == ("westus", "daily")
    assert one.volume_id.endswith("/volumes/volume-4508")
    assert mapping.replications({"value": []}) == {"replications": None}


def test_a_copy_tells_whether_it_is_kept_up() -> None:
    assert mapping.replication_status(wire("volume.replication_status")) == {
        "replication_healthy": True,
        "mirror_state": "Mirrored",
        "relationship_status": "Idle",
        "replication_message": None,
    }


ANSWERS: list[tuple[str, Parse, type[FactDocument], Any]] = [
    (POOLS, mapping.pool, AzureNetappPoolFacts, wire("pools.list")["value"][0]),
    (VOLUMES, mapping.allocated, AzureNetappPoolFacts, wire("volumes.list")),
    (VOLUMES, mapping.volume, AzureNetappVolumeFacts, FULL),
    (REPLICATIONS, mapping.replications, AzureNetappVolumeFacts, wire("volume.replications")),
    (STATUS, mapping.replication_status, AzureNetappVolumeFacts, wire("volume.replication_status")),
]


@pytest.mark.parametrize(("call", "parse", "document", "answer"), ANSWERS)
def test_no_answer_breaks_what_follows(
    call: str, parse: Parse, document: type[FactDocument], answer: Any
) -> None:
    feeds = tuple(name for name in FEEDS[call] if name in fact_names(document))
    build: Any = pool if document is AzureNetappPoolFacts else volume
    for one in spoiled(answer):
        reply, found = understood(Reply(Outcome.ANSWERED, one), feeds, typed(document, parse))
        assert reply.outcome in (Outcome.ANSWERED, Outcome.FAILED)
        facts = build(**found)
        assert json.dumps(to_fact_set(facts, *derive(facts)).to_json(), allow_nan=False)


def test_any_row_may_be_asked_for_its_role() -> None:
    for one in spoiled(FULL):
        assert isinstance(mapping.endpoint_type(one), str)


@pytest.mark.parametrize(
    "answer",
    [{}, {"healthy": True}, {"healthy": None, "mirrorState": "Mirrored"}],
)
def test_a_state_that_is_not_told_is_not_none(answer: Any) -> None:
    parse = typed(AzureNetappVolumeFacts, mapping.replication_status)
    reply, _ = understood(Reply(Outcome.ANSWERED, answer), FEEDS[STATUS], parse)
    assert reply.code == "UnexpectedAnswer"
