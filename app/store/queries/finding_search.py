"""The list of findings: tabs, filters and orders, each walking an index."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.access import Access
from app.domain.compliance import Severity
from app.domain.paging import Page, PageRequest
from app.kit.errors import InvalidInputError
from app.store import keyset
from app.store.models.compliance import FindingRow
from app.store.models.tallies import FindingTallyRow
from app.store.queries.finding_items import FindingItem, finding_of, select_findings
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


_RISK = (FindingRow.severity_rank, FindingRow.opened_at, FindingRow.id)
_AGE = (FindingRow.opened_at, FindingRow.id)
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
    if total == 0:
        return Page((), "", "", 0, None)
    statement = select_findings().where(visible(access, FindingRow.connection_id))
    for condition in _conditions(session, where, _Walk.of(where, sort, total)):
        statement = statement.where(condition)
    shown = None if where.q else total
    return keyset.fetch(
        session, statement, ORDERS[sort], page or PageRequest(), total=shown, item=finding_of
    )


def count_findings(session: Session, *, access: Access, where: FindingFilter) -> int | None:
    """Findings that match all but `q`; None above COUNTED_ROWS when owner or resource is named."""
    if where.owner or where.resource_id:
        walk = _Walk("resource_id" if where.resource_id else "owner", by_tab=False)
        conditions = _conditions(session, replace(where, q=""), walk)
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


@dataclass(frozen=True, slots=True)
class _Walk:
    """Which index SQLite shall walk (see resource_search): that of an equality (`leader`), which
    may go on by tab in the order of the list, or else that of tab and order."""

    leader: str
    by_tab: bool

    @classmethod
    def of(cls, where: FindingFilter, sort: FindingSort, matches: int | None) -> "_Walk":
        """Few matches may be sorted; many must come in the order of an index."""
        few = matches is not None and matches <= FEW
        in_order = sort is FindingSort.RISK and where.state != "all"
        if where.resource_id:
            return cls("resource_id", by_tab=False)
        for name in ("owner", "policy_id"):
            if getattr(where, name) and (in_order or few):
                return cls(name, by_tab=in_order)
        if where.connection_id and few:
            return cls("connection_id", by_tab=False)
        return cls("", by_tab=True)


def _conditions(session: Session, where: FindingFilter, walk: _Walk) -> list[ColumnElement[bool]]:
    def column(name: str, *, open_to_index: bool) -> ColumnElement[Any]:
        found: InstrumentedAttribute[Any] = getattr(FindingRow, name)
        return found.expression if open_to_index else keyset.unindexed(found, session)

    found: list[ColumnElement[bool]] = []
    if where.state != "all":
        found.append(column("tab", open_to_index=walk.by_tab) == where.state)
    if where.severity:
        found.append(column("severity_rank", open_to_index=walk.by_tab) == _rank(where.severity))
    for name, wanted in _equalities(where):
        found.append(column(name, open_to_index=name == walk.leader) == wanted)
    if where.q:
        text = where.q.casefold().replace("\0", "")
        found.append(FindingRow.search.contains(text, autoescape=True))
    return found


def _equalities(where: FindingFilter) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    if where.resource_id:
        found.append(("resource_id", key_of(where.resource_id, "resource")))
    if where.connection_id:
        found.append(("connection_id", key_of(where.connection_id, "connection")))
    texts = ("owner", "policy_id", "pillar")
    found.extend((name, getattr(where, name)) for name in texts if getattr(where, name))
    return found


def _rank(severity: str) -> int:
    try:
        return Severity(severity).rank
    except ValueError:
        known = ", ".join(Severity)
        raise InvalidInputError(f"no severity {severity[:20]!r}", mend=f"one of {known}") from None
