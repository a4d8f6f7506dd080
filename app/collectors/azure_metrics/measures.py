"""Which metrics are read of which type of resource. Pure.

Names: Microsoft's tables of supported metrics for Microsoft.Compute, Microsoft.StorageCache and
Microsoft.MachineLearningServices. Those of NetApp Files are not in its document, so several are
tried: only what the definitions of a type name is ever asked for.
"""

from collections.abc import Mapping
from types import MappingProxyType

from app.collectors.azure_measures import Joined, Measure, Measured
from app.domain.samples import (
    AZURE_LUSTRE,
    AZURE_ML_WORKSPACE,
    AZURE_SCALE_SET,
    AZURE_VM,
    NETAPP_POOL,
    NETAPP_VOLUME,
    Unit,
)

# Bytes of Lustre are told per target and never in total; a client is connected to every target.
_TARGETS = ("ostnum", "mdtnum")
_GPUS = ("ComputeName", "InstanceId", "DeviceId")


def _of_targets(name: str, metric: str, unit: Unit, joined: Joined = Joined.SUM) -> Measure:
    return Measure(name, metric, unit, _TARGETS, joined)


_CPU = Measure("Percentage CPU", "cpu_util_percent", Unit.PERCENT)
_LUSTRE = (
    _of_targets("OSTBytesUsed", "used_bytes", Unit.BYTES),
    _of_targets("OSTBytesAvailable", "free_bytes", Unit.BYTES),
    _of_targets("MDTBytesUsed", "metadata_used_bytes", Unit.BYTES),
    _of_targets("MDTBytesAvailable", "metadata_free_bytes", Unit.BYTES),
    _of_targets("ClientReadThroughput", "read_bytes_per_second", Unit.BYTES_PER_SECOND),
    _of_targets("ClientWriteThroughput", "written_bytes_per_second", Unit.BYTES_PER_SECOND),
    _of_targets("OSTConnectedClients", "connected_clients", Unit.COUNT, Joined.MAXIMUM),
)
_GPU = (
    Measure("GpuUtilizationPercentage", "gpu_util_percent", Unit.PERCENT, _GPUS),
    Measure("GpuMemoryUtilizationPercentage", "gpu_memory_used_percent", Unit.PERCENT, _GPUS),
)
_POOL = (
    Measure("VolumePoolAllocatedSize", "allocated_bytes", Unit.BYTES),
    Measure("VolumePoolAllocatedUsed", "allocated_to_volumes_bytes", Unit.BYTES),
    Measure("VolumePoolTotalLogicalSize", "used_bytes", Unit.BYTES),
    Measure("VolumePoolTotalSnapshotSize", "snapshot_bytes", Unit.BYTES),
)
_VOLUME = (
    Measure("VolumeAllocatedSize", "allocated_bytes", Unit.BYTES),
    Measure("VolumeLogicalSize", "used_bytes", Unit.BYTES),
    Measure("VolumeSnapshotSize", "snapshot_bytes", Unit.BYTES),
    Measure("VolumeCoolTierSize", "cool_bytes", Unit.BYTES),
)
_NETAPP = "Microsoft.NetApp/netAppAccounts/capacityPools"

MEASURED: Mapping[str, Measured] = MappingProxyType(
    {
        one.namespace.lower(): one
        for one in (
            Measured("Microsoft.Compute/virtualMachines", AZURE_VM, (_CPU,)),
            Measured("Microsoft.Compute/virtualMachineScaleSets", AZURE_SCALE_SET, (_CPU,)),
            Measured("Microsoft.StorageCache/amlFilesystems", AZURE_LUSTRE, _LUSTRE),
            Measured(_NETAPP, NETAPP_POOL, _POOL),
            Measured(f"{_NETAPP}/volumes", NETAPP_VOLUME, _VOLUME),
            Measured("Microsoft.MachineLearningServices/workspaces", AZURE_ML_WORKSPACE, _GPU),
        )
    }
)
