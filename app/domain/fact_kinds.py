"""Every kind of resource, with the documents that are stored of it: as collected, then derived."""

from app.domain.access_paths import MultiRegionPlaceFacts
from app.domain.access_points import (
    AccessPathFacts,
    S3AccessPointFacts,
    S3MultiRegionAccessPointFacts,
)
from app.domain.azure_ai import AiAccountFacts
from app.domain.azure_aks import AksClusterFacts
from app.domain.azure_batch import BatchAccountFacts, BatchPoolFacts
from app.domain.azure_compute_regions import AzureComputeRegionFacts
from app.domain.azure_disks import AzureDiskFacts
from app.domain.azure_lustre import AzureLustreFileSystemFacts
from app.domain.azure_machine_learning import MlComputeFacts, MlWorkspaceFacts
from app.domain.azure_machines import AzureVmFacts, AzureVmScaleSetFacts
from app.domain.azure_netapp import AzureNetappPoolFacts, AzureNetappVolumeFacts
from app.domain.azure_qumulo import AzureQumuloFileSystemFacts
from app.domain.azure_subscriptions import AzureSubscriptionFacts
from app.domain.blob_protection import BlobProtectionFacts
from app.domain.cluster import ClusterFacts
from app.domain.cluster_aks import KubernetesFacts
from app.domain.cyclecloud import CycleCloudClusterFacts
from app.domain.datasync import DatasyncTaskFacts
from app.domain.directory_buckets import S3DirectoryBucketFacts
from app.domain.ebs import BlockStorageFacts, EbsSnapshotFacts, EbsVolumeFacts, Ec2ImageFacts
from app.domain.ec2_capacity import CapacityFacts, Ec2CapacityReservationFacts
from app.domain.ec2_machines import Ec2InstanceFacts
from app.domain.efs import EfsFileSystemFacts
from app.domain.eks import EksClusterFacts
from app.domain.fact_schema import Field, fields_of
from app.domain.facts import FactDocument
from app.domain.file_system import FileSystemFacts
from app.domain.file_system_netapp import PoolUseFacts
from app.domain.fsx import FsxFileCacheFacts, FsxFileSystemFacts
from app.domain.hyperpod import HyperpodClusterFacts, HyperpodNodeFacts
from app.domain.job_use import JobUseFacts
from app.domain.jobs import JobFacts
from app.domain.lustre_sync import LustreSyncFacts
from app.domain.machine_use import MachineUseFacts
from app.domain.model_serving import ModelServingFacts
from app.domain.object_store import ObjectStoreFacts
from app.domain.service_access import ServiceAccessFacts
from app.domain.storage import S3BucketFacts
from app.domain.storage_accounts import AzureStorageAccountFacts
from app.domain.storage_copies import CopyHolderFacts
from app.domain.storage_lens import S3StorageLensFacts
from app.domain.storage_uploads import UnfinishedUploadFacts
from app.domain.sub_accounts import AwsAccountFacts
from app.domain.training_plan import TrainingPlanFacts
from app.domain.transfer import TransferFacts

FACT_KINDS: dict[str, tuple[type[FactDocument], ...]] = {
    S3BucketFacts.KIND: (
        S3BucketFacts,
        ObjectStoreFacts,
        UnfinishedUploadFacts,
        CopyHolderFacts,
    ),
    AzureStorageAccountFacts.KIND: (
        AzureStorageAccountFacts,
        ObjectStoreFacts,
        BlobProtectionFacts,
        CopyHolderFacts,
    ),
    AwsAccountFacts.KIND: (AwsAccountFacts,),
    AzureSubscriptionFacts.KIND: (AzureSubscriptionFacts,),
    AksClusterFacts.KIND: (AksClusterFacts, ClusterFacts, KubernetesFacts),
    AzureVmFacts.KIND: (AzureVmFacts, MachineUseFacts),
    AzureVmScaleSetFacts.KIND: (AzureVmScaleSetFacts, MachineUseFacts),
    AzureDiskFacts.KIND: (AzureDiskFacts, BlockStorageFacts),
    AzureComputeRegionFacts.KIND: (AzureComputeRegionFacts,),
    CycleCloudClusterFacts.KIND: (CycleCloudClusterFacts, ClusterFacts),
    AiAccountFacts.KIND: (AiAccountFacts, ModelServingFacts, ServiceAccessFacts),
    BatchAccountFacts.KIND: (BatchAccountFacts, ServiceAccessFacts),
    BatchPoolFacts.KIND: (BatchPoolFacts, ClusterFacts),
    MlComputeFacts.KIND: (MlComputeFacts, ClusterFacts),
    MlWorkspaceFacts.KIND: (MlWorkspaceFacts, ServiceAccessFacts),
    EksClusterFacts.KIND: (EksClusterFacts, ClusterFacts),
    HyperpodClusterFacts.KIND: (HyperpodClusterFacts, ClusterFacts),
    HyperpodNodeFacts.KIND: (HyperpodNodeFacts,),
    TrainingPlanFacts.KIND: (TrainingPlanFacts, CapacityFacts),
    Ec2InstanceFacts.KIND: (Ec2InstanceFacts,),
    Ec2CapacityReservationFacts.KIND: (Ec2CapacityReservationFacts, CapacityFacts),
    EbsVolumeFacts.KIND: (EbsVolumeFacts, BlockStorageFacts),
    EbsSnapshotFacts.KIND: (EbsSnapshotFacts, BlockStorageFacts),
    Ec2ImageFacts.KIND: (Ec2ImageFacts,),
    FsxFileSystemFacts.KIND: (FsxFileSystemFacts, FileSystemFacts),
    FsxFileCacheFacts.KIND: (FsxFileCacheFacts, FileSystemFacts),
    EfsFileSystemFacts.KIND: (EfsFileSystemFacts, FileSystemFacts),
    AzureLustreFileSystemFacts.KIND: (
        AzureLustreFileSystemFacts,
        FileSystemFacts,
        LustreSyncFacts,
    ),
    AzureNetappPoolFacts.KIND: (AzureNetappPoolFacts, FileSystemFacts, PoolUseFacts),
    AzureNetappVolumeFacts.KIND: (AzureNetappVolumeFacts, FileSystemFacts),
    AzureQumuloFileSystemFacts.KIND: (AzureQumuloFileSystemFacts, FileSystemFacts),
    DatasyncTaskFacts.KIND: (DatasyncTaskFacts, TransferFacts),
    S3AccessPointFacts.KIND: (S3AccessPointFacts, AccessPathFacts),
    S3MultiRegionAccessPointFacts.KIND: (
        S3MultiRegionAccessPointFacts,
        AccessPathFacts,
        MultiRegionPlaceFacts,
    ),
    S3DirectoryBucketFacts.KIND: (S3DirectoryBucketFacts, ObjectStoreFacts),
    S3StorageLensFacts.KIND: (S3StorageLensFacts,),
    JobFacts.KIND: (JobFacts, JobUseFacts),
}


def kinds_of(area: str) -> tuple[str, ...]:
    """The kinds of resource that belong to an area."""
    return tuple(kind for kind, (first, *_) in FACT_KINDS.items() if area == first.AREA)


def fields_of_kind(kind: str) -> tuple[Field, ...]:
    """All facts that a resource of this kind can have, own and derived."""
    return tuple(found for document in FACT_KINDS[kind] for found in fields_of(document))
