"""What one scripted S3 bucket is made of, in the words of boto3's requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from app.sandbox.story import AWS_RESEARCH, FRA, AwsAccount, created_at

Json = dict[str, Any]
EVERY_READ = frozenset({"*"})


@dataclass(frozen=True, slots=True)
class Bucket:
    """One bucket of the estate; `case` says in a line what is special about it.

    `constraint` is the LocationConstraint when it is not simply the region; `encryption` and
    `public_block` None keep what S3 gives every new bucket, "removed" takes even that away.
    `tiering`, `metadata` and `uploads` are told, not stored: moto knows none of them.
    """

    name: str
    case: str
    region: str = FRA
    account: AwsAccount = AWS_RESEARCH
    constraint: str | None = None
    tags: Mapping[str, str] | None = None
    versioning: Literal["Enabled", "Suspended"] | None = None
    rules: Sequence[Json] | None = None
    minimum_size: str | None = None
    replication: Json | None = None
    encryption: Json | Literal["removed"] | None = None
    public_block: Json | Literal["removed"] | None = None
    policy: Json | None = None
    object_lock: Json | None = None
    inventory: Sequence[Json] = ()
    tiering: Sequence[Json] = ()
    metadata: Json | None = None
    uploads: Mapping[str, datetime] = field(default_factory=dict)  # begun and not finished, by key
    denied: frozenset[str] = frozenset()  # operations of the ledger that answer AccessDenied

    @property
    def created_at(self) -> datetime:
        """When the bucket was made."""
        return created_at(self.name)

    @property
    def location(self) -> str | None:
        """The LocationConstraint as S3 tells it: None for us-east-1."""
        return self.constraint or (None if self.region == "us-east-1" else self.region)

    def denies(self, operation: str) -> bool:
        """Whether this operation of the ledger answers AccessDenied even to the bucket's owner."""
        return operation in self.denied or (self.denied == EVERY_READ and ".Put" not in operation)

    @property
    def tag_set(self) -> list[dict[str, str]]:
        """The tags as S3 lists them."""
        return [{"Key": key, "Value": value} for key, value in (self.tags or {}).items()]
