"""The page of one resource of any kind: figures, tables, parts, checks, facts and history."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from fastapi import Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.domain.paging import Page as Window
from app.domain.paging import PageRequest
from app.store.queries import inventory
from app.store.queries.inventory import ResourceItem
from app.store.queries.parts import find_parent, list_parts
from app.web import facts_view
from app.web.fact_tables import Table
from app.web.facts_view import Cell, FactGroup, Reader, RevisionLine
from app.web.lists import Address, ListQuery, Pager, pager_of
from app.web.metric_table import metrics_of
from app.web.pages import Crumb, Page, Shell
from app.web.render import render
from app.web.resource_list import FactColumn, ResourceRow, row_of
from app.web.resource_view import (
    Attribute,
    Check,
    Tab,
    address_of,
    age_of_resource,
    checks_of,
    revision_lines,
    sentence_of,
    tabs_of,
    verdict_of,
)


class DetailQuery(ListQuery):
    """Which tab of the page, and which window of its parts or history."""

    tab: Literal["overview", "parts", "facts", "history"] = "overview"


@dataclass(frozen=True, slots=True)
class Detail:
    """What makes the page of one kind: its figures, tables, and how it shows its parts.

    `parts` is the word for its parts, '' where it has none. `more` holds the fields that the page
    of its kind has of its own.
    """

    sentence: str
    strip: tuple[Attribute, ...]
    tables: tuple[Table, ...]
    parts: str = ""
    part_columns: tuple[FactColumn, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)


Describe = Callable[[ResourceItem, Reader, Shell], Detail]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceDetailPage(Page):
    """The page of one resource; subclasses name the entry of the sidebar.

    `parent` without an address: it is known by its id alone.
    """

    TEMPLATE: ClassVar[str] = "resources/detail/page.html"

    item: ResourceItem
    verdict: Cell
    age: str
    sentence: str
    parent: Crumb | None
    tabs: tuple[Tab, ...]
    tab: str
    strip: tuple[Attribute, ...]
    tables: tuple[Table, ...]
    checks: tuple[Check, ...]
    parts_title: str
    part_columns: tuple[FactColumn, ...]
    parts_are_judged: bool
    parts: tuple[ResourceRow, ...]
    groups: tuple[FactGroup, ...]
    revisions: tuple[RevisionLine, ...]
    pager: Pager


def plain(item: ResourceItem, _reader: Reader, shell: Shell) -> Detail:
    """A kind without figures and tables of its own: its facts tell everything."""
    return Detail(sentence_of(shell, item), (), ())


class DetailPages:
    """Builds the pages of one area. `describe` tells what is special about each resource."""

    def __init__(
        self, page: type[ResourceDetailPage], crumb: Callable[[Shell], Crumb], describe: Describe
    ) -> None:
        self._page, self._crumb, self._describe = page, crumb, describe

    def build(
        self, session: Session, access: Access, shell: Shell, item: ResourceItem, asked: DetailQuery
    ) -> ResourceDetailPage:
        """The page; parts and history are read wholly only where their tab is open."""
        detail = self._describe(item, Reader(item.facts, shell), shell)
        address = Address(address_of(item.kind, item.id), asked.known)
        parts = list_parts(
            session, access=access, resource_id=item.id, page=_window(asked, "parts")
        )
        history = inventory.list_revisions(
            session, access=access, resource_id=item.id, page=_window(asked, "history")
        )
        shown: Window[Any] = parts if asked.tab == "parts" else history
        groups = facts_view.groups_of(item.facts, item.kind, item.id, shell)
        facts = sum(len(group.lines) for group in groups)
        counts = Counts(parts.total or 0, facts, history.total or 0)
        measured, checks = _judged(session, access, shell, item, asked)
        return self._page(
            title=item.name,
            crumbs=(self._crumb(shell),),
            item=item,
            verdict=verdict_of(item, shell),
            age=age_of_resource(item, shell),
            sentence=detail.sentence,
            parent=self._parent(session, access, item),
            tabs=_tabs(shell, address.path, asked.tab, detail, counts),
            tab=asked.tab,
            strip=detail.strip,
            tables=(*detail.tables, *measured),
            checks=checks,
            parts_title=_parts_title(detail, shell),
            part_columns=detail.part_columns,
            parts_are_judged=any(part.worst_rank >= 0 for part in parts.items),
            parts=tuple(row_of(part, shell, detail.part_columns) for part in parts.items),
            groups=groups,
            revisions=revision_lines(history),
            pager=pager_of(shell.t, address, shown),
            **detail.more,
        )

    def respond(
        self,
        request: Request,
        shell: Shell,
        session: Session,
        access: Access,
        resource_id: str,
        asked: DetailQuery,
    ) -> Response:
        """The page of that resource, deleted ones too."""
        item = inventory.get_resource(session, access=access, resource_id=resource_id)
        return render(request, shell, self.build(session, access, shell, item, asked))

    def _parent(self, session: Session, access: Access, item: ResourceItem) -> Crumb | None:
        found = find_parent(session, access=access, resource_id=item.id)
        if found:
            return Crumb(found.name, address_of(found.kind, found.id))
        return Crumb(item.parent_native_id, "") if item.parent_native_id else None


@dataclass(frozen=True, slots=True)
class Counts:
    """What the tabs count."""

    parts: int
    facts: int
    revisions: int


def _judged(
    session: Session, access: Access, shell: Shell, item: ResourceItem, asked: DetailQuery
) -> tuple[tuple[Table, ...], tuple[Check, ...]]:
    """What is measured, and every verdict; only the overview shows them."""
    if asked.tab != "overview":
        return (), ()
    return metrics_of(session, access, shell, item), checks_of(session, access, item)


def _window(asked: DetailQuery, tab: str) -> PageRequest:
    """The window of the open tab; of another one only the count is needed."""
    return asked.window if asked.tab == tab else PageRequest(limit=1)


def _parts_title(detail: Detail, shell: Shell) -> str:
    return detail.parts or shell.t.gettext("Parts")


def _tabs(shell: Shell, base: str, current: str, detail: Detail, counts: Counts) -> tuple[Tab, ...]:
    t = shell.t
    named = [
        ("overview", t.gettext("Overview"), None),
        ("parts", _parts_title(detail, shell), counts.parts),
        ("facts", t.gettext("Facts"), counts.facts),
        ("history", t.gettext("History"), counts.revisions),
    ]
    has_parts = detail.parts or counts.parts
    return tabs_of(base, current, [tab for tab in named if tab[0] != "parts" or has_parts])
