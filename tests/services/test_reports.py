"""Weekly reports come from what was stored: as of the week's end, frozen, never invented."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access, Scope
from app.domain.compliance import CloseReason, Pillar
from app.domain.facts import Present, Unreadable
from app.domain.paging import PageRequest
from app.domain.reporting import WeeklyReport
from app.kit.errors import ForbiddenError, InvalidInputError, NotFoundError
from app.kit.settings import settings
from app.services import findings, reports
from tests import build
from tests.build import Cloud
from tests.support.stores import bucket

MADRID = "Europe/Madrid"
WEEK = "2026-W48"
FRIDAY = datetime(2026, 11, 27, 12, tzinfo=UTC)
MONDAY = datetime(2026, 11, 30, 6, tzinfo=UTC)


class Weeks:
    """An estate of two buckets, swept and judged when a test says so."""

    def __init__(self, session: Session, cloud: Cloud) -> None:
        self.session, self.cloud = session, cloud
        self.connection = build.connection(session, created_at=FRIDAY - timedelta(days=30))

    def sweep(self, now: datetime, **statuses: object) -> None:
        self.cloud.resources = [
            build.seen(name, facts=bucket(versioning_status=status))
            for name, status in statuses.items()
        ]
        build.sweep(build.within(self.session), self.connection.id, now=now)
        build.evaluate(self.session, now=now)
        self.session.expire_all()

    def make(self, week: str = WEEK, now: datetime = MONDAY) -> WeeklyReport:
        reports.make(self.session, access=SYSTEM, week=week, now=now)
        return reports.get(self.session, access=SYSTEM, week=week)


@pytest.fixture
def weeks(session: Session, monkeypatch: pytest.MonkeyPatch) -> Weeks:
    monkeypatch.setenv("ATALAYA_TIME_ZONE", MADRID)
    settings.cache_clear()
    cloud = Cloud()
    build.play(monkeypatch, build.collector(cloud))
    build.only(monkeypatch, "versioning-on")
    return Weeks(session, cloud)


ON, OFF, DENIED = Present("Enabled"), Present("Suspended"), Unreadable("AccessDenied")


def test_a_week_holds_what_was_opened_in_it_and_is_open_at_its_end(weeks: Weeks) -> None:
    weeks.sweep(FRIDAY, corpus=OFF, models=ON)
    made = weeks.make()
    assert [line.resource_name for line in made.open_at_end] == ["corpus"]
    assert (made.opened, made.resolved, made.open_total) == (1, 0, 1)
    assert (made.resources, made.preliminary) == (2, False)
    assert made.posture is not None
    assert (made.posture.compliant, made.posture.non_compliant) == (1, 1)


def test_pillars_without_a_policy_have_no_score(weeks: Weeks) -> None:
    weeks.sweep(FRIDAY, corpus=ON)
    scores = {line.pillar: line.counts for line in weeks.make().pillars}
    assert len(scores) == 5
    assert [pillar for pillar, counts in scores.items() if counts is not None] == [
        Pillar.REPRODUCIBILITY
    ]


def test_what_happened_after_the_week_is_not_known_in_its_report(weeks: Weeks) -> None:
    weeks.sweep(FRIDAY, corpus=OFF)
    early = weeks.make()
    weeks.sweep(MONDAY + timedelta(hours=1), corpus=ON)
    late = weeks.make(now=MONDAY + timedelta(days=2))
    assert late.open_at_end == early.open_at_end
    assert late.open_at_end[0].resolved_at is None
    assert late.pillars == early.pillars
    following = weeks.make("2026-W49", now=MONDAY + timedelta(days=2))
    assert (following.resolved, following.open_total, following.preliminary) == (1, 0, True)
    assert following.resolved_in_week[0].close_reason == CloseReason.COMPLIANT


def test_sunday_night_belongs_to_the_week_of_the_zone(weeks: Weeks) -> None:
    # 23:30 UTC on Sunday is Monday in Madrid (field case F28).
    weeks.sweep(datetime(2026, 11, 29, 23, 30, tzinfo=UTC), corpus=OFF)
    assert weeks.make().opened == 0
    assert weeks.make("2026-W49").opened == 1


def test_the_same_content_gives_the_same_edition_and_a_change_a_new_one(
    weeks: Weeks, session: Session
) -> None:
    weeks.sweep(FRIDAY, corpus=OFF)
    first = reports.make(session, access=SYSTEM, week=WEEK, now=MONDAY)
    again = reports.make(session, access=SYSTEM, week=WEEK, now=MONDAY + timedelta(hours=1))
    assert (again.id, again.edition) == (first.id, 1)
    number = int(weeks.make().open_at_end[0].id.removeprefix("F-"))
    findings.assign(session, access=SYSTEM, number=number, owner="Marta Ibarra", now=MONDAY)
    changed = reports.make(session, access=SYSTEM, week=WEEK, now=MONDAY + timedelta(hours=2))
    assert (changed.edition, changed.digest != first.digest) == (2, True)
    listed = reports.list_reports(session, access=SYSTEM, page=PageRequest())
    assert [(item.week, item.edition) for item in listed.items] == [(WEEK, 2), (WEEK, 1)]


def test_an_unreadable_fact_keeps_the_finding_open_and_is_no_pass(weeks: Weeks) -> None:
    weeks.sweep(FRIDAY, corpus=OFF)
    weeks.sweep(FRIDAY + timedelta(days=1), corpus=DENIED)
    made = weeks.make()
    assert made.open_total == 1
    assert made.posture is not None
    assert (made.posture.unknown, made.posture.score) == (1, 0)


def test_a_deleted_bucket_closes_its_finding_and_leaves_the_count(weeks: Weeks) -> None:
    weeks.sweep(FRIDAY, corpus=OFF, models=ON)
    weeks.sweep(FRIDAY + timedelta(days=1), models=ON)
    made = weeks.make()
    assert (made.resources, made.open_total) == (1, 0)
    assert made.resolved_in_week[0].close_reason == CloseReason.RESOURCE_DELETED


def test_each_source_says_how_its_sweeps_went(weeks: Weeks) -> None:
    weeks.sweep(FRIDAY, corpus=ON)
    weeks.cloud.reports = [build.report(asked=2, denied=1)]
    weeks.sweep(FRIDAY + timedelta(hours=6), corpus=ON)
    (source,) = weeks.make().sources
    assert (source.sweeps, source.complete, source.partial, source.failed) == (2, 1, 1, 0)
    assert source.last_good_at == FRIDAY + timedelta(hours=6)


def test_a_source_that_never_answered_is_listed_with_nothing(weeks: Weeks) -> None:
    (source,) = weeks.make().sources
    assert (source.sweeps, source.last_good_at) == (0, None)
    assert weeks.make().posture is None


def test_a_waiver_in_force_is_named_with_its_reason(weeks: Weeks, session: Session) -> None:
    weeks.sweep(FRIDAY, corpus=OFF)
    number = int(weeks.make().open_at_end[0].id.removeprefix("F-"))
    findings.waive(
        session,
        access=SYSTEM,
        number=number,
        reason="The copy is rebuilt every night from the source.",
        until=MONDAY + timedelta(days=14),
        now=FRIDAY + timedelta(hours=1),
    )
    made = weeks.make(now=MONDAY + timedelta(hours=1))
    assert made.waivers[0].reason.startswith("The copy is rebuilt")
    assert made.open_at_end[0].waived_until == MONDAY + timedelta(days=14)


@pytest.mark.parametrize("week", ["2025-W53", "2026-W99", "last week", "2027-W10"])
def test_a_week_that_does_not_exist_or_has_not_begun_is_refused(weeks: Weeks, week: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        weeks.make(week)
    assert caught.value.mend


def test_a_report_that_was_not_made_is_not_found(weeks: Weeks, session: Session) -> None:
    del weeks
    with pytest.raises(NotFoundError):
        reports.get(session, access=SYSTEM, week="2026-W40")


def test_a_report_is_for_those_who_see_everything(weeks: Weeks, session: Session) -> None:
    weeks.make()
    limited = Access("outsider", frozenset(Scope), frozenset())
    reader = Access("reader", frozenset({Scope.FINDINGS_READ}))
    for access in (limited, reader):
        with pytest.raises(ForbiddenError):
            reports.get(session, access=access, week=WEEK)
        with pytest.raises(ForbiddenError):
            reports.make(session, access=access, week=WEEK, now=MONDAY)


@pytest.mark.parametrize("form", ["html", "pdf", "csv", "json"])
def test_every_format_is_written_from_the_stored_report(weeks: Weeks, form: str) -> None:
    weeks.sweep(FRIDAY, corpus=OFF)
    rendered = reports.render(weeks.make(), form, "en")
    assert rendered.name == f"atalaya-{WEEK}-en.{form}"
    assert rendered.content


def test_an_unknown_format_names_the_known_ones(weeks: Weeks) -> None:
    with pytest.raises(InvalidInputError, match="docx") as caught:
        reports.render(weeks.make(), "docx", "en")
    assert "pdf" in caught.value.mend
