"""The FSx file systems of the story, in boto3's words: what each links, keeps and loses."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.sandbox.story import (
    AWS_RESEARCH,
    AWS_TRAINING,
    CHECKPOINTS,
    CT_THORAX,
    FRA,
    PATHOLOGY,
    PDX,
    SYNTHETIC,
    WEBTEXT,
    AwsAccount,
    created_at,
    mixed,
)

Json = dict[str, Any]
DUB = "eu-west-1"
ALL_EVENTS = ["NEW", "CHANGED", "DELETED"]


@dataclass(frozen=True, slots=True)
class FileSystem:
    """One FSx file system; `settings` are those of its type. `case` says what is special."""

    name: str
    case: str
    kind: str
    settings: Json
    capacity_gib: int
    account: AwsAccount = AWS_RESEARCH
    region: str = FRA
    storage: str = "SSD"
    zones: tuple[str, ...] = ("a",)
    own_key: bool = True
    lifecycle: str = "AVAILABLE"
    tags: dict[str, str] | None = None
    links: tuple[Json, ...] = ()
    machines: tuple[Json, ...] = ()
    volumes: tuple[Json, ...] = ()
    actions: tuple[Json, ...] = ()
    known_id: str = ""

    @property
    def file_system_id(self) -> str:
        """The id: one that others of the story know it by, else its name decides."""
        return self.known_id or f"fs-0{mixed(self.name):08x}{mixed(self.name[::-1]):08x}"

    @property
    def created_at(self) -> datetime:
        """When it was made."""
        return created_at(self.name)

    @property
    def scratch(self) -> bool:
        """Whether FSx itself keeps its key and nothing is kept twice."""
        return str(self.settings["DeploymentType"]).startswith("SCRATCH")


def link(path: str, bucket: str, *, imports: list[str], exports: list[str], **more: object) -> Json:
    """A data repository association; no events: nothing moves by itself."""
    s3 = {
        **({"AutoImportPolicy": {"Events": imports}} if imports else {}),
        **({"AutoExportPolicy": {"Events": exports}} if exports else {}),
    }
    return {
        "AssociationId": f"dra-0{mixed(path):08x}{mixed(bucket):08x}",
        "Lifecycle": "AVAILABLE",
        "FileSystemPath": path,
        "DataRepositoryPath": f"s3://{bucket}",
        "BatchImportMetaDataOnCreate": False,
        "ImportedFileChunkSize": 1024,
        "S3": s3,
        **more,
    }


def volume(name: str, path: str, **settings: object) -> Json:
    """An ONTAP volume of the one file server; without a path it is not mounted."""
    return {
        "VolumeId": _volume_id(name),
        "Name": name,
        "Lifecycle": "CREATED",
        "VolumeType": "ONTAP",
        "OntapConfiguration": {
            "StorageVirtualMachineId": _machine_id("svm-research"),
            "TieringPolicy": {"Name": "AUTO", "CoolingPeriod": 31},
            "SnapshotPolicy": "default",
            **({"JunctionPath": path} if path else {}),
            **settings,
        },
    }


def _volume_id(name: str) -> str:
    return f"fsvol-0{mixed(name):08x}{mixed(name[::-1]):08x}"


def _machine_id(name: str) -> str:
    return f"svm-0{mixed(name):08x}{mixed(name[::-1]):08x}"


FILE_SYSTEMS = (
    FileSystem(
        "fsx-hyperpod",
        "Lustre of the HyperPod cluster: imports from its bucket, exports nothing",
        "LUSTRE",
        {
            "DeploymentType": "PERSISTENT_2",
            "PerUnitStorageThroughput": 250,
            "MountName": "cz1lustr",
            "AutomaticBackupRetentionDays": 0,
            "DataCompressionType": "LZ4",
            "EfaEnabled": True,
        },
        12_000,
        AWS_TRAINING,
        PDX,
        tags=CHECKPOINTS.tags(cluster="hyperpod-usw2"),
        links=(link("/ckpt", "cierzo-ckpt-usw2/atlas-rx/", imports=ALL_EVENTS, exports=[]),),
        known_id="fs-0c1e72000000000a1",
    ),
    FileSystem(
        "fsx-webtext-pdx",
        "Lustre with full import and export: everything right",
        "LUSTRE",
        {
            "DeploymentType": "PERSISTENT_2",
            "PerUnitStorageThroughput": 125,
            "MountName": "wbtx3ram",
            "AutomaticBackupRetentionDays": 0,
            "DataCompressionType": "LZ4",
        },
        4_800,
        AWS_TRAINING,
        PDX,
        tags=WEBTEXT.tags(role="replica"),
        links=(
            link(
                "/datasets",
                "cierzo-webtext-es-ca-gl-usw2/datasets/",
                imports=ALL_EVENTS,
                exports=ALL_EVENTS,
            ),
        ),
    ),
    FileSystem(
        "fsx-scratch-sweeps",
        "scratch Lustre of years ago, linked with nothing: one failed server loses it",
        "LUSTRE",
        {"DeploymentType": "SCRATCH_2", "MountName": "fsx"},
        1_200,
        tags=SYNTHETIC.tags(role="scratch"),
    ),
    FileSystem(
        "fsx-thorax-legacy",
        "Lustre with the older link: results leave only when somebody starts a task",
        "LUSTRE",
        {
            "DeploymentType": "PERSISTENT_1",
            "PerUnitStorageThroughput": 12,
            "MountName": "thrx4dbq",
            "AutomaticBackupRetentionDays": 0,
            "DataRepositoryConfiguration": {
                "Lifecycle": "AVAILABLE",
                "ImportPath": "s3://cierzo-ct-thorax-fra/studies/",
                "ExportPath": "s3://cierzo-ct-thorax-fra/fsx-results/",
                "ImportedFileChunkSize": 1024,
                "AutoImportPolicy": "NEW_CHANGED",
            },
        },
        6_000,
        storage="HDD",
        tags=CT_THORAX.tags(),
    ),
    FileSystem(
        "fsx-pathology",
        "Lustre whose link is misconfigured: its bucket no longer lets it in",
        "LUSTRE",
        {
            "DeploymentType": "PERSISTENT_2",
            "PerUnitStorageThroughput": 125,
            "MountName": "pthl5ram",
            "AutomaticBackupRetentionDays": 0,
        },
        2_400,
        tags=PATHOLOGY.tags(),
        links=(
            link(
                "/slides",
                "cierzo-pathology-wsi-fra/slides/",
                imports=ALL_EVENTS,
                exports=ALL_EVENTS,
                Lifecycle="MISCONFIGURED",
                FailureDetails={"Message": "Amazon FSx is unable to access the S3 bucket."},
            ),
        ),
    ),
    FileSystem(
        "fsx-ontap-research",
        "ONTAP in two zones; one of its volumes is filled by replication, and where its own go "
        "only ONTAP knows",
        "ONTAP",
        {
            "DeploymentType": "MULTI_AZ_2",
            "HAPairs": 1,
            "ThroughputCapacityPerHAPair": 768,
            "AutomaticBackupRetentionDays": 14,
        },
        20_480,
        zones=("a", "b"),
        tags={"owner": "platform"},
        machines=(
            {
                "StorageVirtualMachineId": _machine_id("svm-research"),
                "Name": "svm-research",
                "Lifecycle": "CREATED",
                "Subtype": "DEFAULT",
            },
        ),
        volumes=(
            volume("svm_research_root", "/", SizeInBytes=2**30, StorageVirtualMachineRoot=True),
            volume("homes", "/homes", SizeInBytes=8 * 2**40, OntapVolumeType="RW"),
            volume("madrid_mirror", "", SizeInBytes=4 * 2**40, OntapVolumeType="DP"),
        ),
    ),
    FileSystem(
        "fsx-zfs-builds",
        "OpenZFS with AWS's key, and nothing of it is backed up",
        "OPENZFS",
        {
            "DeploymentType": "SINGLE_AZ_HA_2",
            "ThroughputCapacity": 320,
            "AutomaticBackupRetentionDays": 0,
            "RootVolumeId": _volume_id("zfs root"),
        },
        1_024,
        own_key=False,
        tags={"owner": "platform"},
        volumes=(
            {
                "VolumeId": _volume_id("zfs root"),
                "Name": "fsx",
                "Lifecycle": "AVAILABLE",
                "VolumeType": "OPENZFS",
                "OpenZFSConfiguration": {
                    "VolumePath": "/fsx",
                    "StorageCapacityQuotaGiB": 0,
                    "DataCompressionType": "ZSTD",
                },
            },
        ),
    ),
    FileSystem(
        "fsx-reading-rooms",
        "Windows file server in two zones, backed up; an update of it goes on",
        "WINDOWS",
        {
            "DeploymentType": "MULTI_AZ_1",
            "ThroughputCapacity": 64,
            "AutomaticBackupRetentionDays": 30,
        },
        2_000,
        region=DUB,
        zones=("a", "b"),
        own_key=False,
        tags={"owner": "radiology"},
        actions=(
            {
                "AdministrativeActionType": "STORAGE_OPTIMIZATION",
                "Status": "IN_PROGRESS",
                "ProgressPercent": 40,
                "RequestTime": created_at("fsx-reading-rooms update"),
            },
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class FileCache:
    """The file cache; the list of caches tells no tags, so that its id is its name."""

    name: str
    case: str
    region: str = PDX


CACHE = FileCache(
    f"fc-0{mixed('cache'):08x}{mixed('ehcac'):08x}",
    "file cache in Oregon before the archive in Madrid",
)
