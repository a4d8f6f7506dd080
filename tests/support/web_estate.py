"""An estate for the pages: two clouds with every state that a page can show, hostile names too."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from types import ModuleType
from typing import Any
from unittest.mock import patch

import sqlalchemy

from app.collectors import (
    aws_accounts,
    aws_eks,
    aws_fsx,
    aws_hyperpod,
    aws_s3,
    aws_s3_access,
    azure_blob,
)
from app.domain.access import SYSTEM
from app.domain.collecting import (
    Connection,
    ListingDone,
    Observation,
    ResourceSeen,
    ScopeReport,
)
from app.domain.facts import ABSENT, FactDocument, Present, Unreadable
from app.domain.hyperpod import HyperpodClusterFacts
from app.domain.paging import PageRequest
from app.domain.storage import AgeBasis, ReplicationRule, RuleSubject, S3BucketFacts
from app.domain.storage_accounts import AzureStorageAccountFacts
from app.domain.sub_accounts import AwsAccountFacts
from app.domain.weeks import week_of
from app.kit.errors import CollectorError
from app.kit.settings import settings
from app.services import connections, findings, reports, sweep_run
from app.services.evaluate import evaluate
from app.store.models.work import RunRow
from app.store.queries import compliance, inventory
from app.store.session import transaction
from tests.support import web_clusters, web_jobs
from tests.support.runs import claim_sweep
from tests.support.stores import account, bucket, delete, move, replication, rule, rules

HOSTILE = "<img src=x onerror=alert(1)>\"'"
ACCOUNT = "111122223333"
SUBSCRIPTION = "c1e72000-0000-4000-8000-00000000000a"
AWS = {"credentials": {"mode": "default_chain"}, "regions": ["eu-west-1"]}
AZURE = {"credentials": {"mode": "managed_identity"}, "subscriptions": [SUBSCRIPTION]}
_OLD = delete(
    365, subject=RuleSubject.NONCURRENT, basis=AgeBasis.REPLACEMENT, newer_versions_kept=3
)
GOOD: dict[str, Any] = {
    "versioning_status": Present("Enabled"),
    "lifecycle_rules": rules(rule(move(30), _OLD)),
}


@dataclass(frozen=True)
class WebEstate:
    """Ids of what was made."""

    aws: str
    azure: str
    down: str
    good: str
    changed: str
    unreadable: str
    hostile: str
    hostile_cluster: str
    account: str
    sub_account: str
    cluster: str
    eks_cluster: str
    node: str
    file_system: str
    door: str
    lent: str
    job: str
    finding: str
    waived: str
    week: str


Reading = Callable[[], Iterator[Observation]]


def build(now: datetime) -> WebEstate:
    """Two sweeps a day apart, judged after each; then findings are assigned, snoozed and waived."""
    made_at = now - timedelta(days=2)
    with transaction() as session:
        aws, azure, down = (
            connections.create(
                session, access=SYSTEM, name=name, provider=provider, config=config, now=made_at
            ).id
            for name, provider, config in (
                ("AWS research", "aws", AWS),
                (f"Azure {HOSTILE}", "azure", AZURE),
                ("AWS archive", "aws", AWS),
            )
        )
    for at, versioning in ((now - timedelta(days=1), "Suspended"), (now, "Enabled")):
        sweep(aws, aws_accounts, _sub_accounts, at - timedelta(hours=2))
        sweep(aws, aws_s3, partial(_buckets, versioning), at - timedelta(hours=2))
        for collector, read in _machines():
            sweep(aws, collector, read, at - timedelta(hours=2))
        sweep(azure, azure_blob, _accounts, at - timedelta(hours=2))
        web_jobs.declare(at - timedelta(hours=2), HOSTILE)
        with transaction() as session:
            evaluate(session, now=at - timedelta(hours=1))
    for collector in (aws_accounts, aws_s3):
        sweep(down, collector, _unreachable, now - timedelta(minutes=40))
    return _lived_in(now, (aws, azure, down))


def sweep(connection_id: str, collector: ModuleType, read: Reading, now: datetime) -> None:
    """One sweep of a connection that sees what `read` yields."""

    def collect(_connection: Connection, _now: datetime) -> Iterator[Observation]:
        yield from read()

    with transaction() as session:
        claimed = claim_sweep(session, connection_id, collector.COLLECTOR.id, now)
    scripted = replace(collector.COLLECTOR, collect=collect)
    with patch.object(collector, "COLLECTOR", scripted):
        sweep_run.run_sweep(
            transaction, run=claimed, now=now, clock=lambda: now + timedelta(seconds=3)
        )


def _machines() -> Iterator[tuple[ModuleType, Reading]]:
    """What else the account has, read as if it had no regions."""
    yield aws_hyperpod, partial(web_clusters.hyperpod, ACCOUNT, HOSTILE)
    yield aws_eks, partial(web_clusters.eks, ACCOUNT)
    yield aws_fsx, partial(web_clusters.fsx, ACCOUNT)
    yield aws_s3_access, partial(web_clusters.doors, ACCOUNT, "s3_bucket/good")


def _sub_accounts() -> Iterator[Observation]:
    """The account of the credentials, and one of its organization that was closed."""
    yield _sub_account(ACCOUNT, "research", is_own_account=Present(True))
    denied = Unreadable("AccountNotActive")
    regions = dict.fromkeys(("enabled_regions", "disabled_regions", "regions_source"), denied)
    yield _sub_account("444455556666", HOSTILE, account_state=Present("SUSPENDED"), **regions)
    yield ListingDone(AwsAccountFacts.KIND, ACCOUNT, complete=True)
    yield ScopeReport(ACCOUNT, "organizations:ListAccounts", asked=1, answered=1)


def _sub_account(account_id: str, name: str, **facts: Any) -> ResourceSeen:
    known: dict[str, Any] = {
        "account_state": Present("ACTIVE"),
        "joined_at": ABSENT,
        "organization_id": Present("o-example"),
        "is_own_account": Present(False),
        "enabled_regions": Present(("eu-west-1", "us-east-1")),
        "opted_in_regions": ABSENT,
        "disabled_regions": Present(("ap-east-1",)),
        "regions_source": Present("account:ListRegions"),
    }
    return ResourceSeen(
        kind=AwsAccountFacts.KIND,
        immutable_id=account_id,
        native_id=f"arn:aws:iam::{account_id}:root",
        name=name,
        sub_account_id=account_id,
        region_id=None,
        created_at=None,
        tags=None,
        facts=AwsAccountFacts(**(known | facts)),
        scope=ACCOUNT,
    )


def _buckets(versioning: str) -> Iterator[Observation]:
    """Good, bad, unreadable and hostile ones; `versioning` of the one that changes."""
    denied = Unreadable("AccessDenied")
    yield _bucket("curated-speech", versioning_status=Present(versioning))
    yield _bucket("good", **GOOD)
    yield _bucket("open-data", public_access_block=ABSENT, policy_is_public=Present(True))
    yield _bucket(
        "locked", lifecycle_rules=denied, versioning_status=denied, replication_rules=denied
    )
    yield _bucket("notes-es", replication_rules=Present((replication(), _to_virginia())))
    yield _bucket(HOSTILE, tags={HOSTILE: HOSTILE})
    yield from (_bucket(f"shard-{number:02}") for number in range(50))
    yield ListingDone(S3BucketFacts.KIND, ACCOUNT, complete=True)
    yield ScopeReport(ACCOUNT, "s3:ListBuckets", asked=1, answered=1)
    yield ScopeReport(
        f"{ACCOUNT}/eu-west-1", "s3:GetBucketVersioning", asked=56, answered=55, denied=1,
        throttled=4, code="AccessDenied", message=f"not authorized to read {HOSTILE}",
    )  # fmt: skip


def _to_virginia() -> ReplicationRule:
    return replication(name="logs", destination="logs-use1", destination_region_id="us-east-1")


def _bucket(name: str, *, tags: dict[str, str] | None = None, **facts: Any) -> ResourceSeen:
    return _seen(S3BucketFacts.KIND, name, ACCOUNT, bucket(**facts), tags)


def _accounts() -> Iterator[Observation]:
    paired = {"sku_name": Present("Standard_GRS"), "secondary_region": Present("northeurope")}
    yield _account("stcierzoweu", **paired)
    yield _account("stgeo", blob_soft_delete_days=Present(14), **paired)
    yield ListingDone(AzureStorageAccountFacts.KIND, SUBSCRIPTION, complete=True)
    yield ScopeReport(SUBSCRIPTION, "storage:storageAccounts/read", asked=1, answered=1)


def _account(name: str, **facts: Any) -> ResourceSeen:
    return _seen(AzureStorageAccountFacts.KIND, name, SUBSCRIPTION, account(**facts), None)


def _seen(
    kind: str, name: str, scope: str, facts: FactDocument, tags: dict[str, str] | None
) -> ResourceSeen:
    return ResourceSeen(
        kind=kind,
        immutable_id=f"{kind}/{name}",
        native_id=f"{kind}/{name}",
        name=name,
        sub_account_id=scope,
        region_id="eu-west-1" if kind == S3BucketFacts.KIND else "westeurope",
        created_at=None,
        tags=tags or {"team": "speech"},
        facts=facts,
        scope=scope,
    )


def _unreachable() -> Iterator[Observation]:
    raise CollectorError("the endpoint did not answer", code="ConnectTimeout", permanent=False)


def _lived_in(now: datetime, ids: tuple[str, str, str]) -> WebEstate:
    """What people did since."""
    with transaction() as session:
        # What was queued for collectors that have no part here.
        unused = (RunRow.kind == "sweep") & (RunRow.state == "queued") & (RunRow.starts == 0)
        session.execute(sqlalchemy.delete(RunRow).where(unused))
        first, second, third, *_ = compliance.search_findings(session, access=SYSTEM).items
        findings.assign(
            session, access=SYSTEM, number=first.number, owner="aina.puig@example.org", now=now
        )
        findings.comment(
            session, access=SYSTEM, number=first.number, text=f"Looked at. {HOSTILE}", now=now
        )
        findings.snooze(
            session, access=SYSTEM, number=second.number, until=now + timedelta(days=7), now=now
        )
        findings.waive(
            session,
            access=SYSTEM,
            number=third.number,
            reason="Public on purpose: an open data set.",
            until=now + timedelta(days=30),
            now=now,
        )
        week = reports.make(
            session, access=SYSTEM, week=str(week_of(now, settings().zone)), now=now
        ).week
        named: dict[str | tuple[str, str], str] = {
            key: item.id
            for item in inventory.search_resources(
                session, access=SYSTEM, page=PageRequest(limit=100)
            ).items
            for key in (item.name, (item.name, item.kind))
        }
    return WebEstate(
        *ids,
        good=named["good"],
        changed=named["curated-speech"],
        unreadable=named["locked"],
        hostile=named[HOSTILE, S3BucketFacts.KIND],
        hostile_cluster=named[HOSTILE, HyperpodClusterFacts.KIND],
        account=named["stgeo"],
        sub_account=named["research"],
        cluster=named["hyperpod-usw2"],
        eks_cluster=named["hyperpod-eks"],
        node=named["node-1"],
        file_system=named["fsx-hyperpod"],
        door=named["door"],
        lent=named["lent"],
        job=named["atlas-7b"],
        finding=first.id,
        waived=third.id,
        week=week,
    )
