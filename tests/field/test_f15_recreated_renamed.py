"""F15: a thing made anew under an old name is another one; a renamed thing is the same."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.collecting import ListingDone, Provider, ResourceSeen
from app.domain.facts import ABSENT, Fact, FactDocument, Present, fact
from app.domain.storage_accounts import AzureStorageAccountFacts
from app.services import findings
from app.store.models.inventory import ConnectionRow, ResourceRow
from app.store.queries import compliance, inventory
from tests import build
from tests.build import Cloud
from tests.support.stores import account

FILE = Path(__file__).parent / "inputs" / "f15_recreated_renamed.json"
INPUT = json.loads(FILE.read_text("utf-8"))
POLICY = "data-cools-in-time"
SUBSCRIPTION = "00000000-0000-0000-0000-0000000000aa"
ACCOUNTS = AzureStorageAccountFacts.KIND


@dataclass(frozen=True, slots=True)
class ClusterFacts(FactDocument):
    """A cluster; no policy of this product judges it."""

    KIND: ClassVar[str] = "cluster"

    nodes: Fact[int] = fact("Nodes.", "clusters:read")


def observed(resource: dict[str, Any]) -> ResourceSeen:
    """The input's resource as its collector would yield it: identity with the start of life."""
    if "creationTime" not in resource:
        return build.seen(
            resource["name"],
            kind=ClusterFacts.KIND,
            immutable_id=resource["id"],
            facts=ClusterFacts(Present(4)),
            scope=SUBSCRIPTION,
        )
    assert resource["lifecycle"] == "missing"
    return build.seen(
        resource["id"].rsplit("/", 1)[-1],
        kind=ACCOUNTS,
        immutable_id=f"{resource['id'].lower()}@{resource['creationTime']}",
        native_id=resource["id"],
        facts=account(lifecycle_rules=ABSENT),
        scope=SUBSCRIPTION,
    )


def sweep(session: Session, connection: ConnectionRow, cloud: Cloud, number: int) -> datetime:
    given = INPUT["sweeps"][number - 1]
    at = datetime.fromisoformat(given["at"])
    assert given["complete"]
    cloud.resources = [observed(resource) for resource in given["resources"]]
    kinds = (ACCOUNTS, ClusterFacts.KIND)
    cloud.listings = [ListingDone(kind, SUBSCRIPTION, complete=True) for kind in kinds]
    build.sweep(build.within(session), connection.id, now=at)
    build.evaluate(session, now=at)
    return at


def open_findings(session: Session) -> int:
    return compliance.finding_counts(session, access=SYSTEM)["open"]


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    found = Cloud()
    build.play(monkeypatch, build.collector(found, provider=Provider.AZURE))
    build.only(monkeypatch, POLICY)
    return found


@pytest.fixture
def connection(session: Session) -> ConnectionRow:
    return build.connection(session, "Azure", provider="azure")


def test_the_story_of_the_input(session: Session, cloud: Cloud, connection: ConnectionRow) -> None:
    sweep(session, connection, cloud, 1)
    (first,) = compliance.search_findings(session, access=SYSTEM).items
    granted = datetime.fromisoformat(f"{INPUT['waiver']['granted']}T00:00Z")
    findings.waive(
        session,
        access=SYSTEM,
        number=first.number,
        reason="moves in spring",
        until=datetime.fromisoformat(f"{INPUT['waiver']['until']}T00:00Z"),
        now=granted,
    )
    sweep(session, connection, cloud, 2)
    counts = compliance.finding_counts(session, access=SYSTEM)
    assert (counts["open"], counts["waived"]) == (0, 0)
    closed = compliance.get_finding(session, access=SYSTEM, number=first.number)
    assert closed.item.close_reason == "resource_deleted"

    sweep(session, connection, cloud, 3)
    counts = compliance.finding_counts(session, access=SYSTEM)
    assert (counts["open"], counts["waived"]) == (1, 0)
    everything = inventory.ResourceFilter(kinds=(ACCOUNTS,), state="all")
    assert inventory.search_resources(session, access=SYSTEM, where=everything).total == 2
    assert inventory.count_resources(session, access=SYSTEM, kinds=(ACCOUNTS,)) == 1


def test_the_renamed_cluster_is_one_with_its_history(
    session: Session, cloud: Cloud, connection: ConnectionRow
) -> None:
    for number in (1, 2, 3):
        sweep(session, connection, cloud, number)
    (row,) = session.scalars(select(ResourceRow).where(ResourceRow.kind == ClusterFacts.KIND))
    assert row.name == "train-pool"
    history = inventory.list_revisions(session, access=SYSTEM, resource_id=str(row.id))
    assert [revision.name for revision in history.items] == ["train-pool", "ndv5-pool"]


def test_the_new_life_begins_with_nothing_of_the_old(
    session: Session, cloud: Cloud, connection: ConnectionRow
) -> None:
    sweep(session, connection, cloud, 1)
    sweep(session, connection, cloud, 2)
    at = sweep(session, connection, cloud, 3)
    (live,) = inventory.search_resources(
        session, access=SYSTEM, where=inventory.ResourceFilter(kinds=(ACCOUNTS,))
    ).items
    assert live.first_observed_at == at
    before = inventory.revision_as_of(
        session, access=SYSTEM, resource_id=live.id, at=at - timedelta(days=1)
    )
    assert before is None


def test_a_thing_made_anew_between_two_sweeps_is_noticed(
    session: Session, cloud: Cloud, connection: ConnectionRow
) -> None:
    sweep(session, connection, cloud, 1)
    at = sweep(session, connection, cloud, 3)
    everything = inventory.ResourceFilter(kinds=(ACCOUNTS,), state="all")
    lives = inventory.search_resources(session, access=SYSTEM, where=everything)
    assert sorted((life.deleted_at for life in lives.items), key=bool) == [None, at]
    counts = compliance.finding_counts(session, access=SYSTEM)
    assert (counts["open"], counts["resolved"]) == (1, 1)


def test_a_failed_list_ends_no_life(
    session: Session, cloud: Cloud, connection: ConnectionRow
) -> None:
    at = sweep(session, connection, cloud, 1)
    cloud.resources = []
    cloud.listings = [
        ListingDone(ACCOUNTS, SUBSCRIPTION, complete=False, code="AuthorizationFailed")
    ]
    build.sweep(build.within(session), connection.id, now=at + timedelta(hours=1))
    build.evaluate(session, now=at + timedelta(hours=1))
    assert open_findings(session) == 1
    assert inventory.count_resources(session, access=SYSTEM, kinds=(ACCOUNTS,)) == 1
