"""The posture: counts by pillar now, and day by day."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.reporting import Counts
from app.store.models.work import PostureRow
from app.store.queries.verdict_tallies import pillar_counts

# The same counts and the same score everywhere: `Counts.score` is None when nothing was judged.
PillarCounts = Counts


@dataclass(frozen=True, slots=True)
class PostureDay:
    """The last posture of one day, by pillar; `total` is all pillars together."""

    day: date
    pillars: dict[str, PillarCounts]

    @property
    def total(self) -> PillarCounts:
        """All pillars together."""
        whole = PillarCounts()
        for counts in self.pillars.values():
            whole = whole.plus(counts)
        return whole


def posture_now(session: Session, *, access: Access) -> dict[str, PillarCounts]:
    """Verdicts of enforced policies by pillar, as of the last evaluation; no data, no pillar."""
    return pillar_counts(session, access=access)


def posture_history(session: Session, *, access: Access, days: int) -> tuple[PostureDay, ...]:
    """The last `days` days that have a posture, oldest first; days without one are missing.

    It is kept for the whole estate only, so callers limited to some connections get none.
    """
    if access.connection_ids is not None:
        return ()
    newest = (
        select(PostureRow.day)
        .distinct()
        .order_by(PostureRow.day.desc())
        .limit(max(1, min(days, 1_000)))
        .subquery()
    )
    rows = session.scalars(
        select(PostureRow)
        .where(PostureRow.day.in_(select(newest.c.day)))
        .order_by(PostureRow.day, PostureRow.pillar)
    )
    found: dict[str, dict[str, PillarCounts]] = {}
    for row in rows:
        counts = PillarCounts(row.compliant, row.non_compliant, row.waived, row.unknown)
        found.setdefault(row.day, {})[row.pillar] = counts
    return tuple(PostureDay(date.fromisoformat(day), pillars) for day, pillars in found.items())
