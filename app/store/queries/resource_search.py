"""The list of resources: filters, orders, and which index each combination walks.

SQLite has no statistics and takes the first index that fits an equality, then sorts whatever it
finds: with 100,000 rows of one kind that is a hundred times slower than walking the index of the
order. So the index is chosen here, from the maintained counts, and kept from the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, exists, literal_column, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.domain.access import Access
from app.domain.compliance import Verdict
from app.domain.paging import Page, PageRequest
from app.kit.errors import InvalidInputError
from app.store import keyset
from app.store.models.compliance import FindingRow, VerdictRow
from app.store.models.inventory import ResourceRow
from app.store.queries import resource_tallies, verdict_tallies
from app.store.queries.resource_items import ResourceItem, item_of, select_items
from app.store.scoping import key_of, visible

STATES = ("live", "deleted", "all")
VERDICTS = ("", "compliant", "non_compliant", "waived", "unknown", "not_applicable")
# Up to here, sorting what a filter matches costs no more than walking an index in order.
FEW = 500
# Verdicts that resources are not counted by.
BY_VERDICT_ONLY = ("waived", "not_applicable")
ZERO: ColumnElement[int] = literal_column("0")  # a bound 0 would not match the partial index


class ResourceSort(StrEnum):
    """Orders of the list. `worst`: worst finding first, then by name."""

    NAME = "name"
    NAME_DESCENDING = "-name"
    WORST = "worst"
    OBSERVED_AT = "observed_at"
    OBSERVED_AT_DESCENDING = "-observed_at"


@dataclass(frozen=True, slots=True)
class ResourceFilter:
    """What to list; empty text means any, and so do no `kinds`, which narrow to an area.

    `q` is looked for inside name, native id, account and tags, whatever the case. `verdict` is
    non_compliant (not waived), waived, unknown, compliant or not_applicable: of `policy_id`, or
    of the resource as a whole (compliant: judged, and neither a breach nor an unknown).
    """

    q: str = ""
    kind: str = ""
    kinds: tuple[str, ...] = ()
    provider: str = ""
    region_id: str = ""
    connection_id: str = ""
    verdict: str = ""
    policy_id: str = ""
    state: str = "live"


_NAME = (ResourceRow.name, ResourceRow.id)
_OBSERVED = (ResourceRow.observed_at, ResourceRow.id)
ORDERS: Mapping[ResourceSort, keyset.Order] = {
    ResourceSort.NAME: keyset.Order("name", _NAME),
    ResourceSort.NAME_DESCENDING: keyset.Order("-name", _NAME, descending=True),
    ResourceSort.WORST: keyset.Order("worst", (ResourceRow.worst_order, *_NAME)),
    ResourceSort.OBSERVED_AT: keyset.Order("observed_at", _OBSERVED),
    ResourceSort.OBSERVED_AT_DESCENDING: keyset.Order("-observed_at", _OBSERVED, descending=True),
}
# Columns that lead an index of this order.
_LEADING: Mapping[ResourceSort, tuple[str, ...]] = {
    ResourceSort.NAME: ("connection_id", "region_id", "kind"),
    ResourceSort.NAME_DESCENDING: ("connection_id", "region_id", "kind"),
    ResourceSort.WORST: ("kind",),
}
_FILTERS: Mapping[str, InstrumentedAttribute[Any]] = {
    "connection_id": ResourceRow.connection_id,
    "region_id": ResourceRow.region_id,
    "kind": ResourceRow.kind,
    "provider": ResourceRow.provider,
}


def search_resources(
    session: Session,
    *,
    access: Access,
    where: ResourceFilter | None = None,
    sort: ResourceSort = ResourceSort.NAME,
    page: PageRequest | None = None,
) -> Page[ResourceItem]:
    """A page of resources. `total` is None when only reading all matches could tell it.

    InvalidInputError for an unknown state or verdict, or a malformed page key.
    """
    where = where or ResourceFilter()
    if where.state not in STATES:
        raise InvalidInputError(f"no state {where.state[:20]!r}", mend="live, deleted or all")
    if where.verdict not in VERDICTS:
        known = ", ".join(VERDICTS[1:])
        raise InvalidInputError(f"no verdict {where.verdict[:20]!r}", mend=f"one of {known}")
    return _Search(session, access, where, sort).page(page or PageRequest())


class _Search:
    """One search: its counts, its conditions and its page."""

    def __init__(
        self, session: Session, access: Access, where: ResourceFilter, sort: ResourceSort
    ) -> None:
        self._session = session
        self._access = access
        self._where = where
        self._sort = sort
        self._equals = {name: getattr(where, name) for name in _FILTERS if getattr(where, name)}
        self._name_the_kind()
        self._name_the_connection()

    def _name_the_kind(self) -> None:
        """Most providers have one kind here, and kinds lead indexes."""
        provider = self._equals.get("provider")
        if provider is None or "kind" in self._equals:
            return
        kinds = resource_tallies.kinds_of(
            self._session, access=self._access, provider=provider, kinds=self._where.kinds
        )
        if len(kinds) == 1:
            del self._equals["provider"]
            self._equals["kind"] = kinds[0]

    def _name_the_connection(self) -> None:
        only = self._access.connection_ids
        if only is not None and len(only) == 1:
            self._equals.setdefault("connection_id", next(iter(only)))

    def page(self, page: PageRequest) -> Page[ResourceItem]:
        """The page, and its total when that is known without reading all matches."""
        matches = self._count()
        conditions = self._conditions(matches)
        if self._where.q and matches != 0:
            conditions.append(_contains(self._where.q))
            ids = self._found(conditions)
            matches = len(ids) if len(ids) <= FEW else None
            conditions = [ResourceRow.id.in_(ids)] if matches is not None else conditions
        if matches == 0:
            return Page((), "", "", 0, None)
        statement = select_items().where(*conditions)
        order = ORDERS[self._sort]
        return keyset.fetch(self._session, statement, order, page, total=matches, item=item_of)

    def _found(self, conditions: list[ColumnElement[bool]]) -> Sequence[UUID]:
        """What a search finds, up to FEW and one more: few are sorted, many met on the walk.

        Reads an index that holds the text too: some 25 ms for 100,000 resources when the text
        is rare, next to nothing when it is common.
        """
        statement = select(ResourceRow.id).where(*conditions).order_by(*_NAME).limit(FEW + 1)
        return self._session.scalars(statement).all()

    def _conditions(self, matches: int | None) -> list[ColumnElement[bool]]:
        return [
            self._scope(),
            *self._state(),
            *self._by_equality(matches),
            *self._by_kinds(),
            *self._by_verdict(),
        ]

    def _scope(self) -> ColumnElement[bool]:
        return visible(self._access, keyset.unindexed(ResourceRow.connection_id, self._session))

    def _count(self) -> int | None:
        """How many match all but `q`; None when the roll-ups cannot tell."""
        where = self._where
        if where.policy_id or where.verdict in BY_VERDICT_ONLY:
            return self._count_by_verdict()
        return resource_tallies.count(
            self._session,
            access=self._access,
            state=where.state,
            verdict=where.verdict,
            kinds=where.kinds,
            **self._equals,
        )

    def _count_by_verdict(self) -> int | None:
        where = self._where
        verdicts = verdict_tallies.count(
            self._session,
            access=self._access,
            policy_id=where.policy_id,
            verdict=where.verdict,
            connection_id=self._equals.get("connection_id", ""),
        )
        narrowed = where.state != "live" or set(self._equals) - {"connection_id"}
        return None if verdicts and (narrowed or not where.policy_id) else verdicts

    def _state(self) -> tuple[ColumnElement[bool], ...]:
        if self._where.state == "all":
            return ()
        deleted_at = ResourceRow.deleted_at
        return (deleted_at.is_(None) if self._where.state == "live" else deleted_at.is_not(None),)

    def _by_equality(self, matches: int | None) -> list[ColumnElement[bool]]:
        leader = self._leader(matches)
        conditions = []
        for name, value in self._equals.items():
            column = _FILTERS[name]
            wanted = key_of(value, "connection") if name == "connection_id" else value
            plain = name == leader
            left = column if plain else keyset.unindexed(column, self._session)
            conditions.append(left == wanted)
        return conditions

    def _by_kinds(self) -> tuple[ColumnElement[bool], ...]:
        """Most of what an order walks is of the area, so no index is led by these."""
        if not self._where.kinds or "kind" in self._equals:
            return ()
        kind = keyset.unindexed(ResourceRow.kind, self._session)
        return (kind.in_(self._where.kinds),)

    def _leader(self, matches: int | None) -> str | None:
        """The filter whose index to walk: the rarest that leads one of this order."""
        leading = _LEADING.get(self._sort, ())
        if matches is not None and matches <= FEW:
            leading = _LEADING[ResourceSort.NAME]
        usable = [name for name in leading if name in self._equals]
        if len(usable) <= 1:
            return usable[0] if usable else None
        return min(usable, key=self._live)

    def _live(self, name: str) -> int:
        only = {name: self._equals[name]}
        found = resource_tallies.count(self._session, access=self._access, state="live", **only)
        return found or 0

    def _by_verdict(self) -> tuple[ColumnElement[bool], ...]:
        where = self._where
        if where.policy_id or where.verdict in BY_VERDICT_ONLY:
            return (self._has_verdict(),)
        return {
            "": (),
            "non_compliant": (ResourceRow.non_compliant_count > ZERO,),
            "unknown": (ResourceRow.unknown_count > ZERO,),
            "compliant": (
                ResourceRow.worst_rank >= ZERO,
                ResourceRow.non_compliant_count == ZERO,
                ResourceRow.unknown_count == ZERO,
            ),
        }[where.verdict]

    def _has_verdict(self) -> ColumnElement[bool]:
        """Few verdicts lead to their resources; of many, each resource of the list is asked."""
        where = self._where
        statement = _verdicts(where)
        known = verdict_tallies.count(
            self._session, access=self._access, policy_id=where.policy_id, verdict=where.verdict
        )
        if where.policy_id and known <= FEW:
            return ResourceRow.id.in_(statement)
        if where.verdict == "waived" and not where.policy_id and known <= FEW:
            waived = select(FindingRow.resource_id).where(FindingRow.tab == "waived")
            return ResourceRow.id.in_(waived)
        return exists(statement.where(VerdictRow.resource_id == ResourceRow.id))


def _verdicts(where: ResourceFilter) -> Select[UUID]:
    statement = select(VerdictRow.resource_id)
    if where.policy_id:
        statement = statement.where(VerdictRow.policy_id == where.policy_id)
    if not where.verdict:
        return statement
    waived = where.verdict == "waived"
    verdict = Verdict.NON_COMPLIANT.value if waived else where.verdict
    return statement.where(VerdictRow.verdict == verdict, VerdictRow.waived.is_(waived))


def _contains(q: str) -> ColumnElement[bool]:
    # Both sides are casefolded in Python: SQLite's lower() knows ASCII only.
    return ResourceRow.search.contains(q.casefold().replace("\0", ""), autoescape=True)
