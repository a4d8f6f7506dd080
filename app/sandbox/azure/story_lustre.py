"""The Managed Lustre file systems of the story: what gets to Blob, how late, and where it lies."""

from app.sandbox.azure.lustre import Lustre, chapter
from app.sandbox.azure.model import Json
from app.sandbox.story import (
    AMERICAS,
    CLINICAL_NOTES,
    CT_THORAX,
    PLATFORM,
    RESEARCH,
    SYNTHETIC,
    WEBTEXT,
    WEU,
    Subscription,
)


def _account(subscription: Subscription, group: str, name: str) -> str:
    return (
        f"/subscriptions/{subscription.subscription_id}/resourceGroups/{group}"
        f"/providers/Microsoft.Storage/storageAccounts/{name}"
    )


_SWC_ACCOUNT = _account(PLATFORM, "rg-cierzo-swc", "stcierzoswc")
_GEO_ACCOUNT = _account(RESEARCH, "rg-cierzo-chn", "stclinicalchn")
_GONE_ACCOUNT = _account(RESEARCH, "rg-cierzo-weu", "stlustregone")
_LOGS_ACCOUNT = _account(RESEARCH, "rg-cierzo-swc", "stctthoraxswc")


def _export(name: str = "checkpoints", **status: object) -> Json:
    enabled = status.pop("enabled", True)
    return {
        "name": name,
        "properties": {
            "adminStatus": "Enable" if enabled else "Disable",
            "autoExportPrefixes": [status.pop("prefix", "/")],
            "provisioningState": "Succeeded",
            "status": {
                "state": "InProgress" if enabled else "Disabled",
                "statusMessage": "Auto Export is in progress",
                "exportIterationCount": 812,
                "currentIterationFilesDiscovered": 1408,
                "currentIterationFilesExported": 1300,
                "currentIterationFilesFailed": 0,
                "currentIterationMiBDiscovered": 933_888,
                "currentIterationMiBExported": 917_504,
                "totalFilesExported": 1_204_113,
                "totalFilesFailed": 0,
                "totalMiBExported": 812_408_832,
                "lastStartedTimeUTC": 60 * 24 * 20,
                "lastSuccessfulIterationCompletionTimeUTC": 4,
                **status,
            },
        },
    }


_SYNCED: Json = {
    "name": "datasets",
    "properties": {
        "adminStatus": "Enable",
        "autoImportPrefixes": ["/"],
        "conflictResolutionMode": "OverwriteAlways",
        "enableDeletions": True,
        "maximumErrors": -1,
        "provisioningState": "Succeeded",
        "status": {
            "state": "InProgress",
            "lastStartedTimeUTC": 60 * 24 * 20,
            "scanStartTime": "2026-11-10T08:00:00.0000000Z",
            "totalErrors": 0,
            "totalConflicts": 0,
            "totalBlobsImported": 2_400_118,
            "blobSyncEvents": {"lastTimeFullySynchronized": 2, "importedFiles": 8_204},
        },
    },
}
_IMPORTED: Json = {
    "name": "first",
    "properties": {
        "provisioningState": "Succeeded",
        "importPrefixes": ["/"],
        "conflictResolutionMode": "Skip",
        "maximumErrors": 0,
        "status": {
            "state": "Completed",
            "statusMessage": "Import job completed successfully",
            "totalBlobsWalked": 2_391_914,
            "totalBlobsImported": 2_391_914,
            "totalErrors": 0,
            "totalConflicts": 11,
            "lastStartedTime": 60 * 24 * 21,
            "lastCompletionTime": 60 * 24 * 21 - 40,
        },
    },
}


def _expansion(name: str, state: str, tib: int, percent: int, **times: object) -> Json:
    return {
        "name": name,
        "properties": {
            "newStorageCapacityTiB": tib,
            "provisioningState": "Failed" if state == "Failed" else "Succeeded",
            "status": {"state": state, "percentComplete": percent, **times},
        },
    }


FILE_SYSTEMS = (
    Lustre(
        "amlfs-swc-01",
        "checkpoints of nd-h100-swc: exported some minutes ago, container beside it: all is right",
        capacity_tib=96,
        now_tib=128,
        container=f"{_SWC_ACCOUNT}/blobServices/default/containers/lustre-hsm",
        logs=f"{_SWC_ACCOUNT}/blobServices/default/containers/lustre-logging",
        exports=[_export()],
        auto_imports=[_SYNCED],
        imports=[_IMPORTED],
        expansions=[
            _expansion(
                "to-112",
                "Failed",
                112,
                0,
                statusCode="InsufficientCapacity",
                statusMessage="Insufficient capacity available in the region.",
                startTimeUTC=60 * 24 * 9,
                completionTimeUTC=60 * 24 * 9 - 5,
            ),
            _expansion(
                "to-128",
                "Completed",
                128,
                100,
                startTimeUTC=60 * 24 * 7,
                completionTimeUTC=60 * 24 * 7 - 110,
            ),
            _expansion("to-104", "Failed", 104, 0, startTimeUTC=60 * 24 * 12),
        ],
    ),
    Lustre(
        "amlfs-swc-notes",
        "its container's account is geo-redundant in Switzerland; exports are six hours behind",
        dataset=CLINICAL_NOTES,
        rate=250,
        capacity_tib=16,
        own_key=True,
        container=f"{_GEO_ACCOUNT}/blobServices/default/containers/notes",
        logs=f"{_GEO_ACCOUNT}/blobServices/default/containers/logs",
        exports=[
            _export(
                "all",
                currentIterationMiBDiscovered=15_728_640,
                currentIterationMiBExported=1_048_576,
                totalFilesFailed=214,
                lastSuccessfulIterationCompletionTimeUTC=60 * 6,
            )
        ],
    ),
    Lustre(
        "amlfs-swc-thorax",
        "exports were switched off in October, and its logs lie in another account",
        dataset=CT_THORAX,
        role="primary",
        rate=125,
        capacity_tib=32,
        container=f"{_SWC_ACCOUNT}/blobServices/default/containers/lustre-hsm",
        logs=f"{_LOGS_ACCOUNT}/blobServices/default/containers/logs",
        exports=[
            _export(
                "old",
                enabled=False,
                lastCompletionTimeUTC=60 * 24 * 40,
                lastSuccessfulIterationCompletionTimeUTC=60 * 24 * 40,
            )
        ],
    ),
    Lustre(
        "amlfs-weu-scratch",
        "made without a container: what is written there is nowhere else, and that cannot be added",
        region=WEU,
        group="rg-cierzo-weu",
        dataset=WEBTEXT,
        role="scratch",
        rate=40,
        capacity_tib=48,
        health="Degraded",
        health_text="A storage server is being replaced.",
    ),
    Lustre(
        "amlfs-weu-lost",
        "the account of its container is gone, its export failed for good, its growth is stuck",
        region=WEU,
        group="rg-cierzo-weu",
        dataset=SYNTHETIC,
        capacity_tib=8,
        now_tib=8,
        health="Expanding",
        health_text="The file system is being expanded.",
        container=f"{_GONE_ACCOUNT}/blobServices/default/containers/hsm",
        logs=f"{_GONE_ACCOUNT}/blobServices/default/containers/logs",
        exports=[
            _export(
                "all",
                state="Failed",
                statusMessage="The container could not be reached.",
                lastSuccessfulIterationCompletionTimeUTC=60 * 24 * 3,
            )
        ],
        expansions=[
            _expansion(
                "to-12",
                "InProgress",
                12,
                45,
                statusMessage="Expansion is in progress",
                startTimeUTC=60 * 24 * 4,
            )
        ],
    ),
    Lustre(
        "amlfs-labs-scus",
        "a new export that has not ended one pass yet",
        region="southcentralus",
        subscription=AMERICAS,
        group="rg-labs-scus",
        dataset=WEBTEXT,
        role="primary",
        capacity_tib=4,
        container=_account(AMERICAS, "rg-labs-scus", "stlabsscus")
        + "/blobServices/default/containers/lustre",
        logs=_account(AMERICAS, "rg-labs-scus", "stlabsscus")
        + "/blobServices/default/containers/lustre-logs",
        exports=[
            _export(
                "all",
                exportIterationCount=0,
                lastStartedTimeUTC=25,
                lastSuccessfulIterationCompletionTimeUTC=None,
            )
        ],
    ),
)

CHAPTER = chapter(FILE_SYSTEMS)
