"""Buckets whose settings look right and are not, or that cannot be read in full."""

from datetime import UTC, datetime

from app.sandbox.aws.model import EVERY_READ, Bucket
from app.sandbox.aws.rules import (
    EVERYTHING,
    NEW_BUCKET_PUBLIC_BLOCK,
    copies,
    copy_rule,
    good,
    inventory,
    locked,
    moves,
    prefix,
    rule,
    tiering,
    tls_only,
)
from app.sandbox.story import (
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    CLINICAL_NOTES,
    CT_THORAX,
    EVAL_SUITE,
    MULTIMODAL,
    PATHOLOGY,
    PDX,
    SPEECH,
    WEBTEXT,
)

NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)

BUCKETS = (
    Bucket(
        "cierzo-tokenizer-corpora-dub",
        "the only rule aborts unfinished uploads (F01)",
        region="eu-west-1",
        tags=WEBTEXT.tags(),
        versioning="Enabled",
        rules=[
            rule("uploads", prefix(""), AbortIncompleteMultipartUpload={"DaysAfterInitiation": 7})
        ],
    ),
    Bucket(
        "cierzo-radiology-exports-fra",
        "cools after 90 days where 30 are promised (F01)",
        tags=MULTIMODAL.tags(),
        versioning="Enabled",
        rules=[rule("late", prefix(""), Transitions=moves((90, "GLACIER_IR")))],
    ),
    Bucket(
        "cierzo-pathology-wsi-fra",
        "the rule's prefix is narrower than the dataset's (F01)",
        tags=PATHOLOGY.tags(),
        versioning="Enabled",
        rules=[
            rule("raw-only", prefix("datasets/pathology-wsi/raw-"), Expiration={"Days": 10}),
        ],
    ),
    Bucket(
        "cierzo-speech-castellano-dub",
        "a prefix without a slash at its end, Intelligent-Tiering at once (F01), archived after 90"
        " days without access",
        region="eu-west-1",
        tiering=[tiering("archive", (90, "ARCHIVE_ACCESS"), (180, "DEEP_ARCHIVE_ACCESS"))],
        tags=SPEECH.tags(),
        versioning="Enabled",
        rules=[
            rule(
                "tier",
                prefix("datasets/speech-castellano"),
                Transitions=moves((0, "INTELLIGENT_TIERING")),
            )
        ],
    ),
    Bucket(
        "cierzo-eval-images-fra",
        "objects under 128 KB never move by default (F02)",
        tags=EVAL_SUITE.tags(),
        versioning="Enabled",
        rules=[rule("ia", prefix("imgs/"), Transitions=moves((30, "STANDARD_IA")))],
    ),
    Bucket(
        "cierzo-eval-images-sized-fra",
        "the rule's own size filter lifts the 128 KB minimum (F02)",
        tags=EVAL_SUITE.tags(),
        versioning="Enabled",
        rules=[
            rule(
                "ia",
                {"Filter": {"And": {"Prefix": "imgs/", "ObjectSizeGreaterThan": 1}}},
                Transitions=moves((30, "STANDARD_IA")),
            )
        ],
    ),
    Bucket(
        "cierzo-tokens-varies-fra",
        "the bucket's minimum varies by storage class: small objects do reach Glacier (F02)",
        tags=WEBTEXT.tags(),
        versioning="Enabled",
        minimum_size="varies_by_storage_class",
        rules=[rule("glacier", prefix(""), Transitions=moves((30, "GLACIER")))],
    ),
    Bucket(
        "cierzo-shards-large-fra",
        "only objects of a size range move: small and huge ones stay",
        tags=CT_THORAX.tags(),
        versioning="Enabled",
        rules=[
            rule(
                "range",
                {
                    "Filter": {
                        "And": {
                            "ObjectSizeGreaterThan": 1_048_576,
                            "ObjectSizeLessThan": 1_099_511_627_776,
                        }
                    }
                },
                Transitions=moves((30, "GLACIER_IR")),
            )
        ],
    ),
    Bucket(
        "cierzo-labels-tagged-fra",
        "rule by one tag alone: untagged objects stay",
        tags=CT_THORAX.tags(),
        versioning="Enabled",
        rules=[
            rule(
                "cold",
                {"Filter": {"Tag": {"Key": "cold", "Value": "yes"}}},
                Transitions=moves((30, "GLACIER_IR")),
            )
        ],
    ),
    Bucket(
        "cierzo-atlas-eval-usw2",
        "delete-everything rule on a bucket without versions",
        region=PDX,
        account=AWS_TRAINING,
        tags=EVAL_SUITE.tags(),
        rules=[rule("wipe", EVERYTHING, Expiration={"Days": 1})],
    ),
    Bucket(
        "cierzo-campaign-2025-fra",
        "rules by date and of delete markers only",
        tags=WEBTEXT.tags(),
        versioning="Enabled",
        rules=[
            rule(
                "new-year",
                prefix("campaign/"),
                Transitions=[{"Date": NEW_YEAR, "StorageClass": "GLACIER"}],
            ),
            rule("markers", prefix(""), Expiration={"ExpiredObjectDeleteMarker": True}),
        ],
    ),
    Bucket(
        "cierzo-curated-v2-fra",
        "versioning suspended: new writes replace the null version",
        tags=MULTIMODAL.tags(),
        versioning="Suspended",
        rules=good(),
    ),
    Bucket(
        "cierzo-labels-raw-fra",
        "never versioned, no lifecycle, no tags; uploads left unfinished for two years",
        uploads={
            "labels/batch-07.tar": datetime(2024, 11, 5, 22, 14, 3, tzinfo=UTC),
            "labels/batch-08.tar": datetime(2025, 2, 17, 3, 40, 51, tzinfo=UTC),
        },
    ),
    Bucket(
        "cierzo-mirror-off-fra",
        "the only replication rule is disabled; what it copied to Oregon remains there",
        tags=CLINICAL_NOTES.tags(),
        versioning="Enabled",
        rules=good(),
        replication=copies(
            AWS_RESEARCH,
            copy_rule("was-oregon", "cierzo-webtext-es-ca-gl-usw2", status="Disabled"),
        ),
    ),
    Bucket(
        "cierzo-mirror-v1-dub",
        "replication without Filter: delete markers go along",
        region="eu-west-1",
        tags=SPEECH.tags(),
        versioning="Enabled",
        rules=good(),
        replication=copies(
            AWS_RESEARCH,
            {
                "ID": "all",
                "Status": "Enabled",
                "Prefix": "",
                "Destination": {"Bucket": "arn:aws:s3:::cierzo-ct-thorax-fra"},
            },
        ),
    ),
    Bucket(
        "cierzo-evidence-fra",
        "object lock in compliance mode for ten years",
        tags=EVAL_SUITE.tags(purpose="evidence"),
        versioning="Enabled",
        object_lock=locked("COMPLIANCE", 3650),
        rules=[rule("cool", EVERYTHING, Transitions=moves((30, "GLACIER_IR")))],
        inventory=[inventory("cierzo-inventory-fra")],
    ),
    Bucket(
        "cierzo-worm-plain-fra",
        "object lock without a default retention: nothing is locked unless asked",
        tags=EVAL_SUITE.tags(),
        versioning="Enabled",
        object_lock=locked(),
        rules=good(),
    ),
    Bucket(
        "cierzo-halfopen-fra",
        "the public access block is only half on",
        tags=SPEECH.tags(),
        versioning="Enabled",
        rules=good(),
        public_block=NEW_BUCKET_PUBLIC_BLOCK
        | {"BlockPublicPolicy": False, "RestrictPublicBuckets": False},
        policy=tls_only("cierzo-halfopen-fra"),
    ),
    Bucket(
        "cierzo-oldstore-mad",
        "no encryption is configured, as old S3-compatible stores answer",
        region="eu-south-2",
        tags=PATHOLOGY.tags(),
        versioning="Enabled",
        rules=good(),
        encryption="removed",
    ),
    Bucket(
        "cierzo-oncology-vault-fra",
        "lifecycle, replication and inventory are denied, the rest is not (F13)",
        tags=CT_THORAX.tags(study="oncology"),
        versioning="Enabled",
        rules=good(),
        denied=frozenset(
            {
                "s3.GetBucketLifecycleConfiguration",
                "s3.GetBucketReplication",
                "s3.ListBucketInventoryConfigurations",
            }
        ),
    ),
    Bucket(
        "cierzo-partner-inbox-fra",
        "every read is denied, even the location (F10, F13)",
        tags=CLINICAL_NOTES.tags(),
        versioning="Enabled",
        rules=good(),
        denied=EVERY_READ,
    ),
    Bucket(
        "cierzo-tags-fra",
        "hostile tags: markup, formulas, emoji, very long values (F30)",
        tags={
            "note": "<script>alert('cierzo')</script>",
            "formula": '=HYPERLINK("http://203.0.113.9/","open")',
            "phone": "+34 976 000 000",
            "owner": "@radiología 🫁",
            "delta": "-1+2",
            "k" * 128: "v" * 256,
            "empty": "",
        },
        versioning="Enabled",
        rules=good(),
    ),
    Bucket(
        "cierzo-platform-artifacts",
        "all right, but inventories go to a bucket that is its own",
        region="eu-west-1",
        account=AWS_PLATFORM,
        tags={"owner": "platform"},
        versioning="Enabled",
        rules=good(),
        inventory=[inventory("cierzo-platform-artifacts", AWS_PLATFORM)],
    ),
)
