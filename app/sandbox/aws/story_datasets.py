"""The buckets that hold the story's datasets: Frankfurt, Oregon and the Qumulo hub and spoke."""

from app.sandbox.aws.model import EVERY_READ, Bucket
from app.sandbox.aws.rules import (
    copies,
    copy_rule,
    good,
    inventory,
    kms,
    metadata,
    moves,
    prefix,
    public_read,
    rule,
    tls_only,
    to_account,
)
from app.sandbox.story import (
    AWS_PARTNER,
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    C4_SAMPLE,
    CHECKPOINTS,
    CLINICAL_NOTES,
    CT_THORAX,
    FRA,
    MULTIMODAL,
    PDX,
    SYNTHETIC,
    WEBTEXT,
)

INVENTORY_BUCKET = "cierzo-inventory-fra"

BUCKETS = (
    Bucket(
        "cierzo-ct-thorax-fra",
        "ct-thorax primary: everything right (rules, versions, KMS, inventory, metadata tables)",
        tags=CT_THORAX.tags(role="primary"),
        versioning="Enabled",
        rules=good(),
        encryption=kms(),
        policy=tls_only("cierzo-ct-thorax-fra"),
        inventory=[inventory(INVENTORY_BUCKET)],
        metadata=metadata(
            AWS_RESEARCH, FRA, {"ConfigurationState": "ENABLED", "TableStatus": "ACTIVE"}
        ),
    ),
    Bucket(
        "cierzo-multimodal-radiology-fra",
        "multimodal-radiology primary, copied by prefix to another account in Oregon (allowed)",
        tags=MULTIMODAL.tags(role="primary", hub="cnq-hub-fra"),
        versioning="Enabled",
        rules=good(),
        encryption=kms(),
        replication=copies(
            AWS_RESEARCH,
            copy_rule(
                "to-oregon",
                "cierzo-multimodal-radiology-usw2",
                text="studies/",
                **to_account(AWS_TRAINING),
            ),
        ),
        inventory=[inventory(INVENTORY_BUCKET)],
    ),
    Bucket(
        "cierzo-multimodal-radiology-usw2",
        "the copy in Oregon, in the training account",
        region=PDX,
        account=AWS_TRAINING,
        tags=MULTIMODAL.tags(role="replica", spoke="cnq-spoke-pdx"),
        versioning="Enabled",
        rules=good(),
    ),
    Bucket(
        "cierzo-clinical-notes-es-fra",
        "clinical-notes-es: rules to another account (denied), to the EU, logs only to Virginia"
        " (F12)",
        tags=CLINICAL_NOTES.tags(role="replica"),
        versioning="Enabled",
        rules=good(),
        encryption=kms(),
        replication=copies(
            AWS_RESEARCH,
            copy_rule("hospital", "hospital-dr-copy", text="pii/", **to_account(AWS_PARTNER)),
            copy_rule("mirror", "cierzo-clinical-notes-es-dub", priority=2),
            copy_rule("logs", "cierzo-access-logs-use1", priority=3, text="logs/"),
        ),
        inventory=[inventory(INVENTORY_BUCKET)],
    ),
    Bucket(
        "cierzo-clinical-notes-es-dub",
        'the mirror in Ireland, made long ago: its location is "EU" (F10)',
        region="eu-west-1",
        constraint="EU",
        tags=CLINICAL_NOTES.tags(role="replica"),
        versioning="Enabled",
        rules=good(),
    ),
    Bucket(
        "cierzo-access-logs-use1",
        "access logs in Virginia: location null (F10)",
        region="us-east-1",
        account=AWS_RESEARCH,
        tags={"purpose": "access-logs", "owner": "platform"},
        versioning="Enabled",
        rules=[rule("expire", prefix(""), Expiration={"Days": 90})],
    ),
    Bucket(
        "cierzo-ckpt-usw2",
        "checkpoints of an EU-only run in Oregon; only those tagged keep=no expire",
        region=PDX,
        account=AWS_TRAINING,
        tags=CHECKPOINTS.tags(cluster="hyperpod-usw2"),
        versioning="Enabled",
        rules=[
            rule(
                "drop-tagged",
                {
                    "Filter": {
                        "And": {"Prefix": "atlas-rx/", "Tags": [{"Key": "keep", "Value": "no"}]}
                    }
                },
                Expiration={"Days": 14},
            )
        ],
    ),
    Bucket(
        "cierzo-webtext-es-ca-gl-fra",
        "webtext-es-ca-gl: the only rule is Disabled (F01); its metadata table failed",
        tags=WEBTEXT.tags(role="primary"),
        metadata=metadata(
            AWS_RESEARCH,
            FRA,
            {
                "ConfigurationState": "ENABLED",
                "TableStatus": "FAILED",
                "Error": {
                    "ErrorCode": "AccessDeniedWritingToTable",
                    "ErrorMessage": "Unable to write to the metadata table.",
                },
            },
        ),
        versioning="Enabled",
        rules=[
            rule(
                "tier",
                prefix("datasets/"),
                status="Disabled",
                Transitions=moves((30, "GLACIER_IR")),
            )
        ],
    ),
    Bucket(
        "cierzo-webtext-es-ca-gl-usw2",
        "only noncurrent versions expire, after one day: no rebuild from versions (F01)",
        region=PDX,
        account=AWS_TRAINING,
        tags=WEBTEXT.tags(role="replica"),
        versioning="Enabled",
        rules=[
            rule("trim", prefix(""), NoncurrentVersionExpiration={"NoncurrentDays": 1}),
        ],
    ),
    Bucket(
        "cierzo-synthetic-dialogues-fra",
        "the rule is for another prefix, logs/ (F01)",
        tags=SYNTHETIC.tags(role="primary"),
        versioning="Enabled",
        rules=[rule("logs", prefix("logs/"), Transitions=moves((7, "GLACIER")))],
    ),
    Bucket(
        "cierzo-synthetic-dialogues-usw2",
        "old form of rule: Prefix beside Status, no Filter, objects expire after 20 days (F01)",
        region=PDX,
        account=AWS_TRAINING,
        tags=SYNTHETIC.tags(role="replica"),
        rules=[rule("old", {"Prefix": "datasets/"}, Expiration={"Days": 20})],
    ),
    Bucket(
        "cierzo-c4-sample-usw2",
        "public by bucket policy, public access block removed",
        region=PDX,
        account=AWS_TRAINING,
        tags=C4_SAMPLE.tags(),
        rules=good(),
        public_block="removed",
        policy=public_read("cierzo-c4-sample-usw2"),
    ),
    Bucket(
        "cnq-hub-fra-qps-0",
        "persistent storage of the Qumulo hub, first of two",
        tags={"qumulo:deployment": "cnq-hub-fra", "owner": "storage"},
        encryption=kms(),
    ),
    Bucket(
        "cnq-hub-fra-qps-1",
        "persistent storage of the Qumulo hub, second of two",
        tags={"qumulo:deployment": "cnq-hub-fra", "owner": "storage"},
        encryption=kms(),
    ),
    Bucket(
        "cnq-spoke-pdx-qps-0",
        "persistent storage of the Qumulo spoke in Oregon",
        region=PDX,
        account=AWS_TRAINING,
        tags={"qumulo:deployment": "cnq-spoke-pdx", "owner": "storage"},
    ),
    Bucket(
        "sagemaker-hyperpod-usw2-lifecycle",
        "lifecycle scripts of the HyperPod cluster, never versioned: nodes cannot be rebuilt",
        region=PDX,
        account=AWS_TRAINING,
        tags={"cluster": "hyperpod-usw2", "purpose": "lifecycle-scripts"},
    ),
    Bucket(
        INVENTORY_BUCKET,
        "where inventories are delivered",
        tags={"purpose": "inventory", "owner": "platform"},
        rules=[rule("expire", prefix(""), Expiration={"Days": 60})],
    ),
    Bucket(
        "cierzo-billing-exports",
        "cost and usage reports, in Virginia (location null); only its account shuts readers out",
        region="us-east-1",
        account=AWS_PLATFORM,
        public_block="removed",
        tags={"purpose": "billing", "owner": "finops"},
        versioning="Enabled",
        object_lock=None,
        rules=[rule("slow", prefix("cur/"), Transitions=moves((180, "GLACIER")))],
    ),
    Bucket(
        "hospital-dr-copy",
        "bucket of a partner's account: nobody of ours may read it, not even its region",
        account=AWS_PARTNER,
        versioning="Enabled",
        denied=EVERY_READ,
    ),
)
