"""A weekly report as people read it: texts formatted and translated, for HTML and PDF alike."""

from zoneinfo import ZoneInfo

from app.domain.compliance import Severity
from app.domain.reporting import FindingLine, PillarLine, WeeklyReport, report_digest
from app.kit.i18n import Translator
from app.reports import dates
from app.reports.rows import (
    FindingRow,
    PillarRow,
    PolicyRow,
    ReportView,
    SourceRow,
    WaiverRow,
)
from app.reports.sentences import in_short, made_from
from app.reports.words import CLOSE_REASONS, PILLARS, SEVERITIES

# How many findings the readable formats show; CSV and JSON hold all of them.
SHOWN_FINDINGS = 40
# Below its target by less than this many points a pillar warns; by more it fails.
NEAR_POINTS = 10


def view_of(report: WeeklyReport, t: Translator) -> ReportView:
    """The report in the translator's language; times in the report's own zone."""
    words = _Words(report, t)
    score = report.posture.score if report.posture else None
    before = report.previous_posture.score if report.previous_posture else None
    return ReportView(
        language=t.language,
        labels=words.labels(),
        organisation=report.organisation,
        title=t.gettext("Compliance report, week %(week)s") % {"week": report.iso_week.number},
        subtitle=words.subtitle(),
        notices=words.notices(),
        posture=t.number(score) if score is not None else t.gettext("No data"),
        posture_percent=score,
        posture_change=None if score is None or before is None else score - before,
        posture_before=t.gettext("on W%(week)s") % {"week": report.iso_week.previous().number},
        short=in_short(report, t),
        pillars=tuple(words.pillar(line) for line in report.pillars),
        findings=words.findings(report.open_at_end),
        findings_more=words.more(report.open_total),
        resolved=words.findings(report.resolved_in_week),
        resolved_more=words.more(report.resolved),
        waivers=words.waivers(),
        policies=words.policies(),
        sources=words.sources(),
        made_from=made_from(report, t),
        address=f"{report.address}/reports/{report.week}",
    )


class _Words:
    """Formats the parts of one report in one language."""

    def __init__(self, report: WeeklyReport, t: Translator) -> None:
        self.report, self.t, self.zone = report, t, ZoneInfo(report.time_zone)

    def subtitle(self) -> str:
        """Days, time of making and digest."""
        week, t = self.report.iso_week, self.t
        text = t.gettext("%(first)s to %(last)s. Made %(made)s. Figures frozen, digest %(digest)s")
        return text % {
            "first": t.day(week.monday, "EEE d MMM"),
            "last": t.day(week.sunday, t.gettext("EEE d MMMM y")),
            "made": t.when(self.report.made_at, self.zone, "EEE d MMM HH:mm z"),
            "digest": "sha256:" + report_digest(self.report)[:16],
        }

    def notices(self) -> tuple[str, ...]:
        """What a reader must know before the figures."""
        t, notices = self.t, []
        if self.report.sandbox:
            notices.append(
                t.gettext("Sandbox: every figure comes from the simulated estate, none is real.")
            )
        if self.report.preliminary:
            ends = dates.moment(self.report, t, self.report.ends_at)
            notices.append(
                t.gettext("Preliminary: the week ends on %(ends)s, figures will change.")
                % {"ends": ends}
            )
        return tuple(notices)

    def pillar(self, line: PillarLine) -> PillarRow:
        """One pillar with its score against the target."""
        score = line.counts.score if line.counts else None
        before = line.previous.score if line.previous else None
        level, text = self._level(score, line.target)
        return PillarRow(
            name=self.t.gettext(PILLARS[line.pillar]),
            score=self.t.number(score) if score is not None else "",
            change=None if score is None or before is None else score - before,
            percent=score,
            target=line.target,
            level=level,
            level_text=text,
            open_findings=self.t.number(line.open_findings) if line.counts else "",
            detail=self._judged(line),
        )

    def _judged(self, line: PillarLine) -> str:
        if line.counts is None or not line.counts.judged:
            return ""
        text = self.t.gettext(
            "%(compliant)s pass, %(failing)s fail, %(waived)s waived, %(unknown)s unknown"
        )
        return text % {
            "compliant": self.t.number(line.counts.compliant),
            "failing": self.t.number(line.counts.non_compliant),
            "waived": self.t.number(line.counts.waived),
            "unknown": self.t.number(line.counts.unknown),
        }

    def _level(self, score: int | None, target: int) -> tuple[str, str]:
        if score is None:
            return "unknown", self.t.gettext("waits for a source")
        if score >= target:
            return "pass", self.t.gettext("met")
        return ("warn" if target - score < NEAR_POINTS else "fail"), self.t.gettext("below")

    def findings(self, lines: tuple[FindingLine, ...]) -> tuple[FindingRow, ...]:
        """The first of the findings, as rows."""
        return tuple(self._finding(line) for line in lines[:SHOWN_FINDINGS])

    def more(self, total: int) -> str:
        """What the shown rows leave out, or an empty text."""
        hidden = total - SHOWN_FINDINGS
        if hidden <= 0:
            return ""
        text = self.t.ngettext(
            "%(num)s more finding is in the CSV and JSON of this report.",
            "%(num)s more findings are in the CSV and JSON of this report.",
            hidden,
        )
        return text % {"num": self.t.number(hidden)}

    def _finding(self, line: FindingLine) -> FindingRow:
        severity = Severity(line.severity)
        return FindingRow(
            id=line.id,
            url=f"{self.report.address}/findings/{line.id}",
            severity_rank=severity.rank,
            severity=self.t.gettext(SEVERITIES[severity]),
            title=self.t.gettext(line.title),
            resource=line.resource_name,
            place=line.region_id or self.t.gettext("region unknown"),
            owner=line.owner or self.t.gettext("no owner"),
            opened=dates.day(self.report, self.t, line.opened_at),
            state=self._state(line),
        )

    def _state(self, line: FindingLine) -> str:
        if line.close_reason:
            return self.t.gettext(CLOSE_REASONS[line.close_reason])
        if line.waived_until:
            ends = dates.last_day(self.t, line.waived_until)
            return self.t.gettext("waived to %(ends)s") % {"ends": ends}
        is_new = line.opened_at >= self.report.starts_at
        return self.t.gettext("new") if is_new else self.t.gettext("still open")

    def waivers(self) -> tuple[WaiverRow, ...]:
        """Waivers in force at the end of the week."""
        return tuple(
            WaiverRow(
                finding_id=line.finding_id,
                subject=f"{line.resource_name}, {line.policy_id}",
                reason=line.reason,
                ends=dates.last_day(self.t, line.ends_at),
            )
            for line in self.report.waivers
        )

    def policies(self) -> tuple[PolicyRow, ...]:
        """Verdicts by policy."""
        number = self.t.number
        return tuple(
            PolicyRow(
                policy_id=line.policy_id,
                title=self.t.gettext(line.title),
                compliant=number(line.counts.compliant),
                non_compliant=number(line.counts.non_compliant),
                waived=number(line.counts.waived),
                unknown=number(line.counts.unknown),
                not_applicable=number(line.not_applicable),
            )
            for line in self.report.policies
        )

    def sources(self) -> tuple[SourceRow, ...]:
        """What each source answered during the week."""
        return tuple(self._source(index) for index in range(len(self.report.sources)))

    def _source(self, index: int) -> SourceRow:
        line, t = self.report.sources[index], self.t
        complete = line.sweeps > 0 and line.complete == line.sweeps
        never = line.complete + line.partial == 0
        text = t.gettext("complete") if complete else t.gettext("gaps")
        if never:
            text = t.gettext("no answer") if line.sweeps else t.gettext("not swept")
        return SourceRow(
            name=f"{line.connection_name} ({line.collector_id})",
            level="pass" if complete else "fail" if never else "warn",
            level_text=text,
            sweeps=t.gettext("%(good)s of %(all)s")
            % {"good": t.number(line.complete), "all": t.number(line.sweeps)},
            last_good=dates.moment(self.report, t, line.last_good_at)
            if line.last_good_at
            else t.gettext("never"),
        )

    def labels(self) -> dict[str, str]:
        """Headings and column names."""
        texts = {
            "posture": "Posture", "short": "In short", "pillars": "Pillars", "pillar": "Pillar",
            "score": "Score", "against": "Against target", "target": "Target", "state": "State",
            "open": "Still open", "findings": "Findings that need a decision",
            "severity": "Severity", "finding": "Finding", "resource": "Resource", "owner": "Owner",
            "opened": "Opened", "resolved": "Closed this week", "waivers": "Waivers",
            "waiver": "Waiver", "for": "For",
            "ends": "Ends", "reason": "Reason", "policies": "Policies", "policy": "Policy",
            "pass": "Pass", "fail": "Fail", "waived": "Waived", "unknown": "Unknown",
            "not_applicable": "Not applicable", "sources": "Sources", "source": "Source",
            "sweeps": "Complete sweeps", "last_good": "Last good",
            "made": "How these figures were made", "none": "None.", "verdicts": "Verdicts",
        }  # fmt: skip
        return {name: self.t.gettext(text) for name, text in texts.items()}
