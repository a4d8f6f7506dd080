"""EFS's words into ours, and whatever else may stand in their place."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_efs import mapping
from app.collectors.aws_efs.operations import OPERATIONS
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.efs import EfsFileSystemFacts
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.replies import Parse, Reply, understood
from tests.collectors.test_hostile_answers import spoiled
from tests.support.file_systems import efs

FEEDS = {operation.name: operation.feeds for operation in OPERATIONS}
ROW: dict[str, Any] = {
    "FileSystemId": "fs-1",
    "LifeCycleState": "available",
    "NumberOfMountTargets": 1,
    "SizeInBytes": {"Value": 9, "ValueInIA": 1, "ValueInStandard": 8, "ValueInArchive": 0},
    "PerformanceMode": "generalPurpose",
    "Encrypted": True,
    "KmsKeyId": "key",
    "ThroughputMode": "provisioned",
    "ProvisionedThroughputInMibps": 128.0,
    "AvailabilityZoneName": "eu-central-1a",
    "FileSystemProtection": {"ReplicationOverwriteProtection": "ENABLED"},
}
COPY: dict[str, Any] = {
    "SourceFileSystemId": "fs-1",
    "Destinations": [
        {
            "Status": "ENABLED",
            "FileSystemId": "fs-2",
            "Region": "eu-west-1",
            "OwnerId": "2",
            "LastReplicatedTimestamp": datetime(2026, 11, 30, tzinfo=UTC),
        }
    ],
}


def region_too(row: Any) -> Any:
    return {**mapping.file_system(row), "file_system_region": "eu-central-1"}


def copies(answer: Any) -> Any:
    return mapping.replications(answer, "fs-1", "1")


ANSWERS: list[tuple[str, Parse, Any]] = [
    ("efs:DescribeFileSystems", region_too, ROW),
    ("efs:DescribeReplicationConfigurations", copies, {"Replications": [COPY]}),
    (
        "efs:DescribeLifecycleConfiguration",
        mapping.lifecycle,
        {"LifecyclePolicies": [{"TransitionToIA": "AFTER_1_DAY"}]},
    ),
    ("efs:DescribeBackupPolicy", mapping.backup_policy, {"BackupPolicy": {"Status": "ENABLED"}}),
]


@pytest.mark.parametrize(("operation", "parse", "answer"), ANSWERS, ids=[a[0] for a in ANSWERS])
def test_no_answer_breaks_what_follows(operation: str, parse: Parse, answer: Any) -> None:
    for one in spoiled(answer):
        reply = Reply(Outcome.ANSWERED, one)
        _, found = understood(reply, FEEDS[operation], typed(EfsFileSystemFacts, parse))
        facts = efs(**found)
        json.dumps(to_fact_set(facts, *derive(facts)).to_json(), allow_nan=False)


def test_only_a_foreign_owner_is_named() -> None:
    (foreign,) = mapping.replications({"Replications": [COPY]}, "fs-1", "1")["replications"]
    (own,) = mapping.replications({"Replications": [COPY]}, "fs-1", "2")["replications"]
    assert (foreign.account_id, own.account_id) == ("2", None)


def test_a_destination_is_not_its_own_replica() -> None:
    assert mapping.replications({"Replications": [COPY]}, "fs-2", "1")["replications"] is None
