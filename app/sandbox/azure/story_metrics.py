"""What Azure Monitor measured in the story: made from name and time alone, so always the same."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.sandbox.azure.model import Json
from app.sandbox.story import mixed

TIB, GIB, HOUR = 2**40, 2**30, 3600
Parts = Mapping[str, str]
Value = Callable[[Json, Parts, int, int], float | None]
# Nobody has mounted it for weeks; it is paid for all the same.
IDLE_LUSTRE = "amlfs-weu-scratch"
# Azure tells of the day before, hours after its end.
_SIZES_LATE_SECONDS = 6 * HOUR
_TIERS = ("Hot", "Cool", "Cold", "Archive", "Standard", "Untiered")
# The one workspace whose GPUs run anything.
_BUSY_WORKSPACE = "mlw-atlas"
_GPU_NODES = ("nd-h100/node-0", "nd-h100/node-1")
# A point out of so many is missing, as happens.
_MISSING_ONE_IN = 11


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a type: `value(document, parts, at, end)` is None where there is no point.

    `parts` are the combinations of dimensions that a resource has.
    """

    name: str
    unit: str
    value: Value
    parts: Callable[[Json], Sequence[Parts]] = lambda _: ({},)
    dimensions: tuple[str, ...] = ()
    grains: tuple[str, ...] = ("PT1M", "PT5M", "PT15M", "PT30M", "PT1H", "PT6H", "PT12H", "P1D")


def _share(document: Json, parts: Parts, at: int = 0) -> float:
    return mixed(f"{document['name']} {sorted(parts.items())} {at}") / 2**32


def _percent(low: float, high: float) -> Value:
    def value(document: Json, parts: Parts, at: int, _: int) -> float | None:
        if _is_off(document) or mixed(f"{document['name']} {at}") % _MISSING_ONE_IN == 0:
            return None
        return round(low + (high - low) * _share(document, parts, at), 2)

    return value


def _is_off(document: Json) -> bool:
    """A machine that does not run is not measured."""
    statuses = document["properties"].get("instanceView", {}).get("statuses", [])
    return any(one["code"] in ("PowerState/deallocated", "PowerState/stopped") for one in statuses)


def _tiers(_: Json) -> Sequence[Parts]:
    return [{"Tier": tier} for tier in _TIERS]


def _blobs(unit_bytes: float) -> Value:
    def value(document: Json, parts: Parts, at: int, end: int) -> float | None:
        if at >= end - _SIZES_LATE_SECONDS:
            return None
        if parts["Tier"] in ("Standard", "Untiered"):
            return 0.0
        day = at // (24 * HOUR)
        grown = 1 + 0.0001 * (day - 20_000)
        return float(round(_share(document, parts) * grown * 40 * TIB / unit_bytes))

    return value


def _capacity(document: Json) -> float:
    return float(document["properties"]["storageCapacityTiB"]) * TIB


def _osts(document: Json) -> Sequence[Parts]:
    return [{"ostnum": str(n)} for n in range(max(1, round(_capacity(document) / (16 * TIB))))]


def _mdts(_: Json) -> Sequence[Parts]:
    return ({"mdtnum": "0"},)


def _ost_bytes(*, used: bool) -> Value:
    def value(document: Json, parts: Parts, at: int, _: int) -> float | None:
        if parts == {"ostnum": "0"} and at % (7 * 300) == 0:
            return None  # one of them is late now and then
        whole = _capacity(document) / len(_osts(document))
        share = 0.4 + 0.4 * _share(document, parts)
        return float(round(whole * (share if used else 1 - share)))

    return value


def _mdt_bytes(*, used: bool) -> Value:
    return lambda document, parts, _, __: float(
        round(600 * GIB * (0.2 if used else 0.8) * (0.5 + _share(document, parts)))
    )


def _traffic(document: Json, parts: Parts, at: int, _: int) -> float | None:
    return 0.0 if _is_idle(document) else float(round(2e9 * _share(document, parts, at)))


def _clients(document: Json, *_: object) -> float | None:
    return 0.0 if _is_idle(document) else 8.0


def _is_idle(document: Json) -> bool:
    return bool(document["name"] == IDLE_LUSTRE)


def _gpus(document: Json) -> Sequence[Parts]:
    if document["name"] != _BUSY_WORKSPACE:
        return ()
    return [
        {"ComputeName": node.split("/")[0], "InstanceId": node.split("/")[1], "DeviceId": str(gpu)}
        for node in _GPU_NODES
        for gpu in range(4)
    ]


def _of_limit(name: str, low: float, high: float) -> Value:
    """A share of what a pool or volume may hold; of an empty one nothing."""

    def value(document: Json, parts: Parts, *_: int) -> float | None:
        if document["name"].endswith("empty"):
            return 0.0 if low < 1 else float(document["properties"][name])
        share = low + (high - low) * _share(document, parts)
        return float(round(document["properties"][name] * share))

    return value


_CPU = (Metric("Percentage CPU", "Percent", _percent(8, 92)),)
_OST, _MDT = ("ostnum",), ("mdtnum",)
_GPU_WORDS = ("RunId", "InstanceId", "DeviceId", "ComputeName")
_HOURS = ("PT1H",)
_POOLS = "microsoft.netapp/netappaccounts/capacitypools"
METRICS: Mapping[str, tuple[Metric, ...]] = {
    "microsoft.compute/virtualmachines": _CPU,
    "microsoft.compute/virtualmachinescalesets": _CPU,
    "microsoft.storage/storageaccounts/blobservices": (
        Metric("BlobCapacity", "Bytes", _blobs(1), _tiers, ("BlobType", "Tier"), _HOURS),
        Metric("BlobCount", "Count", _blobs(64 * 2**20), _tiers, ("BlobType", "Tier"), _HOURS),
    ),
    "microsoft.storagecache/amlfilesystems": (
        Metric("OSTBytesUsed", "Bytes", _ost_bytes(used=True), _osts, _OST),
        Metric("OSTBytesAvailable", "Bytes", _ost_bytes(used=False), _osts, _OST),
        Metric("OSTConnectedClients", "Count", _clients, _osts, _OST),
        Metric("ClientReadThroughput", "BytesPerSecond", _traffic, _osts, _OST),
        Metric("ClientWriteThroughput", "BytesPerSecond", _traffic, _osts, _OST),
        Metric("MDTBytesUsed", "Bytes", _mdt_bytes(used=True), _mdts, _MDT),
        Metric("MDTBytesAvailable", "Bytes", _mdt_bytes(used=False), _mdts, _MDT),
    ),
    "microsoft.machinelearningservices/workspaces": (
        # A percentage, whatever its unit says.
        Metric("GpuUtilizationPercentage", "Count", _percent(20, 99), _gpus, _GPU_WORDS),
        Metric("GpuMemoryUtilizationPercentage", "Count", _percent(40, 90), _gpus, _GPU_WORDS),
    ),
    _POOLS: (
        Metric("VolumePoolAllocatedSize", "Bytes", _of_limit("size", 1, 1)),
        Metric("VolumePoolTotalLogicalSize", "Bytes", _of_limit("size", 0.2, 0.7)),
    ),
    f"{_POOLS}/volumes": (
        Metric("VolumeLogicalSize", "Bytes", _of_limit("usageThreshold", 0.2, 0.7)),
        Metric("VolumeSnapshotSize", "Bytes", _of_limit("usageThreshold", 0.01, 0.05)),
    ),
}
