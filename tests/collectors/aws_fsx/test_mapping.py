"""FSx's words into ours, and whatever else may stand in their place."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_fsx import mapping
from app.collectors.aws_fsx.operations import OPERATIONS
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.replies import Parse, Reply, understood
from tests.collectors.test_hostile_answers import spoiled
from tests.support.file_systems import fsx

FEEDS = {operation.name: operation.feeds for operation in OPERATIONS}
LUSTRE: dict[str, Any] = {
    "FileSystemId": "fs-1",
    "FileSystemType": "LUSTRE",
    "FileSystemTypeVersion": "2.15",
    "Lifecycle": "AVAILABLE",
    "FailureDetails": {"Message": "none"},
    "StorageCapacity": 2400,
    "StorageType": "SSD",
    "VpcId": "vpc-1",
    "SubnetIds": ["subnet-a"],
    "DNSName": "fs-1.fsx",
    "KmsKeyId": "key",
    "LustreConfiguration": {
        "DeploymentType": "PERSISTENT_1",
        "PerUnitStorageThroughput": 200,
        "MountName": "m",
        "AutomaticBackupRetentionDays": 3,
        "DataCompressionType": "LZ4",
        "EfaEnabled": True,
        "DataRepositoryConfiguration": {
            "Lifecycle": "AVAILABLE",
            "ImportPath": "s3://b/in",
            "ExportPath": "s3://b/out",
            "AutoImportPolicy": "NEW",
            "FailureDetails": {"Message": "x"},
        },
    },
    "AdministrativeActions": [
        {
            "AdministrativeActionType": "FILE_SYSTEM_UPDATE",
            "Status": "COMPLETED",
            "ProgressPercent": 3,
            "RequestTime": datetime(2026, 11, 30, tzinfo=UTC),
            "FailureDetails": {"Message": "x"},
        }
    ],
}
LINK: dict[str, Any] = {
    "AssociationId": "dra-1",
    "Lifecycle": "AVAILABLE",
    "FileSystemPath": "/data",
    "DataRepositoryPath": "s3://b/p",
    "S3": {"AutoImportPolicy": {"Events": ["NEW"]}, "AutoExportPolicy": {"Events": ["NEW"]}},
}
VOLUME: dict[str, Any] = {
    "VolumeId": "fsvol-1",
    "Name": "homes",
    "Lifecycle": "CREATED",
    "OntapConfiguration": {
        "JunctionPath": "/homes",
        "SizeInMegabytes": 10,
        "OntapVolumeType": "RW",
        "TieringPolicy": {"Name": "AUTO"},
        "StorageVirtualMachineRoot": False,
    },
}
ZFS: dict[str, Any] = {
    "VolumeId": "fsvol-2",
    "Lifecycle": "AVAILABLE",
    "OpenZFSConfiguration": {"VolumePath": "/fsx", "StorageCapacityQuotaGiB": 5},
}


def region_too(row: Any) -> Any:
    return {**mapping.file_system(row), "file_system_region": "eu-central-1"}


ANSWERS: list[tuple[str, Parse, Any]] = [
    ("fsx:DescribeFileSystems", region_too, LUSTRE),
    (
        "fsx:DescribeDataRepositoryAssociations",
        mapping.associations,
        {"Associations": [LINK]},
    ),
    ("fsx:DescribeVolumes", mapping.volumes, {"Volumes": [VOLUME, ZFS]}),
    (
        "fsx:DescribeStorageVirtualMachines",
        mapping.machines,
        {
            "StorageVirtualMachines": [
                {"StorageVirtualMachineId": "svm-1", "Name": "s", "Lifecycle": "CREATED"}
            ]
        },
    ),
]


@pytest.mark.parametrize(("operation", "parse", "answer"), ANSWERS, ids=[a[0] for a in ANSWERS])
def test_no_answer_breaks_what_follows(operation: str, parse: Parse, answer: Any) -> None:
    kind = type(fsx())
    for one in spoiled(answer):
        reply = Reply(Outcome.ANSWERED, one)
        _, found = understood(reply, FEEDS[operation], typed(kind, parse))
        facts = fsx(**found)
        json.dumps(to_fact_set(facts, *derive(facts)).to_json(), allow_nan=False)


def test_text_is_no_number_of_bytes() -> None:
    with pytest.raises(ValueError, match="no amount"):
        mapping.file_system({**LUSTRE, "StorageCapacity": "2400"})


def test_letters_are_no_list_of_events() -> None:
    link = {**LINK, "S3": {"AutoExportPolicy": {"Events": "NEW"}}}
    with pytest.raises(TypeError):
        mapping.associations({"Associations": [link]})


@pytest.mark.parametrize(
    ("kind", "member", "settings", "expected"),
    [
        ("LUSTRE", "LustreConfiguration", {"PerUnitStorageThroughput": 200}, 468.75),
        ("LUSTRE", "LustreConfiguration", {"ThroughputCapacity": 4000}, 4000),
        ("LUSTRE", "LustreConfiguration", {"DeploymentType": "SCRATCH_2"}, None),
        ("ONTAP", "OntapConfiguration", {"ThroughputCapacityPerHAPair": 1536, "HAPairs": 4}, 6144),
        ("ONTAP", "OntapConfiguration", {"ThroughputCapacity": 512}, 512),
        ("WINDOWS", "WindowsConfiguration", {"ThroughputCapacity": 32}, 32),
    ],
)
def test_throughput_is_that_of_the_whole_file_system(
    kind: str, member: str, settings: dict[str, Any], expected: float | None
) -> None:
    row = {"FileSystemType": kind, "StorageCapacity": 2400, member: settings}
    assert mapping.file_system(row)["throughput_megabytes_per_second"] == expected


def test_a_file_system_that_grows_by_itself_has_no_capacity() -> None:
    row = {**LUSTRE, "StorageType": "INTELLIGENT_TIERING", "StorageCapacity": 0}
    assert mapping.file_system(row)["storage_capacity_bytes"] is None


@pytest.mark.parametrize("quota", [0, -1])
def test_a_volume_of_openzfs_without_quota_has_no_size(quota: int) -> None:
    row = {**ZFS, "OpenZFSConfiguration": {"StorageCapacityQuotaGiB": quota}}
    (found,) = mapping.volumes({"Volumes": [row]})["volumes"]
    assert found.size_bytes is None
