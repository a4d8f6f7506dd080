"""Storage: all buckets and accounts with filters, orders and columns, and the same as CSV."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session
from starlette.responses import Response
from typing_extensions import override

from app.domain.access import Access
from app.domain.fact_kinds import kinds_of
from app.domain.paging import PageRequest
from app.http.deps import DbSession, ResourcesReader
from app.http.downloads import csv_download
from app.store.queries import inventory
from app.store.queries.inventory import ResourceSort
from app.web.lists import (
    Address,
    Column,
    Filter,
    Head,
    Pager,
    pager_of,
    sorted_head,
)
from app.web.pages import Page, Shell
from app.web.render import render
from app.web.resource_filters import csv_columns, filters_of
from app.web.resource_list import ResourceQuery, counted, totals
from app.web.shell import FullShell
from app.web.storage_rows import StorageRow, row_of

router = APIRouter()

ROWS = 33
FACTS_IN_CSV = (
    "versioning_on", "deleted_data_kept", "deleted_data_kept_days", "cools_after_days",
    "cooling_basis", "deletes_current_after_days", "encryption", "publicly_readable",
    "inventory_enabled", "home_region", "home_zone", "sku_name",
)  # fmt: skip
KINDS = kinds_of("storage")


class StorageQuery(ResourceQuery):
    """What the address of the list can say."""

    @property
    @override
    def window(self) -> PageRequest:
        """Rows are wide here: fewer keep the page light."""
        return PageRequest(limit=ROWS, after=self.after, before=self.before)


Asked = Annotated[StorageQuery, Query()]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoragePage(Page):
    """The list of buckets and accounts."""

    TEMPLATE: ClassVar[str] = "storage/list/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"results": "storage/list/_results.html"}
    AREA: ClassVar[str] = "storage"

    sentence: str
    address: Address
    filters: tuple[Filter, ...]
    columns: tuple[Column, ...]
    heads: tuple[Head, ...]
    hidden: frozenset[str]
    csv_url: str
    clear_url: str
    rows: tuple[StorageRow, ...]
    pager: Pager
    any_at_all: bool


@router.get("/storage", response_class=HTMLResponse)
def storage_list(
    request: Request, shell: FullShell, access: ResourcesReader, session: DbSession, asked: Asked
) -> Response:
    """The list, the worst first unless another order is asked for."""
    if asked.format == "csv":
        fetch = partial(
            inventory.search_resources, access=access, where=asked.where(KINDS), sort=asked.sort
        )
        return csv_download("storage", csv_columns(FACTS_IN_CSV), fetch, session)
    return render(request, shell, _page(session, access, shell, asked))


def _page(session: Session, access: Access, shell: Shell, asked: StorageQuery) -> StoragePage:
    found = inventory.search_resources(
        session, access=access, where=asked.where(KINDS), sort=asked.sort, page=asked.window
    )
    address = Address("/storage", asked.known)
    facets = inventory.facets(session, access=access, kinds=KINDS)
    columns = _columns(shell, address, asked.hidden)
    return StoragePage(
        title=shell.t.gettext("Storage"),
        sentence=_sentence(session, access, shell),
        address=address,
        filters=filters_of(session, access, shell, address, facets),
        columns=columns,
        heads=_heads(shell, address, asked.sort, asked.hidden),
        hidden=asked.hidden,
        csv_url=address.url(format="csv"),
        clear_url=Address("/storage", {}).url(),
        rows=tuple(row_of(item, shell) for item in found.items),
        pager=pager_of(shell.t, address, found),
        any_at_all=bool(facets["kind"]),
    )


def _sentence(session: Session, access: Access, shell: Shell) -> str:
    t, found = shell.t, totals(session, access, KINDS)
    if not found.all:
        return t.gettext("No bucket or account has been found yet.")
    text = t.ngettext(
        "%(num)s bucket or account in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        "%(num)s buckets and accounts in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        found.all,
    )
    return text % counted(t, found)


def _columns(shell: Shell, address: Address, hidden: frozenset[str]) -> tuple[Column, ...]:
    t = shell.t
    labels = {
        "cloud": t.gettext("Cloud"),
        "versioning": t.gettext("Versioning"),
        "cools": t.gettext("Cools after"),
        "copies": t.gettext("Copies"),
        "findings": t.gettext("Findings"),
        "age": t.gettext("Read"),
    }
    return tuple(
        Column(name, label, name not in hidden, _toggle(address, name, hidden))
        for name, label in labels.items()
    )


def _toggle(address: Address, name: str, hidden: frozenset[str]) -> str:
    return address.url(hide=",".join(sorted((hidden ^ {name}) - {""})))


def _heads(
    shell: Shell, address: Address, sort: ResourceSort, hidden: frozenset[str]
) -> tuple[Head, ...]:
    t = shell.t
    name = Head("name", t.gettext("Bucket or account"))
    verdict, age = Head("worst", t.gettext("State")), Head("age", t.gettext("Read"), cls="c-md")
    heads = (
        sorted_head(address, name, up="name", down="-name", sort=sort),
        sorted_head(address, verdict, up="", down="worst", sort=sort),
        Head("cloud", t.gettext("Cloud"), cls="c-lo"),
        Head("regions", t.gettext("Regions"), cls="c-md"),
        Head("versioning", t.gettext("Versioning"), cls="c-md"),
        Head("cools", t.gettext("Cools after"), cls="c-lo"),
        Head("copies", t.gettext("Copies"), cls="c-lo"),
        Head("findings", t.gettext("Findings"), numeric=True),
        sorted_head(address, age, up="observed_at", down="-observed_at", sort=sort),
    )
    return tuple(head for head in heads if head.id not in hidden)
