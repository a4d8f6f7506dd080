"""Two connections alike: what one of them has, and what a caller limited to the other could guess.

Each holds an account, buckets, clusters with a machine, a file system and samples.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from types import ModuleType

from sqlalchemy import select

from app.collectors import aws_accounts, aws_cloudwatch, aws_eks, aws_fsx, aws_hyperpod, aws_s3
from app.domain.access import SYSTEM
from app.domain.collecting import (
    ListingDone,
    Observation,
    ResourceSeen,
    SamplesSeen,
    ScopeReport,
)
from app.domain.facts import FactDocument
from app.domain.paging import PageRequest
from app.domain.samples import SERIES, Sample, Series, Statistic, Unit
from app.domain.storage import S3BucketFacts
from app.domain.sub_accounts import AwsAccountFacts
from app.services.evaluate import evaluate
from app.store.models.work import RunRow
from app.store.queries import compliance, connections, inventory, samples
from app.store.queries.compliance import FindingFilter
from app.store.queries.inventory import ResourceFilter
from app.store.session import transaction
from tests.support import web_clusters
from tests.support.documents import filled
from tests.support.stores import bucket
from tests.support.web_estate import sweep


@dataclass(frozen=True)
class Known:
    """Ids of what one connection has, of each kind one, first the machine that is measured.

    `words` are in its names, tags and messages alone.
    """

    connection_id: str
    resource_ids: tuple[str, ...]
    finding_id: str
    sweep_id: str
    run_id: str
    series_id: str
    words: tuple[str, ...]

    def values(self, name: str) -> tuple[str, ...]:
        """What may stand in an address for the parameter of that name; () for unknown names."""
        if name in {"resource", "resource_id"}:
            return self.resource_ids
        synonym = {"number": "finding_id", "connection": "connection_id", "sweep": "sweep_id"}
        found = getattr(self, synonym.get(name, name), ())
        return (found,) if isinstance(found, str) else ()


def fill(connection_id: str, account: str, word: str, now: datetime) -> Known:
    """Sweeps the connection an hour ago, judges it, and tells what it has."""
    for collector, read in _observed(account, word, now):
        sweep(connection_id, collector, partial(iter, tuple(read)), now - timedelta(hours=1))
    with transaction() as session:
        evaluate(session, now=now - timedelta(minutes=30))
    return _known(connection_id, (word, account))


def _observed(
    account: str, word: str, now: datetime
) -> Iterator[tuple[ModuleType, Iterator[Observation]]]:
    yield aws_accounts, _accounts(account, word)
    yield aws_s3, _buckets(account, word)
    yield aws_hyperpod, web_clusters.hyperpod(account, f"{word} pod")
    yield aws_eks, web_clusters.eks(account)
    yield aws_fsx, web_clusters.fsx(account)
    yield aws_cloudwatch, _samples(account, now)


def _accounts(account: str, word: str) -> Iterator[Observation]:
    facts = filled(
        AwsAccountFacts,
        account_state="ACTIVE",
        is_own_account=True,
        enabled_regions=("eu-west-1", "us-west-2"),
        disabled_regions=(),
    )
    yield _seen(account, account, f"{word} research", facts)
    yield ListingDone(AwsAccountFacts.KIND, account, complete=True)
    yield ScopeReport(
        account, "organizations:ListAccounts", asked=2, answered=1, denied=1,
        code="AccessDeniedException", message=f"{word} may not",
    )  # fmt: skip


def _buckets(account: str, word: str) -> Iterator[Observation]:
    for name in (f"{word}-corpus", f"{word}-notes"):
        yield _seen(account, f"arn:aws:s3:::{name}", name, bucket())
    yield ListingDone(S3BucketFacts.KIND, account, complete=True)


def _samples(account: str, now: datetime) -> Iterator[Observation]:
    """Of the first machine, under an id that does not tell whose it is."""
    series = Series(
        account, "us-west-2", "instance", "1", "gpu_util_percent", Unit.PERCENT,
        "cloudwatch:ContainerInsights/node_gpu_utilization", Statistic.AVERAGE, 300,
    )  # fmt: skip
    at = now - timedelta(hours=2)
    yield SamplesSeen(series, (Sample(at, 41.5, 5), Sample(at + timedelta(minutes=5), 42.5, 5)))
    yield ListingDone(SERIES, account, complete=True)


def _seen(account: str, native_id: str, name: str, facts: FactDocument) -> ResourceSeen:
    return ResourceSeen(
        kind=facts.KIND,
        immutable_id=native_id,
        native_id=native_id,
        name=name,
        sub_account_id=account,
        region_id="eu-west-1",
        created_at=None,
        tags={"owner": name},
        facts=facts,
        scope=account,
    )


def _known(connection_id: str, words: tuple[str, ...]) -> Known:
    with transaction(readonly=True) as session:
        where = ResourceFilter(connection_id=connection_id)
        found = inventory.search_resources(
            session, access=SYSTEM, where=where, page=PageRequest(limit=100)
        ).items
        machine = next(item for item in found if item.name == "node-1")
        (series,) = samples.list_series(session, access=SYSTEM, resource_id=machine.id)
        findings = compliance.search_findings(
            session, access=SYSTEM, where=FindingFilter(connection_id=connection_id)
        )
        swept = connections.list_sweeps(session, access=SYSTEM, connection_id=connection_id)
        run = select(RunRow.id).where(RunRow.subject.startswith(connection_id)).limit(1)
        of_kinds = {item.kind: item.id for item in found if item.kind != machine.kind}
        return Known(
            connection_id=connection_id,
            resource_ids=(machine.id, *of_kinds.values()),
            finding_id=findings.items[0].id,
            sweep_id=swept.items[0].id,
            run_id=str(session.scalars(run).one()),
            series_id=str(series.id),
            words=words,
        )
