"""What a sweep keeps: only changes, only what was seen, and nothing on a guess."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.collecting import ListingDone, SweepState
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.storage import S3BucketFacts
from app.kit.errors import CollectorError
from app.services import sweep_run
from app.store import ledger
from app.store.ledger import LeaseLostError
from app.store.models.inventory import ConnectionRow, ResourceRevisionRow, ResourceRow, SweepRow
from app.store.models.work import RunRow
from app.store.queries import connections as connection_queries
from app.store.queries import inventory
from tests import build
from tests.build import ACCOUNT, Cloud
from tests.support.stores import bucket

DAY = timedelta(days=1)


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    """One cloud with two buckets; nothing else is known to this process."""
    found = Cloud([build.seen("alpha"), build.seen("beta")])
    build.play(monkeypatch, build.collector(found))
    return found


@pytest.fixture
def connection(session: Session) -> ConnectionRow:
    return build.connection(session)


class Sweeps:
    """Sweeps one connection of a session, a day apart."""

    def __init__(self, session: Session, connection: ConnectionRow) -> None:
        self.session = session
        self.connection = connection
        self.transactions = build.within(session)
        self.now = build.NOW

    def run(self) -> SweepState:
        self.now += DAY
        return build.sweep(self.transactions, self.connection.id, now=self.now)

    def last(self) -> SweepRow:
        self.session.expire_all()
        statement = select(SweepRow).order_by(SweepRow.started_at.desc()).limit(1)
        return self.session.scalars(statement).one()

    def revisions(self) -> int:
        return self.session.scalar(select(func.count()).select_from(ResourceRevisionRow)) or 0


@pytest.fixture
def sweeps(session: Session, connection: ConnectionRow, cloud: Cloud) -> Sweeps:
    assert cloud.resources
    return Sweeps(session, connection)


def test_a_first_sweep_stores_resources_with_facts_and_what_follows(sweeps: Sweeps) -> None:
    assert sweeps.run() is SweepState.COMPLETE
    page = inventory.search_resources(sweeps.session, access=SYSTEM)
    assert [item.name for item in page.items] == ["alpha", "beta"]
    assert page.total == 2
    facts = page.items[0].facts
    assert facts.present["bucket_region"] == "eu-west-1"
    assert facts.present["home_region"] == "eu-west-1"
    assert "versioning_status" in facts.absent
    assert page.items[0].observed_at == sweeps.now


def test_a_sweep_that_finds_nothing_new_adds_no_revision(sweeps: Sweeps) -> None:
    sweeps.run()
    sweeps.run()
    assert sweeps.revisions() == 2
    trace = sweeps.last().trace
    assert (trace["resources_seen"], trace["resources_changed"]) == (2, 0)
    assert build.resources(sweeps.session)["alpha"].observed_at == sweeps.now


def test_a_changed_fact_closes_the_revision_before(sweeps: Sweeps, cloud: Cloud) -> None:
    sweeps.run()
    cloud.resources[0] = build.seen("alpha", facts=bucket(versioning_status=Present("Enabled")))
    sweeps.run()
    row = build.resources(sweeps.session)["alpha"]
    page = inventory.list_revisions(sweeps.session, access=SYSTEM, resource_id=str(row.id))
    assert [(r.number, r.valid_from, r.valid_to) for r in page.items] == [
        (2, sweeps.now, None),
        (1, sweeps.now - DAY, sweeps.now),
    ]
    assert page.total == 2
    was = inventory.revision_as_of(
        sweeps.session, access=SYSTEM, resource_id=str(row.id), at=sweeps.now - DAY / 2
    )
    assert was is not None
    assert "versioning_status" in was.facts.absent


@pytest.mark.parametrize(
    "changes", [{"tags": {"team": "vision"}}, {"region_id": "eu-south-2"}, {"name": "alfa"}]
)
def test_name_region_and_tags_have_a_history_too(
    sweeps: Sweeps, cloud: Cloud, changes: dict[str, Any]
) -> None:
    sweeps.run()
    cloud.resources[0] = build.seen(**({"name": "alpha", "immutable_id": "alpha@2024"} | changes))
    sweeps.run()
    assert sweeps.revisions() == 3


def test_what_a_wholly_read_list_no_longer_names_is_deleted(sweeps: Sweeps, cloud: Cloud) -> None:
    sweeps.run()
    del cloud.resources[0]
    assert sweeps.run() is SweepState.COMPLETE
    rows = build.resources(sweeps.session)
    assert rows["alpha"].deleted_at == sweeps.now
    assert rows["beta"].deleted_at is None
    assert sweeps.last().trace["resources_deleted"] == 1
    assert inventory.count_resources(sweeps.session, access=SYSTEM) == 1
    gone = inventory.revision_as_of(
        sweeps.session, access=SYSTEM, resource_id=str(rows["alpha"].id), at=sweeps.now
    )
    assert gone is None


def test_what_a_list_that_lags_leaves_out_is_deleted_only_the_second_time(
    sweeps: Sweeps, cloud: Cloud
) -> None:
    cloud.listings = [ListingDone(S3BucketFacts.KIND, ACCOUNT, complete=True, is_lagging=True)]
    sweeps.run()
    alpha = cloud.resources.pop(0)
    sweeps.run()
    assert build.resources(sweeps.session)["alpha"].deleted_at is None
    sweeps.run()
    assert build.resources(sweeps.session)["alpha"].deleted_at == sweeps.now
    cloud.resources.append(alpha)
    sweeps.run()
    assert build.resources(sweeps.session)["alpha"].deleted_at is None


def test_what_a_list_that_lags_names_again_was_never_gone(sweeps: Sweeps, cloud: Cloud) -> None:
    cloud.listings = [ListingDone(S3BucketFacts.KIND, ACCOUNT, complete=True, is_lagging=True)]
    sweeps.run()
    whole = list(cloud.resources)
    for resources in ([], whole, []):
        cloud.resources[:] = resources
        sweeps.run()
    rows = build.resources(sweeps.session)
    assert [rows[name].deleted_at for name in ("alpha", "beta")] == [None, None]


def test_a_cut_list_in_between_does_not_count_as_missing(sweeps: Sweeps, cloud: Cloud) -> None:
    whole = ListingDone(S3BucketFacts.KIND, ACCOUNT, complete=True, is_lagging=True)
    cut = ListingDone(S3BucketFacts.KIND, ACCOUNT, False, "Cut", is_lagging=True)
    cloud.listings = [whole]
    sweeps.run()
    cloud.resources.clear()
    for listing in (cut, cut, whole):
        cloud.listings = [listing]
        sweeps.run()
    assert all(row.deleted_at is None for row in build.resources(sweeps.session).values())


@pytest.mark.parametrize(
    "listings",
    [
        [],
        [ListingDone(S3BucketFacts.KIND, ACCOUNT, complete=False, code="CyclingToken")],
        [ListingDone(S3BucketFacts.KIND, "another account", complete=True)],
        [ListingDone("another_kind", ACCOUNT, complete=True)],
        [
            ListingDone(S3BucketFacts.KIND, ACCOUNT, complete=True),
            ListingDone(S3BucketFacts.KIND, ACCOUNT, complete=False, code="Cut"),
        ],
    ],
)
def test_nothing_else_is_a_reason_to_delete(
    sweeps: Sweeps, cloud: Cloud, listings: list[ListingDone]
) -> None:
    sweeps.run()
    cloud.resources.clear()
    cloud.listings = listings
    state = sweeps.run()
    whole = bool(listings) and all(listing.complete for listing in listings)
    assert (state is SweepState.COMPLETE) is whole
    assert all(row.deleted_at is None for row in build.resources(sweeps.session).values())


def test_a_cut_list_makes_the_sweep_incomplete_and_says_which(sweeps: Sweeps, cloud: Cloud) -> None:
    cloud.listings = [ListingDone(S3BucketFacts.KIND, ACCOUNT, complete=False, code="Cycle")]
    assert sweeps.run() is SweepState.INCOMPLETE
    assert sweeps.last().code == "Cycle"
    assert ACCOUNT in sweeps.last().message


def test_denied_cells_make_it_partial_and_show_as_missing_permission(
    sweeps: Sweeps, cloud: Cloud
) -> None:
    cloud.reports = [
        build.report(asked=2, answered=1, denied=1, code="AccessDenied", message="no"),
        build.report(asked=1, answered=1),
    ]
    assert sweeps.run() is SweepState.PARTIAL
    detail = connection_queries.get_sweep(
        sweeps.session, access=SYSTEM, sweep_id=str(sweeps.last().id)
    )
    assert [(s.asked, s.answered, s.denied) for s in detail.scopes] == [(3, 2, 1)]
    (permission,) = connection_queries.permission_status(
        sweeps.session, access=SYSTEM, connection_id=str(sweeps.connection.id)
    )
    assert (permission.result, permission.code) == ("denied", "AccessDenied")
    assert (permission.affected, permission.asked) == (1, 3)


def test_an_unreadable_cell_is_a_fact_of_its_own(sweeps: Sweeps, cloud: Cloud) -> None:
    cloud.resources[0] = build.seen(
        "alpha", facts=bucket(versioning_status=Unreadable("AccessDenied"))
    )
    sweeps.run()
    item = inventory.search_resources(sweeps.session, access=SYSTEM).items[0]
    assert item.facts.unreadable["versioning_status"] == "AccessDenied"
    assert item.facts.unreadable["versioning_on"] == "AccessDenied"


def test_a_source_that_cannot_be_read_deletes_nothing_and_is_tried_again(
    sweeps: Sweeps, cloud: Cloud
) -> None:
    sweeps.run()
    cloud.resources.clear()
    cloud.error = CollectorError("no route", code="ConnectError", permanent=False, mend="look")
    assert sweeps.run() is SweepState.FAILED
    assert {row.deleted_at for row in build.resources(sweeps.session).values()} == {None}
    assert (sweeps.last().code, sweeps.last().message) == ("ConnectError", "no route look")
    run = sweeps.session.get_one(RunRow, sweeps.last().run_id)
    assert (run.state, run.not_before) == ("queued", sweeps.now + timedelta(minutes=1))
    item = connection_queries.list_connections(sweeps.session, access=SYSTEM)[0]
    assert item.last_good_at == sweeps.now - DAY
    assert item.last_sweep is not None
    assert item.last_sweep.state == "failed"


def test_a_permanent_error_is_not_tried_again(sweeps: Sweeps, cloud: Cloud) -> None:
    cloud.error = CollectorError("wrong key", code="InvalidClientTokenId", permanent=True)
    assert sweeps.run() is SweepState.FAILED
    assert sweeps.session.get_one(RunRow, sweeps.last().run_id).state == "failed"


def test_a_broken_collector_leaves_no_sweep_that_seems_to_run(sweeps: Sweeps, cloud: Cloud) -> None:
    cloud.error = ZeroDivisionError("oops")
    with pytest.raises(ZeroDivisionError):
        sweeps.run()
    assert (sweeps.last().state, sweeps.last().code) == ("failed", "Internal")


def test_a_second_attempt_of_a_run_is_the_same_sweep(sweeps: Sweeps, cloud: Cloud) -> None:
    claimed = build.claim_sweep(sweeps.transactions, sweeps.connection.id, now=sweeps.now)
    cloud.error = CollectorError("no route", code="ConnectError", permanent=False)
    sweep_run.run_sweep(sweeps.transactions, run=claimed, now=sweeps.now, clock=lambda: sweeps.now)
    cloud.error = None
    later = sweeps.now + timedelta(minutes=1)
    again = ledger.claim(sweeps.session, claimed.run_id, now=later, lease=build.LEASE)
    assert again is not None
    state = sweep_run.run_sweep(sweeps.transactions, run=again, now=later, clock=lambda: later)
    assert state is SweepState.COMPLETE
    assert sweeps.session.scalar(select(func.count()).select_from(SweepRow)) == 1
    assert sweeps.last().trace["starts"] == 2
    assert sweeps.last().code == ""


def test_a_worker_that_was_replaced_writes_nothing_more(sweeps: Sweeps, cloud: Cloud) -> None:
    first = build.claim_sweep(sweeps.transactions, sweeps.connection.id, now=sweeps.now)
    taken: list[ledger.Claim] = []

    def lose(_: object) -> None:
        if not taken:
            later = sweeps.now + 2 * build.LEASE
            found = ledger.claim(sweeps.session, first.run_id, now=later, lease=build.LEASE)
            assert found is not None
            taken.append(found)

    cloud.before_each = lose
    with pytest.raises(LeaseLostError):
        sweep_run.run_sweep(
            sweeps.transactions, run=first, now=sweeps.now, clock=lambda: sweeps.now
        )
    assert build.resources(sweeps.session) == {}
    later = sweeps.now + 2 * build.LEASE
    sweep_run.run_sweep(sweeps.transactions, run=taken[0], now=later, clock=lambda: later)
    assert set(build.resources(sweeps.session)) == {"alpha", "beta"}
    assert sweeps.last().state == "complete"


def test_a_resource_that_comes_back_lives_on(sweeps: Sweeps, cloud: Cloud) -> None:
    sweeps.run()
    alpha = cloud.resources.pop(0)
    sweeps.run()
    cloud.resources.append(alpha)
    sweeps.run()
    row = build.resources(sweeps.session)["alpha"]
    assert row.deleted_at is None
    assert row.first_observed_at == sweeps.now - 2 * DAY
    page = inventory.list_revisions(sweeps.session, access=SYSTEM, resource_id=str(row.id))
    assert [(r.valid_from, r.valid_to) for r in page.items] == [
        (sweeps.now, None),
        (sweeps.now - 2 * DAY, sweeps.now - DAY),
    ]
    assert sweeps.last().trace["resources_revived"] == 1
    assert inventory.count_resources(sweeps.session, access=SYSTEM) == 2


def test_more_than_one_batch_is_stored(
    sweeps: Sweeps, cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_run, "BATCH", 7)
    cloud.resources = [build.seen(f"bucket-{number:03d}") for number in range(30)]
    sweeps.run()
    del cloud.resources[10:]
    sweeps.run()
    assert sweeps.session.scalar(select(func.count()).select_from(ResourceRow)) == 30
    assert inventory.count_resources(sweeps.session, access=SYSTEM) == 10


def test_a_resource_listed_twice_is_one(sweeps: Sweeps, cloud: Cloud) -> None:
    cloud.resources = [build.seen("alpha"), build.seen("alpha", region_id="eu-south-2")]
    sweeps.run()
    assert build.resources(sweeps.session)["alpha"].region_id == "eu-south-2"
    assert inventory.count_resources(sweeps.session, access=SYSTEM) == 1


def test_a_region_that_was_not_readable_is_none_and_not_the_old_one(
    sweeps: Sweeps, cloud: Cloud
) -> None:
    sweeps.run()
    cloud.resources[0] = build.seen(
        "alpha", region_id=None, facts=bucket(bucket_region=Unreadable("AccessDenied"))
    )
    sweeps.run()
    assert build.resources(sweeps.session)["alpha"].region_id is None
    facets = inventory.facets(sweeps.session, access=SYSTEM)
    assert facets["region_id"] == [("", 1), ("eu-west-1", 1)]


def test_copies_are_counted_by_region(sweeps: Sweeps) -> None:
    sweeps.run()
    (copies,) = inventory.copies_by_region(sweeps.session, access=SYSTEM)
    assert (copies.region_id, copies.zone, copies.role, copies.copies) == (
        "eu-west-1",
        "EU",
        "primary",
        2,
    )


def test_a_skewed_clock_is_told(sweeps: Sweeps, cloud: Cloud, now: datetime) -> None:
    del now
    cloud.reports = [build.report(clock_skew_seconds=-9000.0)]
    sweeps.run()
    assert sweeps.last().trace["clock_skew_seconds"] == -9000
    cloud.reports = [build.report(clock_skew_seconds=180.0)]
    sweeps.run()
    assert "clock_skew_seconds" not in sweeps.last().trace


def test_an_absent_fact_is_not_an_unreadable_one(sweeps: Sweeps, cloud: Cloud) -> None:
    cloud.resources = [build.seen("alpha", facts=bucket(lifecycle_rules=ABSENT))]
    sweeps.run()
    item = inventory.search_resources(sweeps.session, access=SYSTEM).items[0]
    assert "lifecycle_rules" in item.facts.absent
    assert "lifecycle_rules" not in item.facts.unreadable
