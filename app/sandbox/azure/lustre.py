"""Managed Lustre file systems of the story in ARM's shape; times in it are minutes ago."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from app.kit.clock import utc_now
from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Json
from app.sandbox.story import (
    CHECKPOINTS,
    RESEARCH,
    SWC,
    Dataset,
    Subscription,
    azure_time,
)
from app.sandbox.wire import Request

_TYPE = "Microsoft.StorageCache/amlFilesystem"
_TIMES = (
    "lastStartedTimeUTC",
    "lastCompletionTimeUTC",
    "lastSuccessfulIterationCompletionTimeUTC",
    "startTimeUTC",
    "completionTimeUTC",
    "lastStartedTime",
    "lastCompletionTime",
    "lastTimeFullySynchronized",
    "lastChangeFeedEventConsumedTime",
)


@dataclass(frozen=True, slots=True)
class Lustre:
    """One file system; `case` says what is special.

    `container` and `logs` are accounts with a container of their own, None without any. Jobs are
    as ARM shows them; times in them are minutes ago.
    """

    name: str
    case: str
    region: str = SWC
    subscription: Subscription = RESEARCH
    group: str = "rg-cierzo-swc"
    dataset: Dataset = CHECKPOINTS
    role: str = "checkpoints"
    rate: int = 500
    capacity_tib: float = 128
    now_tib: float | None = None
    health: str = "Available"
    health_text: str = "amlFilesystem is ok."
    own_key: bool = False
    container: str | None = None
    logs: str | None = None
    exports: Sequence[Json] = ()
    auto_imports: Sequence[Json] = ()
    imports: Sequence[Json] = ()
    expansions: Sequence[Json] = ()

    @property
    def resource_id(self) -> str:
        """The id as Azure Resource Manager spells it."""
        return (
            f"/subscriptions/{self.subscription.subscription_id}/resourceGroups/{self.group}"
            f"/providers/Microsoft.StorageCache/amlFilesystems/{self.name}"
        )


def _document(one: Lustre) -> Json:
    properties: Json = {
        "storageCapacityTiB": one.capacity_tib,
        "throughputProvisionedMBps": int((one.now_tib or one.capacity_tib) * one.rate),
        "health": {"state": one.health, "statusDescription": one.health_text},
        "provisioningState": "Succeeded",
        "filesystemSubnet": f"/subscriptions/{one.subscription.subscription_id}/resourceGroups/"
        f"{one.group}/providers/Microsoft.Network/virtualNetworks/vnet-hpc/subnets/lustre",
        "clientInfo": {
            "mgsAddress": "10.40.0.4",
            "mountCommand": "mount -t lustre 10.40.0.4@tcp:/lustrefs /lustre/lustrefs",
            "lustreVersion": "2.15.0",
        },
        "maintenanceWindow": {"dayOfWeek": "Sunday", "timeOfDayUTC": "04:00"},
    }
    if one.now_tib is not None:
        properties["currentStorageCapacityTiB"] = one.now_tib
    if one.own_key:
        key = {"keyUrl": "https://kv-cierzo.vault.azure.net/keys/lustre/5f1c"}
        properties["encryptionSettings"] = {"keyEncryptionKey": key}
    if one.container:
        settings = {
            "container": one.container,
            "loggingContainer": one.logs,
            "importPrefixesInitial": ["/"],
        }
        status = {"state": "Completed", "lastCompletionTime": 90, "lastStartedTime": 95}
        archives = [{"filesystemPath": "/", "status": status}]
        properties["hsm"] = {"settings": settings, "archiveStatus": archives}
    return {
        "id": one.resource_id,
        "name": one.name,
        "type": _TYPE + "s",
        "location": one.region,
        "zones": ["1"],
        "sku": {"name": f"AMLFS-Durable-Premium-{one.rate}"},
        "tags": one.dataset.tags(role=one.role),
        "properties": properties,
    }


def _jobs(one: Lustre, part: str, rows: Sequence[Json]) -> list[Json]:
    return [
        {
            "id": f"{one.resource_id}/{part}/{row['name']}",
            "type": f"{_TYPE}/{part.removesuffix('s')}",
            "location": one.region,
            **row,
        }
        for row in rows
    ]


def _dated(document: Json, _request: Request | None) -> Json:
    """The document with its minutes ago as the times that they are now."""
    now = utc_now()

    def dated(name: str, value: object) -> object:
        if isinstance(value, dict):
            return {key: dated(key, one) for key, one in value.items()}
        if isinstance(value, list):
            return [dated("", one) for one in value]
        if name in _TIMES and isinstance(value, int):
            return azure_time(now - timedelta(minutes=value))
        return value

    return {key: dated(key, value) for key, value in document.items()}


_PARTS: dict[str, Callable[[Lustre], Sequence[Json]]] = {
    "autoExportJobs": lambda one: one.exports,
    "autoImportJobs": lambda one: one.auto_imports,
    "importJobs": lambda one: one.imports,
    "expansionJobs": lambda one: one.expansions,
}


def chapter(file_systems: Iterable[Lustre]) -> Chapter:
    """The part of the story that these file systems are."""
    found = list(file_systems)
    return Chapter(
        resources=[_document(one) for one in found],
        lists={
            f"{one.resource_id}/{part}": _jobs(one, part, rows(one))
            for one in found
            for part, rows in _PARTS.items()
        },
        views={
            f"{_TYPE}{end}".lower(): _dated
            for end in ("s", "/autoExportJob", "/autoImportJob", "/importJob", "/expansionJob")
        },
        cases=[(one.name, one.region, one.case) for one in found],
    )
