"""A worker dies, or a role goes, in the middle of one account of an organization: what was read
stays, nothing is told twice, and nothing is taken for gone.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, func, select

from app.domain.collecting import Cell, ListingDone, Reach, ResourceSeen, SweepState
from app.domain.facts import Present
from app.kit.errors import CollectorError
from app.services import sweep_run
from app.services.evaluate import evaluate
from app.store import ledger
from app.store.models.compliance import FindingRow
from app.store.models.inventory import CollectorStateRow, ResourceRevisionRow, ResourceRow
from tests import build
from tests.build import NOW, Cloud, Transactions
from tests.support.runs import claim_sweep
from tests.support.stores import bucket

OWN, MEMBER = "111122223333", "444455556666"
SEEN, BATCH = 7, 3
LATER = NOW + timedelta(hours=7)
CUTS = (0, 1, BATCH, BATCH + 1, SEEN - 1)
REFUSED = CollectorError("The role was refused.", code="AccessDenied", permanent=True)


class Killed(BaseException):
    """What no code of ours can catch, as little as a SIGKILL."""


def seen(account: str, number: int, **facts: Any) -> ResourceSeen:
    name = f"{account}-{number}"
    return build.seen(name, sub_account_id=account, scope=account, facts=bucket(**facts))


@dataclass
class Organization:
    """Two accounts, each with unversioned buckets, swept and judged once."""

    transactions: Transactions
    connection_id: UUID
    own: Cloud
    member: Cloud

    def claim(self, cell: Cell, now: datetime) -> ledger.Claim:
        with self.transactions() as session:
            return claim_sweep(session, str(self.connection_id), "aws_s3", now, cell)

    def again(self, run: ledger.Claim, now: datetime) -> ledger.Claim:
        """The same run, when the lease of whoever had it is over."""
        with self.transactions() as session:
            claimed = ledger.claim(session, run.run_id, now=now, lease=build.LEASE)
        assert claimed is not None
        return claimed

    def run(self, claimed: ledger.Claim, now: datetime) -> SweepState:
        return sweep_run.run_sweep(self.transactions, run=claimed, now=now, clock=lambda: now)

    def judge(self, now: datetime) -> None:
        with self.transactions() as session:
            evaluate(session, now=now)

    def live(self) -> Counter[str]:
        with self.transactions() as session:
            rows = session.scalars(select(ResourceRow.name).where(ResourceRow.deleted_at.is_(None)))
            return Counter(rows)

    def findings(self) -> Counter[tuple[str, str]]:
        """How many findings each bucket ever had, and how they are."""
        with self.transactions() as session:
            rows = session.execute(
                select(ResourceRow.name, FindingRow.state).join(
                    ResourceRow, ResourceRow.id == FindingRow.resource_id
                )
            )
            return Counter((name, state) for name, state in rows)

    def count(self, table: type[ResourceRow | ResourceRevisionRow]) -> int:
        with self.transactions() as session:
            return session.scalar(select(func.count()).select_from(table)) or 0


@pytest.fixture
def organization(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Organization:
    monkeypatch.setattr(sweep_run, "BATCH", BATCH)
    own, member = (
        Cloud([seen(account, number) for number in range(SEEN)]) for account in (OWN, MEMBER)
    )
    for cloud, account in ((own, OWN), (member, MEMBER)):
        cloud.listings = [ListingDone("s3_bucket", account, complete=True)]

    def collect(connection: Any, now: datetime) -> Iterator[Any]:
        cloud = member if connection.sub_account_id == MEMBER else own
        yield from cloud.collect(connection, now)

    build.play(monkeypatch, build.collector(own, reach=Reach.ACCOUNT, collect=collect))
    build.only(monkeypatch, "versioning-on")
    transactions = build.transactions_of(engine)
    with transactions() as session:
        connection_id = build.connection(session).id
    found = Organization(transactions, connection_id, own, member)
    for cell in (Cell(), Cell(MEMBER)):
        found.run(found.claim(cell, NOW), NOW)
    found.judge(NOW)
    return found


def cut_at(cloud: Cloud, number: int, error: BaseException) -> None:
    """Ends the next sweep before the bucket of that number is told."""
    before = iter(range(SEEN))

    def stop(_seen: ResourceSeen) -> None:
        if next(before) == number:
            cloud.before_each = lambda _: None
            raise error

    cloud.before_each = stop


@pytest.mark.parametrize("cut", CUTS)
def test_a_killed_worker_loses_and_doubles_nothing(organization: Organization, cut: int) -> None:
    every, told = organization.live(), organization.findings()
    assert (len(every), set(every.values()), set(told.values())) == (2 * SEEN, {1}, {1})
    organization.member.resources[0] = seen(MEMBER, 0, versioning_status=Present("Enabled"))
    run = organization.claim(Cell(MEMBER), LATER)
    cut_at(organization.member, cut, Killed())
    with pytest.raises(Killed):
        organization.run(run, LATER)
    organization.judge(LATER)
    assert organization.live() == every
    assert sum(organization.findings().values()) == 2 * SEEN

    after = LATER + timedelta(minutes=10)
    assert organization.run(organization.again(run, after), after) is SweepState.COMPLETE
    organization.judge(after)
    assert organization.live() == every
    assert organization.count(ResourceRow) == 2 * SEEN
    assert organization.count(ResourceRevisionRow) == 2 * SEEN + 1
    states = organization.findings()
    assert sum(states.values()) == 2 * SEEN
    assert [name for name, state in states if state == "resolved"] == [f"{MEMBER}-0"]


@pytest.mark.parametrize("cut", CUTS)
def test_a_killed_worker_hides_nothing_that_is_gone(organization: Organization, cut: int) -> None:
    organization.member.resources.pop()
    run = organization.claim(Cell(MEMBER), LATER)
    cut_at(organization.member, min(cut, SEEN - 2), Killed())
    with pytest.raises(Killed):
        organization.run(run, LATER)
    assert len(organization.live()) == 2 * SEEN
    after = LATER + timedelta(minutes=10)
    organization.run(organization.again(run, after), after)
    assert len(organization.live()) == 2 * SEEN - 1
    assert organization.live().keys() >= {f"{OWN}-{number}" for number in range(SEEN)}


@pytest.mark.parametrize("cut", CUTS)
def test_a_role_that_goes_in_mid_sweep_closes_and_deletes_nothing(
    organization: Organization, cut: int
) -> None:
    every, told = organization.live(), organization.findings()
    cut_at(organization.member, cut, REFUSED)
    run = organization.claim(Cell(MEMBER), LATER)
    assert organization.run(run, LATER) is SweepState.FAILED
    organization.judge(LATER)
    assert (organization.live(), organization.findings()) == (every, told)
    with organization.transactions() as session:
        good = select(CollectorStateRow.last_good_at).where(CollectorStateRow.cell == MEMBER)
        assert session.scalars(good).one() == NOW


def test_whoever_was_thought_dead_writes_nothing_any_more(organization: Organization) -> None:
    run = organization.claim(Cell(MEMBER), LATER)
    after = LATER + timedelta(minutes=10)
    organization.run(organization.again(run, after), after)
    organization.member.resources = []
    with pytest.raises(ledger.LeaseLostError):
        organization.run(run, LATER)
    assert len(organization.live()) == 2 * SEEN
