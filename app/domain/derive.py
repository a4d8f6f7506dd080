"""What follows from collected facts: one door for every kind of document."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from app.domain.access_paths import access_path, multi_region_places
from app.domain.access_points import S3AccessPointFacts, S3MultiRegionAccessPointFacts
from app.domain.azure_ai import AiAccountFacts
from app.domain.azure_aks import AksClusterFacts
from app.domain.azure_batch import BatchAccountFacts, BatchPoolFacts
from app.domain.azure_disks import AzureDiskFacts, disk_use
from app.domain.azure_lustre import AzureLustreFileSystemFacts
from app.domain.azure_machine_learning import MlComputeFacts, MlWorkspaceFacts
from app.domain.azure_machines import AzureVmFacts, AzureVmScaleSetFacts
from app.domain.azure_netapp import AzureNetappPoolFacts, AzureNetappVolumeFacts
from app.domain.azure_qumulo import AzureQumuloFileSystemFacts
from app.domain.blob_protection import blob_protection
from app.domain.capacity_training_plan import training_plan_capacity
from app.domain.cluster_aks import aks_cluster, kubernetes_of
from app.domain.cluster_batch import batch_access, batch_pool
from app.domain.cluster_eks import eks_cluster
from app.domain.cluster_hyperpod import hyperpod_cluster
from app.domain.cluster_machine_learning import ml_compute, workspace_access
from app.domain.cyclecloud import CycleCloudClusterFacts, cyclecloud_cluster
from app.domain.datasync import DatasyncTaskFacts
from app.domain.directory_buckets import S3DirectoryBucketFacts, directory_object_store
from app.domain.ebs import EbsSnapshotFacts, EbsVolumeFacts, snapshot_use, volume_use
from app.domain.ec2_capacity import Ec2CapacityReservationFacts, capacity_of
from app.domain.efs import EfsFileSystemFacts
from app.domain.eks import EksClusterFacts
from app.domain.facts import FactDocument
from app.domain.file_system_efs import efs_file_system
from app.domain.file_system_fsx import fsx_file_cache, fsx_file_system
from app.domain.file_system_lustre import lustre_file_system
from app.domain.file_system_netapp import netapp_pool, netapp_volume, pool_use
from app.domain.file_system_qumulo import qumulo_file_system
from app.domain.fsx import FsxFileCacheFacts, FsxFileSystemFacts
from app.domain.hyperpod import HyperpodClusterFacts
from app.domain.job_use import job_use
from app.domain.jobs import JobFacts
from app.domain.lustre_sync import lustre_sync
from app.domain.machine_use import machine_use, scale_set_use
from app.domain.model_serving import ai_access, model_serving
from app.domain.storage import S3BucketFacts
from app.domain.storage_accounts import AzureStorageAccountFacts
from app.domain.storage_azure import azure_object_store
from app.domain.storage_copies import copy_holders
from app.domain.storage_s3 import s3_object_store
from app.domain.storage_uploads import unfinished_uploads
from app.domain.training_plan import TrainingPlanFacts
from app.domain.transfer_datasync import datasync_transfer

# What follows from one document alone, whatever the time.
_FOLLOWS: Mapping[type[FactDocument], Callable[[Any], FactDocument]] = {
    AiAccountFacts: model_serving,
    BatchAccountFacts: batch_access,
    BatchPoolFacts: batch_pool,
    MlComputeFacts: ml_compute,
    MlWorkspaceFacts: workspace_access,
    EksClusterFacts: eks_cluster,
    HyperpodClusterFacts: hyperpod_cluster,
    Ec2CapacityReservationFacts: capacity_of,
    TrainingPlanFacts: training_plan_capacity,
    EbsVolumeFacts: volume_use,
    EbsSnapshotFacts: snapshot_use,
    FsxFileSystemFacts: fsx_file_system,
    FsxFileCacheFacts: fsx_file_cache,
    EfsFileSystemFacts: efs_file_system,
    DatasyncTaskFacts: datasync_transfer,
    S3AccessPointFacts: access_path,
    JobFacts: job_use,
    S3MultiRegionAccessPointFacts: access_path,
    AzureVmFacts: machine_use,
    AzureVmScaleSetFacts: scale_set_use,
    AzureDiskFacts: disk_use,
    CycleCloudClusterFacts: cyclecloud_cluster,
    AksClusterFacts: aks_cluster,
    AzureLustreFileSystemFacts: lustre_file_system,
    AzureNetappPoolFacts: netapp_pool,
    AzureNetappVolumeFacts: netapp_volume,
    AzureQumuloFileSystemFacts: qumulo_file_system,
}
# What else follows from some of them.
_ALSO_FOLLOWS: Mapping[type[FactDocument], Callable[[Any], FactDocument]] = {
    S3MultiRegionAccessPointFacts: multi_region_places,
    AksClusterFacts: kubernetes_of,
    AiAccountFacts: ai_access,
    AzureLustreFileSystemFacts: lustre_sync,
    AzureNetappPoolFacts: pool_use,
}


def derive(document: FactDocument, now: datetime | None = None) -> tuple[FactDocument, ...]:
    """The derived documents to store beside `document`; pure.

    `now` decides whether a fixed date in a lifecycle rule has come; without it such a rule leaves
    the facts that depend on it unreadable (DateNotCompared).
    """
    if isinstance(document, S3BucketFacts):
        return (
            s3_object_store(document, now),
            unfinished_uploads(document),
            copy_holders(document),
        )
    if isinstance(document, AzureStorageAccountFacts):
        return (
            azure_object_store(document, now),
            blob_protection(document),
            copy_holders(document),
        )
    if isinstance(document, S3DirectoryBucketFacts):
        return (directory_object_store(document, now),)
    kind = type(document)
    follow = (_FOLLOWS.get(kind), _ALSO_FOLLOWS.get(kind))
    return tuple(what(document) for what in follow if what)
