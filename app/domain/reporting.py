"""The weekly compliance report as data: what it holds and how its figures follow from counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter

from app.domain.compliance import Pillar
from app.domain.weeks import IsoWeek
from app.kit.ids import digest

# What a pillar must reach; the mockups' targets, to become a setting with the first pillar owner.
TARGETS: Mapping[Pillar, int] = {
    Pillar.COST: 75,
    Pillar.REPRODUCIBILITY: 80,
    Pillar.RESIDENCY: 100,
    Pillar.LIFECYCLE: 80,
    Pillar.UTILISATION: 75,
}

# A report lists at most so many findings of each sort; its totals count all.
LISTED_FINDINGS = 5_000


@dataclass(frozen=True, slots=True)
class Counts:
    """Verdicts of a pillar or policy; not_applicable does not count."""

    compliant: int = 0
    non_compliant: int = 0
    waived: int = 0
    unknown: int = 0

    @property
    def judged(self) -> int:
        """How many verdicts the score rests on."""
        return self.compliant + self.non_compliant + self.waived + self.unknown

    @property
    def score(self) -> int | None:
        """Percent compliant of all judged, rounded down so that 100 means all; None of nothing."""
        return self.compliant * 100 // self.judged if self.judged else None

    def plus(self, other: "Counts") -> "Counts":
        """The sum."""
        return Counts(
            self.compliant + other.compliant,
            self.non_compliant + other.non_compliant,
            self.waived + other.waived,
            self.unknown + other.unknown,
        )


@dataclass(frozen=True, slots=True)
class PillarLine:
    """One pillar at the end of the week and of the week before (None: no data then)."""

    pillar: Pillar
    target: int
    counts: Counts | None
    previous: Counts | None
    open_findings: int


@dataclass(frozen=True, slots=True)
class FindingLine:
    """One finding as it stood at the end of the week."""

    id: str
    policy_id: str
    title: str
    pillar: str
    severity: str
    resource_name: str
    resource_kind: str
    native_id: str
    region_id: str | None
    connection_name: str
    message: str
    owner: str | None
    opened_at: datetime
    resolved_at: datetime | None
    close_reason: str | None
    waived_until: datetime | None


@dataclass(frozen=True, slots=True)
class WaiverLine:
    """One waiver in force at the end of the week."""

    finding_id: str
    policy_id: str
    resource_name: str
    reason: str
    requested_by: str
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class PolicyLine:
    """One policy and its present verdicts when the report was made."""

    policy_id: str
    title: str
    version: str
    mode: str
    counts: Counts
    not_applicable: int


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One source during the week: its sweeps by state, and when it last answered."""

    connection_name: str
    provider: str
    collector_id: str
    sweeps: int
    complete: int
    partial: int
    incomplete: int
    failed: int
    last_good_at: datetime | None


@dataclass(frozen=True, slots=True)
class WeeklyReport:
    """One week, frozen. Times are UTC; `time_zone` says by whose calendar the week runs.

    `open_at_end` holds the findings open at the end, worst first, at most LISTED_FINDINGS of the
    `open_total`; `opened` and `resolved` count those of the week. `preliminary`: the week had not
    ended when this was made. `verdicts_at` is the end of the evaluation that `policies` shows.
    """

    week: str
    time_zone: str
    starts_at: datetime
    ends_at: datetime
    made_at: datetime
    edition: int
    preliminary: bool
    organisation: str
    sandbox: bool
    address: str
    resources: int
    verdicts_at: datetime | None
    pillars: tuple[PillarLine, ...]
    opened: int
    resolved: int
    open_total: int
    open_at_end: tuple[FindingLine, ...]
    resolved_in_week: tuple[FindingLine, ...]
    waivers: tuple[WaiverLine, ...]
    policies: tuple[PolicyLine, ...]
    sources: tuple[SourceLine, ...]

    @property
    def iso_week(self) -> IsoWeek:
        """The week as a value."""
        year, number = self.week.split("-W")
        return IsoWeek(int(year), int(number))

    @property
    def posture(self) -> Counts | None:
        """All pillars together; None when none was judged."""
        return _sum(tuple(line.counts for line in self.pillars))

    @property
    def previous_posture(self) -> Counts | None:
        """The same at the end of the week before."""
        return _sum(tuple(line.previous for line in self.pillars))

    @property
    def complete_sources(self) -> int:
        """Sources whose every sweep of the week was complete, and that had at least one."""
        return sum(line.sweeps > 0 and line.sweeps == line.complete for line in self.sources)


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """What a list of reports shows of one. Scores are percent, None without data."""

    preliminary: bool
    score: int | None
    previous_score: int | None
    pillar_scores: dict[str, int | None]
    opened: int
    resolved: int
    open_total: int
    sources: int
    complete_sources: int


def summary_of(report: WeeklyReport) -> ReportSummary:
    """The summary of a report."""
    return ReportSummary(
        preliminary=report.preliminary,
        score=report.posture.score if report.posture else None,
        previous_score=report.previous_posture.score if report.previous_posture else None,
        pillar_scores={
            line.pillar.value: line.counts.score if line.counts else None for line in report.pillars
        },
        opened=report.opened,
        resolved=report.resolved,
        open_total=report.open_total,
        sources=len(report.sources),
        complete_sources=report.complete_sources,
    )


def _sum(parts: tuple[Counts | None, ...]) -> Counts | None:
    known = [part for part in parts if part is not None and part.judged]
    if not known:
        return None
    total = Counts()
    for part in known:
        total = total.plus(part)
    return total


_ADAPTER: TypeAdapter[WeeklyReport] = TypeAdapter(WeeklyReport)


def report_to_json(report: WeeklyReport) -> dict[str, Any]:
    """JSON form, as stored and as served."""
    document: dict[str, Any] = _ADAPTER.dump_python(report, mode="json")
    return document


def report_from_json(document: Mapping[str, Any]) -> WeeklyReport:
    """The inverse of `report_to_json`."""
    return _ADAPTER.validate_python(document)


def report_digest(report: WeeklyReport) -> str:
    """Hex sha256 of the content, without edition and time of making."""
    document = report_to_json(report)
    for volatile in ("made_at", "edition"):
        document.pop(volatile)
    return digest(document)
