"""Invents buckets from their number alone: a big estate needs no memory."""

import re

from app.sandbox.aws.model import Bucket, Json
from app.sandbox.aws.rules import EVERYTHING, copies, copy_rule, good, kms, moves, prefix, rule
from app.sandbox.story import AWS_PLATFORM, AWS_RESEARCH, AWS_TRAINING, DATASETS, mixed

PREFIX = "zz-fill-"  # sorts behind every scripted name
_NAME = re.compile(rf"{PREFIX}(\d{{7}})")
ACCOUNTS = (AWS_RESEARCH, AWS_TRAINING, AWS_PLATFORM)
_REGIONS = ("eu-central-1", "us-west-2", "eu-west-1", "us-east-1", "eu-south-2")
_TAGS = (None, *(dataset.tags() for dataset in DATASETS))
# none, right, off, for other data, only old versions, deleting everything
_RULES: tuple[list[Json] | None, ...] = (
    None,
    good(),
    [rule("off", prefix(""), status="Disabled", Transitions=moves((30, "GLACIER")))],
    [rule("logs", prefix("logs/"), Transitions=moves((30, "GLACIER")))],
    [rule("trim", prefix(""), NoncurrentVersionExpiration={"NoncurrentDays": 1})],
    [rule("wipe", EVERYTHING, Expiration={"Days": 1})],
)


def name_of(number: int) -> str:
    """The bucket name of a number from 0 to 9,999,999."""
    return f"{PREFIX}{number:07d}"


def number_of(name: str) -> int | None:
    """The number in a name, or None when it is not one of these."""
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else None


def bucket(number: int) -> Bucket:
    """The bucket of that number; the same in every process."""
    dice = mixed(f"bucket {number}")
    account = ACCOUNTS[number % len(ACCOUNTS)]
    versioning = ("Enabled", "Enabled", "Suspended", None)[dice // 7 % 4]
    copied = versioning == "Enabled" and dice % 5 == 0
    return Bucket(
        name_of(number),
        "filling",
        region=_REGIONS[dice // 11 % len(_REGIONS)],
        account=account,
        tags=_TAGS[dice // 13 % len(_TAGS)],
        versioning=versioning,  # type: ignore[arg-type] # a tuple of literals loses them
        rules=_RULES[dice // 17 % len(_RULES)],
        encryption=kms(account) if dice // 19 % 3 == 0 else None,
        replication=copies(account, copy_rule("all", "cierzo-ct-thorax-fra")) if copied else None,
        public_block="removed" if dice // 23 % 9 == 0 else None,
    )
