"""The list of reports made so far, newest week first."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.paging import Page, PageRequest
from app.domain.reporting import ReportSummary
from app.store.keyset import AnyRow, Order, fetch
from app.store.models.work import ReportRow
from app.store.queries.reports import demand_whole_estate

_NEWEST_WEEK = Order("week", (ReportRow.week, ReportRow.edition, ReportRow.id), descending=True)


@dataclass(frozen=True, slots=True)
class ReportItem:
    """One edition of one week's report, without its content."""

    id: str
    week: str
    time_zone: str
    edition: int
    starts_at: datetime
    ends_at: datetime
    made_at: datetime
    made_by: str
    digest: str
    summary: ReportSummary


def item_of(row: AnyRow | ReportRow) -> ReportItem:
    """The item of a row that has the columns of a list."""
    return ReportItem(
        id=str(row.id),
        week=row.week,
        time_zone=row.time_zone,
        edition=row.edition,
        starts_at=row.starts_at,
        ends_at=row.ends_at,
        made_at=row.made_at,
        made_by=row.made_by,
        digest=row.digest,
        summary=ReportSummary(**row.summary),
    )


def list_items(session: Session, *, access: Access, page: PageRequest) -> Page[ReportItem]:
    """All editions, newest week first, then newest edition."""
    demand_whole_estate(access)
    statement = select(
        ReportRow.id, ReportRow.week, ReportRow.time_zone, ReportRow.edition, ReportRow.starts_at,
        ReportRow.ends_at, ReportRow.made_at, ReportRow.made_by, ReportRow.digest,
        ReportRow.summary,
    )  # fmt: skip
    total = session.scalar(select(func.count()).select_from(ReportRow))
    return fetch(session, statement, _NEWEST_WEEK, page, total=total, item=item_of)
