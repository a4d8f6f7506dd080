"""The sentences of a weekly report, written from its data; each is one whole translatable text."""

from app.domain.compliance import Severity
from app.domain.reporting import WeeklyReport
from app.kit.i18n import Translator
from app.reports import dates
from app.reports.words import PILLARS


def in_short(report: WeeklyReport, t: Translator) -> tuple[str, ...]:
    """Three to five sentences: the worst, the movement, the gaps."""
    found = (
        _posture(report, t),
        _worst(report, t),
        _movement(report, t),
        _unowned(report, t),
        _unknown(report, t),
        _waiting(report, t),
    )
    return tuple(sentence for sentence in found if sentence)


def _posture(report: WeeklyReport, t: Translator) -> str:
    posture, before = report.posture, report.previous_posture
    if posture is None or posture.score is None:
        return t.gettext("Nothing was judged in this week: no source had answered by its end.")
    if before is None or before.score is None:
        return t.gettext("Posture is %(score)s of 100, the first week with figures.") % {
            "score": t.number(posture.score)
        }
    change = posture.score - before.score
    if change == 0:
        return t.gettext("Posture stays at %(score)s of 100.") % {"score": t.number(posture.score)}
    text = (
        t.gettext("Posture rose by %(change)s to %(score)s of 100.")
        if change > 0
        else t.gettext("Posture fell by %(change)s to %(score)s of 100.")
    )
    return text % {"change": t.number(abs(change)), "score": t.number(posture.score)}


def _worst(report: WeeklyReport, t: Translator) -> str:
    critical = [line for line in report.open_at_end if line.severity == Severity.CRITICAL]
    if critical:
        text = t.ngettext(
            "%(num)s critical finding is open; the oldest since %(day)s: %(title)s.",
            "%(num)s critical findings are open; the oldest since %(day)s: %(title)s.",
            len(critical),
        )
        oldest = min(critical, key=lambda line: line.opened_at)
        day = dates.day(report, t, oldest.opened_at)
        return text % {"num": t.number(len(critical)), "day": day, "title": t.gettext(oldest.title)}
    if report.posture is None:
        return ""
    return t.gettext("No critical finding is open.")


def _movement(report: WeeklyReport, t: Translator) -> str:
    text = t.gettext(
        "%(opened)s opened in the week, %(resolved)s closed, %(open)s open at its end."
    )
    return text % {
        "opened": t.number(report.opened),
        "resolved": t.number(report.resolved),
        "open": t.number(report.open_total),
    }


def _unowned(report: WeeklyReport, t: Translator) -> str:
    unowned = sum(line.owner is None for line in report.open_at_end)
    if not unowned:
        return ""
    text = t.ngettext(
        "%(num)s open finding has no owner.", "%(num)s open findings have no owner.", unowned
    )
    return text % {"num": t.number(unowned)}


def _unknown(report: WeeklyReport, t: Translator) -> str:
    unknown = report.posture.unknown if report.posture else 0
    if not unknown:
        return ""
    text = t.ngettext(
        "%(num)s verdict is unknown because a fact could not be read; it is no pass.",
        "%(num)s verdicts are unknown because facts could not be read; they are no passes.",
        unknown,
    )
    return text % {"num": t.number(unknown)}


def _waiting(report: WeeklyReport, t: Translator) -> str:
    waiting = [
        t.gettext(PILLARS[line.pillar])
        for line in report.pillars
        if line.counts is None or not line.counts.judged
    ]
    if not waiting:
        return ""
    return t.gettext("Without figures yet: %(pillars)s.") % {"pillars": ", ".join(waiting)}


def made_from(report: WeeklyReport, t: Translator) -> str:
    """How the figures were made: sources, completeness, time of the verdicts, zone."""
    text = t.ngettext(
        "%(num)s source, %(complete)s complete for all its sweeps of the week, %(resources)s "
        "resources. Weeks run from Monday to Sunday in %(zone)s. Verdicts of %(verdicts)s.",
        "%(num)s sources, %(complete)s complete for all their sweeps of the week, %(resources)s "
        "resources. Weeks run from Monday to Sunday in %(zone)s. Verdicts of %(verdicts)s.",
        len(report.sources),
    )
    verdicts_at = report.verdicts_at
    return text % {
        "num": t.number(len(report.sources)),
        "complete": t.number(report.complete_sources),
        "resources": t.number(report.resources),
        "zone": report.time_zone,
        "verdicts": dates.moment(report, t, verdicts_at)
        if verdicts_at
        else t.gettext("no evaluation"),
    }
