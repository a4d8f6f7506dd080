"""Invented buckets: every fifth one breaks, misses or hides something else."""

from datetime import UTC, datetime
from typing import Any

from app.domain.collecting import ResourceSeen
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.storage import (
    AgeBasis,
    LifecycleAction,
    LifecycleRule,
    RuleEffect,
    RuleSubject,
    S3BucketFacts,
)
from app.domain.storage_exposure import BLOCK_SWITCHES

REGIONS = ("eu-west-1", "eu-central-1", "eu-south-2", "us-west-2", "us-east-1")
_COOLING = LifecycleRule(
    name="cool",
    enabled=True,
    prefixes=(),
    tags={},
    minimum_size_bytes=None,
    maximum_size_bytes=None,
    blob_types=(),
    actions=(
        LifecycleAction(
            effect=RuleEffect.TRANSITION,
            subject=RuleSubject.CURRENT,
            basis=AgeBasis.CREATION,
            after_days=30,
            storage_class="GLACIER_IR",
        ),
    ),
)
_KINDS: tuple[dict[str, Any], ...] = (
    {},
    {"versioning_status": Present("Enabled"), "lifecycle_rules": Present((_COOLING,))},
    {"lifecycle_rules": Unreadable("AccessDenied")},
    {"public_access_block": ABSENT, "versioning_status": Present("Suspended")},
    {"versioning_status": Present("Enabled")},
)


def bucket(number: int) -> ResourceSeen:
    """The bucket of a number; the same one each time."""
    name, region = f"corpus-{number:04d}", REGIONS[number % len(REGIONS)]
    known: dict[str, Any] = {
        "bucket_region": Present(region),
        "versioning_status": ABSENT,
        "mfa_delete": Present(False),
        "lifecycle_rules": ABSENT,
        "transition_default_minimum_object_size": Present("all_storage_classes_128K"),
        "replication_rules": ABSENT,
        "encryption_algorithm": Present("AES256"),
        "encryption_key_id": ABSENT,
        "public_access_block": Present(BLOCK_SWITCHES),
        "account_public_access_block": ABSENT,
        "policy_is_public": Present(False),
        "object_lock_enabled": ABSENT,
        "object_lock_mode": ABSENT,
        "object_lock_days": ABSENT,
        "inventory_configurations": ABSENT,
        "bucket_tags": Present({"team": f"team-{number % 7}"}),
        "intelligent_tiering": ABSENT,
        "metadata_tables": ABSENT,
        "metadata_table_bucket": ABSENT,
        "unfinished_upload_count": Present(0),
        "unfinished_uploads_listed_whole": Present(True),
        "oldest_listed_upload_at": ABSENT,
    }
    return ResourceSeen(
        kind=S3BucketFacts.KIND,
        immutable_id=f"{name}@2024",
        native_id=f"arn:aws:s3:::{name}",
        name=name,
        sub_account_id="123456789012",
        region_id=region,
        created_at=datetime(2024, 3, 1, tzinfo=UTC),
        tags={"team": f"team-{number % 7}"},
        facts=S3BucketFacts(**(known | _KINDS[number % len(_KINDS)])),
        scope="123456789012",
    )
