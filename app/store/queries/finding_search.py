"""The list of findings: tabs, filters and orders, each walking an index."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.access import Access
from app.domain.compliance import Severity, Verdict
from app.domain.paging import Page, PageRequest
from app.kit.errors import InvalidInputError
from app.store import keyset
from app.store.models.compliance import FindingRow, VerdictRow
from app.store.models.inventory import ResourceRow
from app.store.models.tallies import FindingTallyRow
from app.store.scoping import key_of, visible

TABS = ("open", "snoozed", "waived", "resolved")
# Up to here, sorting what a filter matches costs no more than walking an index in order.
FEW = 500
# Counting by owner or resource reads rows; above this many the total is not known.
COUNTED_ROWS = 10_000


class FindingSort(StrEnum):
    """Orders of the list. `risk`: most severe first, and of those the newest."""

    RISK = "risk"
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """What to list; empty text means any.

    `state` is a tab: open (neither snoozed nor waived), snoozed, waived, resolved or all. `q` is
    looked for inside title, policy, resource and message, whatever the case.
    """

    q: str = ""
    state: str = "open"
    severity: str = ""
    pillar: str = ""
    policy_id: str = ""
    owner: str = ""
    connection_id: str = ""
    resource_id: str = ""


@dataclass(frozen=True, slots=True)
class FindingItem:
    """One finding. `state` is open or resolved; `overlay` is waived, snoozed or nothing.

    `last_observed_at`: when the breach was last seen; while it is open and still judged
    non_compliant that is the last receipt of its resource.
    """

    number: int
    id: str
    policy_id: str
    policy_version: str
    resource_id: str
    resource_name: str
    resource_kind: str
    connection_id: str
    title: str
    pillar: str
    severity: str
    state: str
    overlay: str
    message: str
    opened_at: datetime
    last_observed_at: datetime
    resolved_at: datetime | None
    close_reason: str | None
    owner: str | None
    snoozed_until: datetime | None
    waived_until: datetime | None


_SEEN_NOW = and_(FindingRow.state == "open", VerdictRow.verdict == Verdict.NON_COMPLIANT)
_COLUMNS = (
    FindingRow.number, FindingRow.policy_id, FindingRow.policy_version, FindingRow.resource_id,
    FindingRow.connection_id, FindingRow.title, FindingRow.pillar, FindingRow.severity,
    FindingRow.severity_rank, FindingRow.state, FindingRow.tab, FindingRow.message,
    FindingRow.opened_at, FindingRow.resolved_at, FindingRow.close_reason, FindingRow.owner,
    FindingRow.snoozed_until, FindingRow.waived_until, FindingRow.used, FindingRow.revision_id,
    ResourceRow.name.label("resource_name"), ResourceRow.kind.label("resource_kind"),
    case(
        (_SEEN_NOW, ResourceRow.observed_at), else_=FindingRow.last_observed_at
    ).label("last_observed_at"),
)  # fmt: skip

_RISK = (FindingRow.severity_rank, FindingRow.opened_at, FindingRow.number)
_AGE = (FindingRow.opened_at, FindingRow.number)
ORDERS: Mapping[FindingSort, keyset.Order] = {
    FindingSort.RISK: keyset.Order("risk", _RISK, descending=True),
    FindingSort.NEWEST: keyset.Order("newest", _AGE, descending=True),
    FindingSort.OLDEST: keyset.Order("oldest", _AGE),
}
_TALLIED: Mapping[str, InstrumentedAttribute[Any]] = {
    "severity": FindingTallyRow.severity,
    "pillar": FindingTallyRow.pillar,
    "policy_id": FindingTallyRow.policy_id,
    "connection_id": FindingTallyRow.connection_id,
}


def select_findings() -> Select[*tuple[Any, ...]]:
    """Findings with what they show of their resource; outer joins keep the order of the walk."""
    same = and_(
        VerdictRow.policy_id == FindingRow.policy_id,
        VerdictRow.resource_id == FindingRow.resource_id,
    )
    return (
        select(*_COLUMNS)
        .outerjoin(ResourceRow, ResourceRow.id == FindingRow.resource_id)
        .outerjoin(VerdictRow, same)
    )


def search_findings(
    session: Session,
    *,
    access: Access,
    where: FindingFilter | None = None,
    sort: FindingSort = FindingSort.RISK,
    page: PageRequest | None = None,
) -> Page[FindingItem]:
    """A page of findings; `total` is None when only reading all matches could tell it.

    InvalidInputError for an unknown state or severity, or a malformed page key.
    """
    where = where or FindingFilter()
    if where.state not in (*TABS, "all"):
        known = ", ".join(("all", *TABS))
        raise InvalidInputError(f"no state {where.state[:20]!r}", mend=f"one of {known}")
    total = count_findings(session, access=access, where=where)
    statement = select_findings().where(visible(access, FindingRow.connection_id))
    for condition in _conditions(session, where, total):
        statement = statement.where(condition)
    shown = None if where.q else total
    return keyset.fetch(
        session, statement, ORDERS[sort], page or PageRequest(), total=shown, item=finding_of
    )


def count_findings(session: Session, *, access: Access, where: FindingFilter) -> int | None:
    """Findings that match all but `q`; None above COUNTED_ROWS when owner or resource is named."""
    if where.owner or where.resource_id:
        conditions = _conditions(session, where, None, q=False)
        seen = visible(access, FindingRow.connection_id)
        counted = select(FindingRow.number).where(seen, *conditions)
        limited = counted.limit(COUNTED_ROWS + 1).subquery()
        total = session.scalar(select(func.count()).select_from(limited)) or 0
        return total if total <= COUNTED_ROWS else None
    statement = select(func.coalesce(func.sum(FindingTallyRow.findings), 0)).where(
        visible(access, FindingTallyRow.connection_id)
    )
    if where.state != "all":
        statement = statement.where(FindingTallyRow.tab == where.state)
    for name, column in _TALLIED.items():
        if value := getattr(where, name):
            wanted = key_of(value, "connection") if name == "connection_id" else value
            statement = statement.where(column == wanted)
    return int(session.scalar(statement) or 0)


def _conditions(
    session: Session, where: FindingFilter, matches: int | None, *, q: bool = True
) -> list[ColumnElement[bool]]:
    """Conditions, with only the index of one equality open to SQLite (see resource_search)."""
    found: list[ColumnElement[bool]] = []
    if where.state != "all":
        found.append(FindingRow.tab == where.state)
    if where.severity:
        found.append(FindingRow.severity_rank == _rank(where.severity))
    leader = _leader(where, matches)
    for name, column, wanted in _equalities(where):
        left = column if name == leader else keyset.unindexed(column, session)
        found.append(left == wanted)
    if where.q and q:
        text = where.q.casefold().replace("\0", "")
        found.append(FindingRow.search.contains(text, autoescape=True))
    return found


def _leader(where: FindingFilter, matches: int | None) -> str | None:
    named = [field.name for field in fields(where) if getattr(where, field.name)]
    for name in ("resource_id", "owner", "policy_id"):
        if name in named:
            return name
    few = matches is not None and matches <= FEW
    return "connection_id" if few and "connection_id" in named else None


def _equalities(
    where: FindingFilter,
) -> list[tuple[str, InstrumentedAttribute[Any], Any]]:
    found: list[tuple[str, InstrumentedAttribute[Any], Any]] = []
    if where.resource_id:
        key = key_of(where.resource_id, "resource")
        found.append(("resource_id", FindingRow.resource_id, key))
    if where.connection_id:
        key = key_of(where.connection_id, "connection")
        found.append(("connection_id", FindingRow.connection_id, key))
    texts = ("owner", "policy_id", "pillar")
    found.extend(
        (name, getattr(FindingRow, name), getattr(where, name))
        for name in texts
        if getattr(where, name)
    )
    return found


def _rank(severity: str) -> int:
    try:
        return Severity(severity).rank
    except ValueError:
        known = ", ".join(Severity)
        raise InvalidInputError(f"no severity {severity[:20]!r}", mend=f"one of {known}") from None


def finding_of(row: keyset.AnyRow) -> FindingItem:
    """The value of one row of `select_findings`."""
    return FindingItem(
        number=row.number,
        id=f"F-{row.number}",
        policy_id=row.policy_id,
        policy_version=row.policy_version,
        resource_id=str(row.resource_id),
        resource_name=row.resource_name,
        resource_kind=row.resource_kind,
        connection_id=str(row.connection_id),
        title=row.title,
        pillar=row.pillar,
        severity=row.severity,
        state=row.state,
        overlay=row.tab if row.tab in ("snoozed", "waived") else "",
        message=row.message,
        opened_at=row.opened_at,
        last_observed_at=row.last_observed_at,
        resolved_at=row.resolved_at,
        close_reason=row.close_reason,
        owner=row.owner,
        snoozed_until=row.snoozed_until if row.tab == "snoozed" else None,
        waived_until=row.waived_until if row.tab == "waived" else None,
    )
