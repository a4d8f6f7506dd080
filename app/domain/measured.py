"""Which samples are of which resource: by the kind of thing that is measured, and its id."""

from collections.abc import Mapping
from types import MappingProxyType

from app.domain.azure_lustre import AzureLustreFileSystemFacts
from app.domain.azure_machine_learning import MlWorkspaceFacts
from app.domain.azure_machines import AzureVmFacts, AzureVmScaleSetFacts
from app.domain.azure_netapp import AzureNetappPoolFacts, AzureNetappVolumeFacts
from app.domain.ec2_machines import Ec2InstanceFacts
from app.domain.fsx import FsxFileSystemFacts
from app.domain.hyperpod import HyperpodNodeFacts
from app.domain.samples import (
    AZURE_LUSTRE,
    AZURE_ML_WORKSPACE,
    AZURE_SCALE_SET,
    AZURE_STORAGE,
    AZURE_VM,
    BUCKET,
    FILE_SYSTEM,
    INSTANCE,
    NETAPP_POOL,
    NETAPP_VOLUME,
)
from app.domain.storage import S3BucketFacts
from app.domain.storage_accounts import AzureStorageAccountFacts

# By kind of resource, the kind of thing under which sources file its samples; other kinds have
# none. A host and a training job are no resources: their samples stand alone.
SUBJECT_KINDS: Mapping[str, str] = MappingProxyType(
    {
        Ec2InstanceFacts.KIND: INSTANCE,
        HyperpodNodeFacts.KIND: INSTANCE,
        FsxFileSystemFacts.KIND: FILE_SYSTEM,
        S3BucketFacts.KIND: BUCKET,
        AzureVmFacts.KIND: AZURE_VM,
        AzureVmScaleSetFacts.KIND: AZURE_SCALE_SET,
        AzureLustreFileSystemFacts.KIND: AZURE_LUSTRE,
        AzureStorageAccountFacts.KIND: AZURE_STORAGE,
        MlWorkspaceFacts.KIND: AZURE_ML_WORKSPACE,
        AzureNetappPoolFacts.KIND: NETAPP_POOL,
        AzureNetappVolumeFacts.KIND: NETAPP_VOLUME,
    }
)


def subject_ids(native_id: str) -> tuple[str, ...]:
    """The ids that samples of a resource may be filed under: its own, and the last part of it."""
    short = native_id.rpartition("/")[2]
    return (native_id, short) if short and short != native_id else (native_id,)
