"""An estate in the process's database, read by real services from a cloud that is made up."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from unittest.mock import patch

from app.collectors import aws_s3
from app.domain.access import SYSTEM
from app.domain.collecting import Connection, ListingDone, Observation, ResourceSeen, ScopeReport
from app.domain.storage import S3BucketFacts
from app.services import connections, sweep_run
from app.services.evaluate import evaluate
from app.store.session import transaction
from tests.support.runs import claim_sweep
from tests.support.stores import bucket

SCOPE = "111122223333"
CONFIG = {"credentials": {"mode": "default_chain"}, "regions": ["eu-west-1"]}


def connect(now: datetime, name: str = "aws production") -> str:
    """A connection to AWS; its id."""
    with transaction() as session:
        made = connections.create(
            session, access=SYSTEM, name=name, provider="aws", config=CONFIG, now=now
        )
    return made.id


def seen(
    name: str = "training-corpus", facts: S3BucketFacts | None = None, *, parent: str = ""
) -> ResourceSeen:
    """A bucket as a collector tells of it; `parent` is the provider's id of what it is part of."""
    return ResourceSeen(
        kind=S3BucketFacts.KIND,
        immutable_id=f"arn:aws:s3:::{name}@2026-01-01",
        native_id=f"arn:aws:s3:::{name}",
        name=name,
        sub_account_id=SCOPE,
        region_id="eu-west-1",
        created_at=datetime.fromisoformat("2026-01-01T00:00:00+00:00"),
        tags={"team": "speech"},
        facts=facts or bucket(),
        scope=SCOPE,
        parent_native_id=parent,
    )


def sweep(connection_id: str, found: Sequence[ResourceSeen], now: datetime) -> None:
    """One complete sweep that sees exactly these buckets."""

    def collect(_connection: Connection, _now: datetime) -> Iterator[Observation]:
        yield from found
        yield ListingDone(S3BucketFacts.KIND, SCOPE, complete=True)
        yield ScopeReport(SCOPE, "GetBucketVersioning", asked=len(found), answered=len(found))

    with transaction() as session:
        claimed = claim_sweep(session, connection_id, "aws_s3", now)
    with patch.object(aws_s3, "COLLECTOR", replace(aws_s3.COLLECTOR, collect=collect)):
        sweep_run.run_sweep(transaction, run=claimed, now=now, clock=lambda: now)


def judge(now: datetime) -> None:
    """All policies over everything."""
    with transaction() as session:
        evaluate(session, now=now)
