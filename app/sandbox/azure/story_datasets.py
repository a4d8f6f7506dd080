"""The storage accounts that hold the story's datasets, beside the clusters in swc, weu and neu."""

from datetime import UTC, datetime

from app.sandbox.azure.model import Account, BlobService, Container, ObjectReplication
from app.sandbox.azure.rules import good, inventory_rule, rule, tiers
from app.sandbox.story import (
    CHECKPOINTS,
    CLINICAL_NOTES,
    CT_THORAX,
    EVAL_SUITE,
    NEU,
    PATHOLOGY,
    PLATFORM,
    RESEARCH,
    SPEECH,
    SWC,
    SYNTHETIC,
    WEBTEXT,
    WEU,
)

RG_SWC, RG_WEU, RG_NEU = "rg-cierzo-swc", "rg-cierzo-weu", "rg-cierzo-neu"
VERSIONED = BlobService(
    versioning=True, soft_delete_days=30, container_soft_delete_days=30, change_feed=True
)
TRACKED = BlobService(versioning=True, soft_delete_days=14, tracks_last_access=True)

SPEECH_REPLICATION = ObjectReplication(
    policy_id="7d1f0c52-3a60-4f0e-9a1b-5c0000000100",
    source=f"/subscriptions/{RESEARCH.subscription_id}/resourceGroups/RG-Cierzo-Speech"
    "/providers/Microsoft.Storage/storageAccounts/stspeechswc",
    destination=f"/subscriptions/{RESEARCH.subscription_id}/resourceGroups/RG-Cierzo-Speech"
    "/providers/Microsoft.Storage/storageAccounts/stspeechweu",
    rules=(("speech", "speech-replica", ("castellano/",)),),
    enabled_at=datetime(2025, 9, 3, 6, 0, tzinfo=UTC),
)

ACCOUNTS = (
    Account(
        "stcierzoweu",
        WEU,
        "eval-suite-es: soft delete only, versioning off",
        subscription=PLATFORM,
        tags=EVAL_SUITE.tags(environment="prod"),
        blob=BlobService(versioning=False, soft_delete_days=14),
        rules=good(["eval/"]),
        containers=(Container("eval"), Container("eval-results"), Container("notebooks")),
    ),
    Account(
        "stcierzoswc",
        SWC,
        "checkpoints-atlas beside Lustre amlfs-swc-01: cools only after 60 days",
        subscription=PLATFORM,
        resource_group=RG_SWC,
        tags=CHECKPOINTS.tags(cluster="nd-h100-swc", hsm="amlfs-swc-01"),
        blob=VERSIONED,
        rules=[rule("slow", tiers(cool=60), ["checkpoints/"])],
        containers=(
            Container("checkpoints", blobs=40),
            Container("lustre-hsm"),
            Container("lustre-logging"),
        ),
    ),
    Account(
        "stctthoraxswc",
        SWC,
        "ct-thorax replica: everything right (tiers, versions, soft delete, inventory)",
        resource_group=RG_SWC,
        tags=CT_THORAX.tags(role="replica"),
        blob=VERSIONED,
        rules=good(["ct-thorax/", "inventory/"]),
        inventory=[inventory_rule("inventory")],
        containers=(Container("ct-thorax", blobs=60), Container("inventory")),
    ),
    Account(
        "stctthoraxweu",
        WEU,
        "ct-thorax replica, geo-redundant with a readable secondary inside the EU",
        sku="Standard_RAGRS",
        tags=CT_THORAX.tags(role="replica"),
        blob=VERSIONED,
        rules=good(["ct-thorax/", "inventory/"]),
        inventory=[inventory_rule("inventory", "Csv")],
        containers=(Container("ct-thorax"), Container("inventory")),
    ),
    Account(
        "stpathologyweu",
        WEU,
        "pathology-wsi: the rules cover 2 of 5 prefixes, 418 TiB stay in Hot",
        sku="Standard_RAGRS",
        tags=PATHOLOGY.tags(role="replica"),
        blob=VERSIONED,
        rules=[
            rule(
                "two-of-five",
                tiers(cool=30, archive=180),
                ["wsi/biopsy-", "wsi/resection-"],
            )
        ],
        containers=(Container("wsi", blobs=50), Container("thumbnails")),
    ),
    Account(
        "stspeechswc",
        SWC,
        "speech-castellano primary: zone-redundant, source of an object replication",
        sku="Standard_ZRS",
        resource_group="RG-Cierzo-Speech",
        tags=SPEECH.tags(role="primary"),
        blob=VERSIONED,
        rules=[rule("cool", tiers(cool=30, cold=120), ["speech/"])],
        replications=(SPEECH_REPLICATION,),
        containers=(Container("speech", blobs=30),),
    ),
    Account(
        "stspeechweu",
        WEU,
        "speech-castellano replica: destination of the object replication, GRS to neu",
        sku="Standard_GRS",
        resource_group="RG-Cierzo-Speech",
        tags=SPEECH.tags(role="replica"),
        blob=VERSIONED,
        rules=good(["speech-replica/"]),
        replications=(SPEECH_REPLICATION,),
        containers=(Container("speech-replica", blobs=30),),
    ),
    Account(
        "stwebtextswc",
        SWC,
        "last-access rule while tracking is off: access is unknown, data in use may move (F03)",
        resource_group=RG_SWC,
        tags=WEBTEXT.tags(role="replica"),
        blob=BlobService(versioning=True),
        rules=[rule("unread", tiers(cool=30, basis="LastAccessTime"), ["webtext/"])],
        containers=(Container("webtext", blobs=36),),
    ),
    Account(
        "stsyntheticswc",
        SWC,
        "last-access rule with tracking on (F03)",
        resource_group=RG_SWC,
        tags=SYNTHETIC.tags(role="replica"),
        blob=TRACKED,
        rules=[
            rule(
                "unread",
                tiers(cool=30, cold=90, basis="LastAccessTime")
                | {"enableAutoTierToHotFromCool": True},
                ["synthetic/"],
            )
        ],
        containers=(Container("synthetic"),),
    ),
    Account(
        "stspotckptneu",
        NEU,
        "checkpoints of the Spot cluster: access tier Cool, versions expire after a day",
        subscription=PLATFORM,
        resource_group=RG_NEU,
        access_tier="Cool",
        tags=CHECKPOINTS.tags(cluster="spot-nc-neu"),
        blob=VERSIONED,
        rules=[
            rule(
                "trim-versions",
                None,
                ["spot/"],
                others={"version": tiers(delete=1, basis="Creation")},
            )
        ],
        containers=(Container("spot"),),
    ),
    Account(
        "stclinicalfrc",
        "francecentral",
        "clinical-notes-es backup: GRS to a pair inside the same country",
        sku="Standard_GRS",
        resource_group="rg-cierzo-frc",
        tags=CLINICAL_NOTES.tags(role="backup"),
        blob=VERSIONED,
        rules=good(["notes/"]),
        containers=(Container("notes", retention_days=3650),),
    ),
    Account(
        "stoncologyweu",
        WEU,
        "blob service read is denied (403): what is inside stays unknown",
        tags=CT_THORAX.tags(role="replica", study="oncology"),
        rules=good(["oncology/"]),
        containers=(Container("oncology"),),
        denied=frozenset({"arm.blobServices.get", "arm.containers.list"}),
    ),
    Account(
        "stpatienttilesneu",
        NEU,
        "230 containers: the list comes in several pages",
        resource_group=RG_NEU,
        tags=PATHOLOGY.tags(role="tiles"),
        blob=VERSIONED,
        rules=good([f"tiles-{n:03d}" for n in range(10)]),
        containers=tuple(Container(f"tiles-{n:03d}", blobs=2) for n in range(230)),
    ),
)
