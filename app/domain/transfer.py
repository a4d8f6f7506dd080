"""What follows from the facts of any transfer of data, in the same words for every system."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

SUCCEEDED, FAILED, NEVER = "succeeded", "failed", "never"
# The code of an outcome that nobody knows yet. What the run before came to says nothing of it.
STILL_RUNNING = "StillRunning"


@dataclass(frozen=True, slots=True)
class TransferEnd:
    """One end of a transfer: `system` such as s3, efs, fsx-lustre, nfs, smb, azure-blob.

    `store` is the bucket, file system or server, `path` the part of it. `region_id` and `zone`
    None: on premises, another cloud, or not known.
    """

    system: str
    store: str
    path: str
    region_id: str | None
    zone: str | None


@dataclass(frozen=True, slots=True)
class TransferFacts(FactDocument):
    """Derived facts of a transfer."""

    KIND: ClassVar[str] = "transfer"

    source: Fact[TransferEnd] = fact("What is read.", "derived")
    destination: Fact[TransferEnd] = fact("What is written.", "derived")
    source_region: Fact[str] = fact(
        "Region that is read; absent when it is none of this cloud.", "derived"
    )
    source_zone: Fact[str] = fact("Legal zone of that region.", "derived")
    destination_region: Fact[str] = fact(
        "Region that is written; absent when it is none of this cloud.", "derived"
    )
    destination_zone: Fact[str] = fact("Legal zone of that region.", "derived")
    runs_by_itself: Fact[bool] = fact("It has a schedule that is on.", "derived")
    schedule_given_up: Fact[bool] = fact(
        "Its schedule was switched off by the service, because it kept failing.", "derived"
    )
    last_run: Fact[str] = fact(
        "succeeded, failed or never; unreadable (StillRunning) until the newest run ends.",
        "derived",
    )
    last_run_at: Fact[datetime] = fact("When the newest run began.", "derived")
    last_run_bytes: Fact[int] = fact("Bytes that the newest run wrote.", "derived")
