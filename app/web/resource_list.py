"""A list of the resources of one area: filters, orders, columns and rows, and the same as CSV."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

from fastapi import Request
from pydantic import Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.http.downloads import csv_download
from app.kit.i18n import Translator
from app.store.queries import inventory
from app.store.queries.inventory import ResourceFilter, ResourceItem, ResourceSort
from app.web.facts_view import Cell, Reader
from app.web.lists import (
    Address,
    Column,
    Filter,
    Head,
    ListQuery,
    Pager,
    pager_of,
    sorted_head,
)
from app.web.pages import Page, Shell
from app.web.render import render
from app.web.resource_filters import csv_columns, filters_of
from app.web.resource_view import address_of, age_of_resource, verdict_of


class ResourceQuery(ListQuery):
    """What the address of the list can say; `hide` names columns."""

    provider: Literal["", "aws", "azure", "declared"] = ""
    kind: str = Field("", max_length=50)
    region: str = Field("", max_length=100)
    connection: str = Field("", max_length=40)
    verdict: Literal["", "compliant", "non_compliant", "waived", "unknown", "not_applicable"] = ""
    policy: str = Field("", max_length=100)
    state: Literal["live", "deleted", "all"] = "live"
    sort: ResourceSort = ResourceSort.WORST
    hide: str = Field("", max_length=200)

    @property
    def hidden(self) -> frozenset[str]:
        """Columns that are switched off."""
        return frozenset(self.hide.split(","))

    def where(self, kinds: tuple[str, ...]) -> ResourceFilter:
        """The filter in the words of the query, within these kinds."""
        return ResourceFilter(
            q=self.q,
            kind=self.kind,
            kinds=kinds,
            provider=self.provider,
            region_id=self.region,
            connection_id=self.connection,
            verdict=self.verdict,
            policy_id=self.policy,
            state=self.state,
        )


@dataclass(frozen=True, slots=True)
class FactColumn:
    """A column of the area's own: `write` gives a row's cell. `cls` is when it is dropped."""

    id: str
    label: str
    write: Callable[[ResourceItem, Reader], Cell]
    cls: str = "c-md"
    numeric: bool = False


@dataclass(frozen=True, slots=True)
class Texts:
    """The words of one list. `subject` heads the first column, `empty` is said before a sweep."""

    title: str
    subject: str
    none_yet: str
    empty: str
    search: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of the strip above a list; `url` opens what it counts."""

    label: str
    cell: Cell
    url: str


@dataclass(frozen=True, slots=True)
class ResourceRow:
    """One resource in a list; `cells` are those of the columns that are shown, in their order."""

    item: ResourceItem
    url: str
    verdict: Cell
    cells: tuple[tuple[FactColumn, Cell], ...]
    age: str


@dataclass(frozen=True, slots=True)
class Totals:
    """How many live resources an area has, and how they are judged."""

    all: int
    failing: int
    unsure: int
    regions: int


@dataclass(frozen=True, slots=True)
class Area:
    """What makes the list of one area: its resources, words, columns and sentence.

    `facts_in_csv` are exported beside the attributes that all resources have.
    """

    kinds: tuple[str, ...]
    path: str
    icon: str
    texts: Texts
    columns: tuple[FactColumn, ...]
    sentence: str
    figures: tuple[Figure, ...] = ()
    facts_in_csv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceListPage(Page):
    """The list of one area; subclasses name the entry of the sidebar."""

    TEMPLATE: ClassVar[str] = "resources/list/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"results": "resources/list/_results.html"}

    texts: Texts
    symbol: str
    sentence: str
    figures: tuple[Figure, ...]
    address: Address
    filters: tuple[Filter, ...]
    columns: tuple[Column, ...]
    heads: tuple[Head, ...]
    csv_url: str
    clear_url: str
    rows: tuple[ResourceRow, ...]
    pager: Pager
    any_at_all: bool


def respond(  # noqa: PLR0913, PLR0917 - what a route gets, and what its area is
    request: Request,
    shell: Shell,
    session: Session,
    access: Access,
    asked: ResourceQuery,
    area: Area,
    page: type[ResourceListPage],
) -> Response:
    """The list as a page, a part of one, or CSV."""
    where = asked.where(area.kinds)
    if asked.format == "csv":
        fetch = partial(inventory.search_resources, access=access, where=where, sort=asked.sort)
        name = area.path.removeprefix("/")
        return csv_download(name, csv_columns(area.facts_in_csv), fetch, session)
    return render(request, shell, _page(session, access, shell, asked, area, page))


def totals(session: Session, access: Access, kinds: tuple[str, ...]) -> Totals:
    """What the sentence above a list counts."""
    facets = inventory.facets(session, access=access, kinds=kinds)

    def judged(verdict: str) -> int:
        where = ResourceFilter(kinds=kinds, verdict=verdict)
        found = inventory.search_resources(session, access=access, where=where)
        return len(found.items) if found.total is None else found.total

    return Totals(
        all=sum(count for _, count in facets["kind"]),
        failing=judged("non_compliant"),
        unsure=judged("unknown"),
        regions=sum(1 for region, _ in facets["region_id"] if region),
    )


def counted(t: Translator, found: Totals) -> dict[str, str]:
    """The counts as the sentence of a list names them."""
    return {
        "num": t.number(found.all),
        "regions": t.number(found.regions),
        "failing": t.number(found.failing),
        "unsure": t.number(found.unsure),
    }


def _page(
    session: Session,
    access: Access,
    shell: Shell,
    asked: ResourceQuery,
    area: Area,
    page: type[ResourceListPage],
) -> ResourceListPage:
    found = inventory.search_resources(
        session, access=access, where=asked.where(area.kinds), sort=asked.sort, page=asked.window
    )
    address = Address(area.path, asked.known)
    facets = inventory.facets(session, access=access, kinds=area.kinds)
    shown = tuple(column for column in area.columns if column.id not in asked.hidden)
    return page(
        title=area.texts.title,
        texts=area.texts,
        symbol=area.icon,
        sentence=area.sentence if facets["kind"] else area.texts.none_yet,
        figures=area.figures if facets["kind"] else (),
        address=address,
        filters=filters_of(session, access, shell, address, facets),
        columns=_columns(address, area, asked.hidden),
        heads=_heads(shell, address, area, asked.sort, shown),
        csv_url=address.url(format="csv"),
        clear_url=area.path,
        rows=tuple(row_of(item, shell, shown) for item in found.items),
        pager=pager_of(shell.t, address, found),
        any_at_all=bool(facets["kind"]),
    )


def row_of(item: ResourceItem, shell: Shell, columns: Sequence[FactColumn]) -> ResourceRow:
    """The row of one resource with these columns."""
    reader = Reader(item.facts, shell)
    return ResourceRow(
        item=item,
        url=address_of(item.kind, item.id),
        verdict=verdict_of(item, shell),
        cells=tuple((column, column.write(item, reader)) for column in columns),
        age=age_of_resource(item, shell),
    )


def _columns(address: Address, area: Area, hidden: frozenset[str]) -> tuple[Column, ...]:
    return tuple(
        Column(
            column.id,
            column.label,
            column.id not in hidden,
            address.url(hide=",".join(sorted((hidden ^ {column.id}) - {""}))),
        )
        for column in area.columns
    )


def _heads(
    shell: Shell, address: Address, area: Area, sort: ResourceSort, shown: Sequence[FactColumn]
) -> tuple[Head, ...]:
    t = shell.t
    name = Head("name", area.texts.subject)
    verdict, age = Head("worst", t.gettext("State")), Head("age", t.gettext("Read"), cls="c-md")
    return (
        sorted_head(address, name, up="name", down="-name", sort=sort),
        sorted_head(address, verdict, up="", down="worst", sort=sort),
        *(Head(one.id, one.label, cls=one.cls, numeric=one.numeric) for one in shown),
        Head("findings", t.gettext("Findings"), numeric=True),
        sorted_head(address, age, up="observed_at", down="-observed_at", sort=sort),
    )
