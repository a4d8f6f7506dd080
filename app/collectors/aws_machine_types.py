"""Which accelerators the machines of a cell hold: asked of EC2 by type, else from our table."""

from collections.abc import Iterable, Mapping
from typing import Any

from app.collectors.aws_reading import AwsReading, Listing
from app.domain.collecting import Operation, Outcome
from app.domain.machine_types import (
    MIB,
    MachineType,
    ec2_type,
    known_machine_type,
    may_hold_accelerators,
)
from app.domain.replies import UNEXPECTED, Reply

MACHINE_TYPES = "ec2:DescribeInstanceTypes"
# A filter, because an unknown name among InstanceTypes refuses the whole call (EC2 API).
_LISTING = Listing(MACHINE_TYPES, "InstanceTypes", params={"MaxResults": 100})
_MOST_NAMES = 200  # values of one filter (EC2 API: Filter)


def machine_types_operation(*feeds: str) -> Operation:
    """The operation as a collector declares it, with the facts it feeds there."""
    return Operation(
        MACHINE_TYPES,
        MACHINE_TYPES,
        feeds,
        "Which accelerators a machine has; without it our own table answers.",
    )


def machine_types(reading: AwsReading, names: Iterable[str]) -> dict[str, MachineType]:
    """The types of these names (with or without `ml.`), by the name given; unknown ones missing.

    EC2 is asked first. What it does not tell, or is not asked for, comes from our own table.
    """
    wanted = sorted(set(names))
    asked = sorted({ec2_type(name) for name in wanted})
    told = _told(reading, asked)
    found = {name: told.get(ec2_type(name)) or known_machine_type(name) for name in wanted}
    return {name: one for name, one in found.items() if one}


def _told(reading: AwsReading, names: list[str]) -> dict[str, MachineType]:
    told: dict[str, MachineType] = {}
    for start in range(0, len(names), _MOST_NAMES):
        filters = [{"Name": "instance-type", "Values": names[start : start + _MOST_NAMES]}]
        for row in reading.rows(_LISTING, Filters=filters):
            one = _understood(reading, row)
            if one:
                told[one.id] = one
    return told


def _understood(reading: AwsReading, row: Mapping[str, Any]) -> MachineType | None:
    try:
        return _machine_type(row)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        message = f"{type(error).__name__}: {error}"[:200]
        reading.count(MACHINE_TYPES, Reply(Outcome.FAILED, {}, UNEXPECTED, message))
        return None


def _machine_type(row: Mapping[str, Any]) -> MachineType:
    kind, model, count, mib = _accelerators(row)
    return MachineType(
        id=row["InstanceType"],
        accelerator_kind=kind,
        accelerator_model=model,
        accelerator_count=count,
        accelerator_memory_bytes=mib * MIB if mib else None,
        vcpu_count=row.get("VCpuInfo", {}).get("DefaultVCpus"),
        memory_bytes=row["MemoryInfo"]["SizeInMiB"] * MIB if "MemoryInfo" in row else None,
        rdma_interfaces=_rdma_interfaces(row.get("NetworkInfo", {})),
        source=MACHINE_TYPES,
    )


def _rdma_interfaces(network: Mapping[str, Any]) -> int | None:
    """Elastic Fabric Adapters; none only where EC2 says that it has none."""
    if network.get("EfaSupported") is False:
        return 0
    count: int | None = network.get("EfaInfo", {}).get("MaximumEfaInterfaces")
    return count


def _accelerators(row: Mapping[str, Any]) -> tuple[str | None, str, float | None, int | None]:
    """Kind, model, number of whole devices and memory of one in MiB.

    A part of a GPU has a Count of 0; LogicalGpuCount times GpuPartitionSize holds for all
    (EC2 API: GpuDeviceInfo). Trainium and Inferentia are in NeuronInfo alone. LookupError where
    parts are not counted.
    """
    gpus = row.get("GpuInfo", {}).get("Gpus", ())
    if gpus:
        count = sum(map(_whole_gpus, gpus))
        return "gpu", f"{gpus[0]['Manufacturer']} {gpus[0]['Name']}", count, _memory(gpus[0])
    devices = row.get("NeuronInfo", {}).get("NeuronDevices", ())
    if devices:
        count = sum(device["Count"] for device in devices)
        return "neuron", f"AWS {devices[0]['Name']}", count, _memory(devices[0])
    silent = may_hold_accelerators(row["InstanceType"])
    return (None, "", None, None) if silent else ("", "", 0, None)


def _whole_gpus(gpu: Mapping[str, Any]) -> float:
    logical = gpu.get("LogicalGpuCount") or gpu["Count"]
    if not logical:
        raise LookupError("a GPU is listed, and none is counted")
    whole: float = logical * gpu.get("GpuPartitionSize", 1)
    return whole


def _memory(device: Mapping[str, Any]) -> int | None:
    mib: int | None = device.get("MemoryInfo", {}).get("SizeInMiB")
    return mib
