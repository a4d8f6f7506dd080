"""The posture as the overview shows it: the total, five pillars, trends, and what is missing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.compliance import Pillar
from app.domain.reporting import TARGETS, Counts
from app.store.queries import compliance, posture
from app.store.queries.compliance import FindingFilter
from app.store.queries.posture import PostureDay
from app.web.pages import Shell
from app.web.words import PILLAR_ICONS, PILLAR_WAITS, PILLARS

# How far back the beginning of "met since" is looked for.
HISTORY_DAYS = 400
# Under its target by less than this many points a pillar warns; by more it fails.
NEAR_POINTS = 10
# A trend of fewer days than this says little, so it shows a week at least.
SHORTEST_TREND_DAYS = 7

Read = Callable[[PostureDay], Counts | None]


@dataclass(frozen=True, slots=True)
class PillarView:
    """One pillar. `score` None: nothing was judged, and `waits` says for what."""

    pillar: str
    name: str
    icon: str
    target: int
    score: int | None
    change: int | None
    tone: str
    since: datetime | None
    counts: Counts
    findings: int
    waits: str

    @property
    def met(self) -> bool:
        """Whether the score reaches the target."""
        return self.score is not None and self.score >= self.target


@dataclass(frozen=True, slots=True)
class Posture:
    """All pillars together. `change` is in points against `before`, the day compared with.

    `trend` has one value per day of the window, None where none was taken.
    """

    score: int | None
    counts: Counts
    change: int | None
    before: datetime | None
    trend: tuple[int | None, ...]
    pillars: tuple[PillarView, ...]


def load(session: Session, *, access: Access, shell: Shell, days: int) -> Posture:
    """The posture now, compared with `days` days ago."""
    now_counts = posture.posture_now(session, access=access)
    history = posture.posture_history(session, access=access, days=HISTORY_DAYS)
    total = Counts()
    for counts in now_counts.values():
        total = total.plus(counts)
    today = shell.now.astimezone(UTC).date()
    before = _before(history, today - timedelta(days=days))
    return Posture(
        score=total.score,
        counts=total,
        change=_change(total.score, before, lambda day: day.total),
        before=_at(before.day) if before else None,
        trend=_trend(history, today, max(days, SHORTEST_TREND_DAYS)),
        pillars=tuple(
            _pillar(session, access, shell, pillar, now_counts.get(pillar), (history, before))
            for pillar in Pillar
        ),
    )


def _pillar(
    session: Session,
    access: Access,
    shell: Shell,
    pillar: Pillar,
    counts: Counts | None,
    past: tuple[Sequence[PostureDay], PostureDay | None],
) -> PillarView:
    def read(day: PostureDay) -> Counts | None:
        return day.pillars.get(pillar)

    history, before = past
    score, target = counts.score if counts else None, TARGETS[pillar]
    where = FindingFilter(pillar=pillar)
    return PillarView(
        pillar=pillar,
        name=shell.t.gettext(PILLARS[pillar]),
        icon=PILLAR_ICONS[pillar],
        target=target,
        score=score,
        change=_change(score, before, read),
        tone=_tone(score, target),
        since=_since(history, read, target, score),
        counts=counts or Counts(),
        findings=compliance.count_findings(session, access=access, where=where) or 0,
        waits="" if score is not None else shell.t.gettext(PILLAR_WAITS[pillar]),
    )


def _tone(score: int | None, target: int) -> str:
    if score is None:
        return "cm"
    if score >= target:
        return "cp"
    return "cw" if target - score < NEAR_POINTS else "cf"


def _change(score: int | None, before: PostureDay | None, read: Read) -> int | None:
    counts = read(before) if before else None
    if score is None or counts is None or counts.score is None:
        return None
    return score - counts.score


def _before(history: Sequence[PostureDay], cut_off: date) -> PostureDay | None:
    """The last posture taken on that day or before it."""
    return next((day for day in reversed(history) if day.day <= cut_off), None)


def _since(
    history: Sequence[PostureDay], read: Read, target: int, score: int | None
) -> datetime | None:
    """The first day since which the pillar has been on this side of its target."""
    if score is None:
        return None
    first = None
    for day in reversed(history):
        counts = read(day)
        if counts is None or counts.score is None or (counts.score >= target) != (score >= target):
            break
        first = day.day
    return _at(first) if first else None


def _trend(history: Sequence[PostureDay], today: date, days: int) -> tuple[int | None, ...]:
    scores = {day.day: day.total.score for day in history}
    window = (today - timedelta(days=back) for back in range(days - 1, -1, -1))
    return tuple(scores.get(day) for day in window)


def _at(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
