"""A connection is cut into the accounts and regions that are known, each swept by its own run."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.collecting import (
    WHOLE,
    Cell,
    Collector,
    Connection,
    ListingDone,
    Observation,
    Reach,
    ResourceSeen,
)
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.sub_accounts import AwsAccountFacts
from app.kit.errors import CollectorError
from app.services import sweep_run, sweeps
from app.services.cells import cells_of
from app.store.models.inventory import ConnectionRow
from app.store.models.work import RunRow
from app.store.queries.connections import get_connection
from app.store.queries.sub_accounts import list_sub_accounts
from tests import build
from tests.build import NOW, Cloud
from tests.support.runs import claim_sweep

OWN, MEMBER, CLOSED = "111122223333", "444455556666", "555566667777"


def account(account_id: str, **facts: Any) -> ResourceSeen:
    known: dict[str, Any] = {
        "account_state": Present("ACTIVE"),
        "joined_at": ABSENT,
        "organization_id": ABSENT,
        "is_own_account": Present(account_id == OWN),
        "enabled_regions": Present(("eu-west-1", "us-east-1")),
        "opted_in_regions": ABSENT,
        "disabled_regions": Present(()),
        "regions_source": Present("account:ListRegions"),
    }
    return build.seen(
        account_id,
        kind=AwsAccountFacts.KIND,
        immutable_id=account_id,
        facts=AwsAccountFacts(**(known | facts)),
    )


@dataclass
class Organization:
    """A connection whose accounts and buckets are scripted."""

    session: Session
    connection: ConnectionRow
    accounts: Cloud
    buckets: Cloud
    s3: Collector

    def sweep(self, collector_id: str, cell: Cell = WHOLE) -> None:
        """One sweep of a cell, as a worker does it."""
        with build.within(self.session)() as session:
            claimed = claim_sweep(session, str(self.connection.id), collector_id, NOW, cell)
        sweep_run.run_sweep(build.within(self.session), run=claimed, now=NOW, clock=lambda: NOW)


@pytest.fixture
def organization(session: Session, monkeypatch: pytest.MonkeyPatch) -> Organization:
    accounts, buckets = Cloud(), Cloud()
    reads_accounts = build.collector(accounts, id="aws_accounts", kinds=(AwsAccountFacts,))
    s3 = build.collector(buckets, reach=Reach.ACCOUNT)
    build.play(monkeypatch, reads_accounts, s3)
    accounts.resources = [
        account(OWN),
        account(MEMBER),
        account(CLOSED, account_state=Present("SUSPENDED"), enabled_regions=Unreadable("Closed")),
    ]
    return Organization(session, build.connection(session), accounts, buckets, s3)


def cells(found: Organization, reach: Reach) -> set[str]:
    collector = replace(found.s3, reach=reach)
    accounts = list_sub_accounts(found.session, access=SYSTEM, connection_id=found.connection.id)
    return set(map(str, cells_of(accounts, collector)))


def test_before_accounts_are_known_only_our_own_is_swept(organization: Organization) -> None:
    assert cells(organization, Reach.CONNECTION) == {""}
    assert cells(organization, Reach.ACCOUNT) == {""}
    assert cells(organization, Reach.REGION) == set()


def test_regions_that_a_connection_leaves_out_are_no_cells(organization: Organization) -> None:
    organization.sweep("aws_accounts")
    regional = replace(organization.s3, reach=Reach.REGION)
    found = list_sub_accounts(
        organization.session, access=SYSTEM, connection_id=organization.connection.id
    )
    cells = cells_of(found, regional, ["us-east-1"])
    assert {cell.region_id for cell in cells} == {"us-east-1"}
    assert len(cells) * 2 == len(cells_of(found, regional))


def test_each_active_account_and_each_of_its_regions_is_a_cell(organization: Organization) -> None:
    organization.sweep("aws_accounts")
    assert cells(organization, Reach.CONNECTION) == {""}
    assert cells(organization, Reach.ACCOUNT) == {"", MEMBER}
    own = {"/eu-west-1", "/us-east-1"}
    assert cells(organization, Reach.REGION) == own | {MEMBER + region for region in own}


def test_an_account_of_unread_state_is_tried(organization: Organization) -> None:
    organization.accounts.resources[1] = account(MEMBER, account_state=Unreadable("Throttled"))
    organization.sweep("aws_accounts")
    assert cells(organization, Reach.ACCOUNT) == {"", MEMBER}


def test_a_list_that_could_not_be_read_takes_no_account_away(organization: Organization) -> None:
    organization.sweep("aws_accounts")
    organization.accounts.resources = organization.accounts.resources[:1]
    organization.accounts.listings = [
        ListingDone(AwsAccountFacts.KIND, build.ACCOUNT, complete=False, code="AccessDenied")
    ]
    organization.sweep("aws_accounts")
    assert cells(organization, Reach.ACCOUNT) == {"", MEMBER}


def test_every_cell_is_queued_once_per_interval_and_has_its_own_phase(
    organization: Organization,
) -> None:
    session, connection_id = organization.session, organization.connection.id
    organization.sweep("aws_accounts")
    sweeps.enqueue_due(session, now=NOW)
    assert sweeps.enqueue_due(session, now=NOW) == 0
    asked = session.scalars(select(RunRow).where(RunRow.subject.endswith(MEMBER))).all()
    (run,) = asked
    assert run.args["sub_account_id"] == MEMBER
    own = sweeps.tick_of(connection_id, organization.s3, NOW)
    assert sweeps.tick_of(connection_id, organization.s3, NOW, Cell(MEMBER)) != own


def test_a_cell_that_fails_costs_itself_alone(organization: Organization) -> None:
    organization.sweep("aws_accounts")
    organization.buckets.resources = [build.seen("ours")]
    organization.sweep("aws_s3")
    organization.buckets.error = CollectorError(
        "The role was refused.", code="AccessDenied", permanent=True
    )
    organization.sweep("aws_s3", Cell(MEMBER))
    item = get_connection(
        organization.session, access=SYSTEM, connection_id=str(organization.connection.id)
    )
    (s3,) = (found for found in item.collectors if found.collector_id == "aws_s3")
    states = {
        cell.cell: (cell.last_sweep and cell.last_sweep.state, cell.last_good_at)
        for cell in s3.cells
    }
    assert states == {"": ("complete", NOW), MEMBER: ("failed", None)}
    assert build.resources(organization.session)["ours"].deleted_at is None


def test_a_sweep_reads_the_account_of_its_cell(
    organization: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
        read.append(connection.sub_account_id)
        yield ListingDone(AwsAccountFacts.KIND, connection.sub_account_id, complete=True)

    organization.sweep("aws_accounts")
    noting = replace(organization.s3, collect=collect)
    build.play(monkeypatch, build.collector(organization.accounts, id="aws_accounts"), noting)
    organization.sweep("aws_s3", Cell(MEMBER))
    assert read == [MEMBER]
