"""The collector against moto, which knows file systems, their lifecycle and backup policies.

Moto has no replications; a fixture answers those.
"""

from typing import Any

import pytest

from app.collectors.aws_efs import COLLECTOR
from app.domain.collecting import Cell, ListingDone, ResourceSeen, ScopeReport
from app.domain.facts import ABSENT, Present, Unreadable
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture, refused
from tests.support.aws_sweeps import Swept, swept
from tests.support.aws_wire import ACCOUNT, AwsWire

REGION = "us-west-2"
NONE = fixture("efs", "DescribeReplicationConfigurations", {"Replications": []})


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


def made(aws: AwsWire, name: str = "homes", **more: Any) -> str:
    """The id of a new file system."""
    tags = [{"Key": "Name", "Value": name}, {"Key": "owner", "Value": "atlas"}]
    client = aws.client("efs", REGION)
    found = client.create_file_system(CreationToken=name, Tags=tags, **more)
    aws.asked.clear()
    aws.faults = [NONE]
    return str(found["FileSystemId"])


def sweep(connection: MakeConnection) -> Swept:
    return swept(COLLECTOR, connection(cell=Cell(region_id=REGION)))


def facts(found: Swept, name: str = "homes") -> Any:
    return found.resources[name].facts


def test_a_file_system_is_read_with_its_settings(aws: AwsWire, connection: MakeConnection) -> None:
    own_id = made(aws, Encrypted=True, Backup=True, PerformanceMode="maxIO")
    found = sweep(connection)
    seen = found.resources["homes"]
    arn = f"arn:aws:elasticfilesystem:{REGION}:{ACCOUNT}:file-system/{own_id}"
    assert (seen.native_id, seen.immutable_id) == (arn, arn)
    assert (seen.region_id, seen.scope) == (REGION, f"{ACCOUNT}/{REGION}")
    assert seen.created_at is not None
    assert seen.tags == {"Name": "homes", "owner": "atlas"}
    assert facts(found).encryption_enabled == Present(True)
    assert facts(found).performance_mode == Present("maxIO")
    assert facts(found).backup_policy_status == Present("ENABLED")
    assert facts(found).transition_to_archive == ABSENT
    assert facts(found).replications == ABSENT
    assert found.listings["efs_file_system"].complete


def test_a_lifecycle_is_read_policy_by_policy(aws: AwsWire, connection: MakeConnection) -> None:
    own_id = made(aws)
    aws.client("efs", REGION).put_lifecycle_configuration(
        FileSystemId=own_id,
        LifecyclePolicies=[
            {"TransitionToIA": "AFTER_30_DAYS"},
            {"TransitionToPrimaryStorageClass": "AFTER_1_ACCESS"},
        ],
    )
    found = facts(sweep(connection))
    assert found.transition_to_infrequent_access == Present("AFTER_30_DAYS")
    assert found.transition_to_standard == Present("AFTER_1_ACCESS")
    assert found.transition_to_archive == ABSENT


def test_a_file_system_without_a_backup_policy_has_none(
    aws: AwsWire, connection: MakeConnection
) -> None:
    made(aws)
    none = refused("efs", "DescribeBackupPolicy", "PolicyNotFound", 404)
    aws.faults = [none, NONE]
    found = sweep(connection)
    assert facts(found).backup_policy_status == ABSENT
    assert found.reports["efs:DescribeBackupPolicy"].absent == 1


def test_replications_are_asked_once_for_all_file_systems(
    aws: AwsWire, connection: MakeConnection
) -> None:
    first, second = made(aws, "one"), made(aws, "two")
    row = {
        "SourceFileSystemId": first,
        "SourceFileSystemRegion": REGION,
        "SourceFileSystemArn": f"arn:aws:elasticfilesystem:::file-system/{first}",
        "OriginalSourceFileSystemArn": f"arn:aws:elasticfilesystem:::file-system/{first}",
        "CreationTime": 0,
        "Destinations": [
            {"Status": "ENABLED", "FileSystemId": second, "Region": REGION, "OwnerId": ACCOUNT}
        ],
    }
    page = {"Replications": [row]}
    aws.faults = [fixture("efs", "DescribeReplicationConfigurations", page)]
    found = sweep(connection)
    (copy,) = facts(found, "one").replications.value
    assert (copy.file_system_id, copy.account_id) == (second, None)
    assert facts(found, "two").replications == ABSENT
    (asked,) = aws.questions("DescribeReplicationConfigurations")
    assert "FileSystemId" not in asked.parameters


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        ("DescribeReplicationConfigurations", "replications"),
        ("DescribeLifecycleConfiguration", "transition_to_archive"),
        ("DescribeBackupPolicy", "backup_policy_status"),
    ],
)
def test_a_missing_right_costs_what_it_feeds(
    aws: AwsWire, connection: MakeConnection, operation: str, name: str
) -> None:
    made(aws)
    aws.faults = [refused("efs", operation, "AccessDeniedException", 403), NONE]
    found = sweep(connection)
    assert getattr(facts(found), name) == Unreadable("AccessDeniedException")
    assert facts(found).lifecycle == Present("available")
    assert found.listings["efs_file_system"].complete
    assert found.reports[f"efs:{operation}"].denied == 1


def test_no_replication_at_all_is_none(aws: AwsWire, connection: MakeConnection) -> None:
    made(aws)
    operation = "DescribeReplicationConfigurations"
    aws.faults = [refused("efs", operation, "ReplicationNotFound", 404)]
    assert facts(sweep(connection)).replications == ABSENT


def test_an_empty_region_costs_one_call(aws: AwsWire, connection: MakeConnection) -> None:
    found = sweep(connection)
    assert [one.question for one in aws.asked] == ["GetCallerIdentity", "DescribeFileSystems"]
    assert found.order == (ListingDone, ScopeReport)


def test_observations_stream_before_their_list_ends(
    aws: AwsWire, connection: MakeConnection
) -> None:
    made(aws, "one")
    made(aws, "two")
    found = sweep(connection)
    assert found.order[:3] == (ResourceSeen, ResourceSeen, ListingDone)
    assert set(found.order[3:]) == {ScopeReport}
