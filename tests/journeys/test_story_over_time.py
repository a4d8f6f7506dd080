"""One bucket through a week: found, unreadable, healed, deleted, made anew; and its report."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from app.kit.clock import utc_now
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Fault
from app.store.session import transaction
from tests import build
from tests.support import own_aws
from tests.support.journeys import Installation, Journey, csv_rows, pdf_words, seen_words
from tests.support.processes import wait_until

NAME, WEEK = "corpus-story", "2026-W48"
TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY = (
    datetime(2026, 11, day, 9, tzinfo=UTC) for day in range(24, 29)
)
MONDAY_AFTER = datetime(2026, 11, 30, 6, tzinfo=UTC)
VERSIONS, COOLING = "versioning-on", "data-cools-in-time"
OPENED = {VERSIONS, COOLING, "soft-delete-on", "inventory-configured"}


@dataclass
class Moment:
    """What the product said of the bucket at one time, in API and pages."""

    sweep: dict[str, Any]
    resources: list[dict[str, Any]]
    verdicts: dict[str, dict[str, Any]]
    findings: list[dict[str, Any]]
    storage: str
    facts: str
    pages: dict[str, str] = field(default_factory=dict)

    def finding(self, policy_id: str) -> dict[str, Any]:
        """The newest finding of a policy."""
        found = [one for one in self.findings if one["policy_id"] == policy_id]
        return max(found, key=lambda one: str(one["opened_at"]))


@dataclass
class Story:
    """The product, its source, and the moments so far."""

    journey: Journey
    aws: AwsServer
    connection_id: str
    moments: dict[datetime, Moment] = field(default_factory=dict)

    def passes(self, now: datetime) -> Moment:
        """Sweeps and judges at this time, and looks at everything."""
        build.sweep(transaction, UUID(self.connection_id), now=now)
        with transaction() as session:
            build.evaluate(session, now=now)
        with self.journey.at(now):
            self.moments[now] = self._look()
        return self.moments[now]

    def _look(self) -> Moment:
        journey = self.journey
        rows = journey.every("/resources", state="all")
        newest = max(rows, key=lambda row: str(row["first_observed_at"]))["id"]
        findings = journey.findings()
        listed = journey.every(f"/resources/{newest}/verdicts")
        return Moment(
            sweep=journey.last_sweep(self.connection_id),
            resources=rows,
            verdicts={row["policy_id"]: row for row in listed},
            findings=findings,
            storage=journey.words(f"/storage/{newest}"),
            facts=journey.words(f"/storage/{newest}?tab=facts"),
            pages={one["id"]: journey.words(f"/findings/{one['id']}") for one in findings},
        )


@pytest.fixture(scope="module")
def told(installation_of_module: Installation) -> Story:
    """The whole week, told once."""
    aws = AwsServer()
    aws.start()
    try:
        with installation_of_module.open() as journey, pytest.MonkeyPatch.context() as patch:
            patch.setenv("OWN_AWS_SECRET", aws.secret_access_key)
            with journey.at(TUESDAY):
                connection = journey.connect("AWS", "aws", own_aws.settings(aws))
            story = Story(journey, aws, connection)
            tell(story)
            return story
    finally:
        aws.stop()


def tell(story: Story) -> None:
    s3 = own_aws.make_bucket(story.aws, NAME)
    found = story.passes(TUESDAY)
    with story.journey.at(TUESDAY):
        excuse = {"reason": "moves in spring", "until": "2027-03-01T00:00:00Z"}
        story.journey.post(f"/findings/{found.finding(COOLING)['id']}/waivers", excuse)
    denied = Fault(operation="s3.GetBucketVersioning", status=403, code="AccessDenied")
    story.aws.faults.add(denied)
    story.passes(WEDNESDAY)
    story.aws.faults.clear()
    s3.put_bucket_versioning(Bucket=NAME, VersioningConfiguration={"Status": "Enabled"})
    story.passes(THURSDAY)
    s3.delete_bucket(Bucket=NAME)
    story.passes(FRIDAY)
    made = utc_now().replace(microsecond=0)
    wait_until(lambda: utc_now().replace(microsecond=0) > made)  # S3 tells births by the second
    own_aws.make_bucket(story.aws, NAME)
    story.passes(SATURDAY)


@pytest.fixture
def story(told: Story, installation_of_module: Installation) -> Iterator[Story]:
    with installation_of_module.open():
        yield told


def test_without_versions_a_finding_opens(story: Story) -> None:
    moment = story.moments[TUESDAY]
    assert {one["policy_id"] for one in moment.findings} == OPENED
    assert moment.verdicts[VERSIONS]["verdict"] == "non_compliant"
    finding = moment.finding(VERSIONS)
    assert (finding["state"], instant(finding["opened_at"])) == ("open", TUESDAY)
    assert f"Versioning of {NAME} is off" in moment.pages[finding["id"]]


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_a_refusal_leaves_the_finding_open_and_the_verdict_unknown(story: Story) -> None:
    moment = story.moments[WEDNESDAY]
    assert moment.sweep["state"] == "partial"
    verdict = moment.verdicts[VERSIONS]
    assert (verdict["verdict"], instant(verdict["since"])) == ("unknown", WEDNESDAY)
    assert "AccessDenied" in " ".join(verdict["reasons"])
    finding = moment.finding(VERSIONS)
    assert (finding["state"], finding["id"]) == (
        "open",
        story.moments[TUESDAY].finding(VERSIONS)["id"],
    )
    assert instant(finding["last_observed_at"]) == TUESDAY
    assert len(moment.resources) == 1


def test_pages_say_unreadable_and_since_when(story: Story) -> None:
    moment = story.moments[WEDNESDAY]
    assert "facts.versioning_on could not be read: AccessDenied since 25 Nov" in moment.storage
    assert "Not readable AccessDenied" in moment.facts
    page = moment.pages[moment.finding(VERSIONS)["id"]]
    assert "Last seen yesterday" in page or "Last seen 1 d" in page or "24 Nov" in page


def test_versions_switched_on_close_it_and_say_why(story: Story) -> None:
    moment = story.moments[THURSDAY]
    finding = moment.finding(VERSIONS)
    assert (finding["state"], finding["close_reason"]) == ("resolved", "compliant")
    assert instant(finding["resolved_at"]) == THURSDAY
    assert "The resource is compliant now." in moment.pages[finding["id"]]
    assert moment.verdicts[VERSIONS]["verdict"] == "compliant"
    assert moment.verdicts[COOLING]["waived"] is True


def test_deletion_closes_what_was_open_the_waived_one_too(story: Story) -> None:
    moment = story.moments[FRIDAY]
    assert {one["state"] for one in moment.findings} == {"resolved"}
    reasons = {one["policy_id"]: one["close_reason"] for one in moment.findings}
    assert reasons == {
        VERSIONS: "compliant",
        "soft-delete-on": "compliant",
        COOLING: "resource_deleted",
        "inventory-configured": "resource_deleted",
    }
    (row,) = moment.resources
    assert instant(row["deleted_at"]) == FRIDAY
    assert "It was gone on 27 Nov" in moment.storage
    assert "No longer judged" in moment.storage


def test_a_bucket_made_anew_is_a_new_life_without_the_old_waiver(story: Story) -> None:
    moment = story.moments[SATURDAY]
    lives = sorted(moment.resources, key=lambda row: str(row["first_observed_at"]))
    assert [row["name"] for row in lives] == [NAME, NAME]
    assert [row["deleted_at"] is None for row in lives] == [False, True]
    assert instant(lives[1]["first_observed_at"]) == SATURDAY
    born = {one["policy_id"]: one for one in moment.findings if one["state"] == "open"}
    assert set(born) == OPENED
    assert {one["resource_id"] for one in born.values()} == {lives[1]["id"]}
    assert {one["overlay"] for one in born.values()} == {""}
    assert not any(row["waived"] for row in moment.verdicts.values())


def test_the_report_of_the_week_says_exactly_this(story: Story) -> None:
    with story.journey.at(MONDAY_AFTER):
        made = story.journey.report(WEEK)
    assert (made["opened"], made["resolved"], made["open_total"]) == (8, 4, 4)
    assert made["resources"] == 1
    assert {line["policy_id"] for line in made["open_at_end"]} == OPENED
    assert {instant(line["opened_at"]) for line in made["open_at_end"]} == {SATURDAY}
    closed = {
        line["policy_id"]: (instant(line["resolved_at"]), line["close_reason"])
        for line in made["resolved_in_week"]
    }
    assert closed == {
        VERSIONS: (THURSDAY, "compliant"),
        "soft-delete-on": (THURSDAY, "compliant"),
        COOLING: (FRIDAY, "resource_deleted"),
        "inventory-configured": (FRIDAY, "resource_deleted"),
    }
    assert made["waivers"] == []  # the one that was given excuses nothing any more
    (source,) = made["sources"]
    assert (source["sweeps"], source["complete"], source["partial"]) == (5, 4, 1)
    assert instant(source["last_good_at"]) == SATURDAY


def test_all_four_formats_say_the_same(story: Story) -> None:
    with story.journey.at(MONDAY_AFTER):
        made = story.journey.report(WEEK)
        rows = csv_rows(story.journey.file(WEEK, "csv"))
        sheet = seen_words(story.journey.file(WEEK, "html").decode())
        paper = pdf_words(story.journey.file(WEEK, "pdf"))
        page = story.journey.words(f"/reports/{WEEK}")
    lines = [*made["open_at_end"], *made["resolved_in_week"]]
    assert sorted((row["id"], row["state"]) for row in rows) == sorted(
        (line["id"], "resolved" if line["resolved_at"] else "open") for line in lines
    )
    for text in (sheet, paper, page):
        assert all(line["id"] in text for line in lines)
        assert made["digest"][:23] in text
        assert "moves in spring" not in text
