"""Storage: all buckets and accounts with filters, orders and columns, and the same as CSV."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Annotated, ClassVar, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import Field
from sqlalchemy.orm import Session
from starlette.responses import Response
from typing_extensions import override

from app.domain.access import Access
from app.domain.fact_schema import kinds_of
from app.domain.paging import PageRequest
from app.http.deps import DbSession, ResourcesReader
from app.http.downloads import Columns, csv_download
from app.store.queries import compliance, connections, inventory
from app.store.queries.inventory import ResourceFilter, ResourceItem, ResourceSort
from app.web.lists import (
    Address,
    Choice,
    Column,
    Filter,
    Head,
    ListQuery,
    Pager,
    filter_of,
    pager_of,
    sorted_head,
)
from app.web.pages import Page, Shell
from app.web.render import render
from app.web.rest_places import place_name
from app.web.shell import FullShell
from app.web.storage_rows import StorageRow, row_of
from app.web.words import VERDICTS

router = APIRouter()

ROWS = 33
FACTS_IN_CSV = (
    "versioning_on", "deleted_data_kept", "deleted_data_kept_days", "cools_after_days",
    "cooling_basis", "deletes_current_after_days", "encryption", "publicly_readable",
    "inventory_enabled", "home_region", "home_zone", "sku_name",
)  # fmt: skip
ATTRIBUTES_IN_CSV = (
    "id", "name", "kind", "provider", "connection_name", "sub_account_id", "region_id",
    "native_id", "worst_rank", "non_compliant_count", "unknown_count", "created_at",
    "first_observed_at", "observed_at", "deleted_at",
)  # fmt: skip


def fact_text(name: str, item: ResourceItem) -> object:
    """A fact in CSV: its value, or in words why there is none."""
    facts = item.facts
    if name in facts.present:
        return facts.present[name]
    if name in facts.absent:
        return "absent"
    return f"unreadable: {facts.unreadable.get(name, 'not collected')}"


CSV: Columns[ResourceItem] = {
    **{name: attrgetter(name) for name in ATTRIBUTES_IN_CSV},
    **{name: partial(fact_text, name) for name in FACTS_IN_CSV},
}


KINDS = kinds_of("storage")


class StorageQuery(ListQuery):
    """What the address of the list can say; `hide` names columns."""

    provider: Literal["", "aws", "azure"] = ""
    kind: str = Field("", max_length=50)
    region: str = Field("", max_length=100)
    connection: str = Field("", max_length=40)
    verdict: Literal["", "compliant", "non_compliant", "waived", "unknown", "not_applicable"] = ""
    policy: str = Field("", max_length=100)
    state: Literal["live", "deleted", "all"] = "live"
    sort: ResourceSort = ResourceSort.WORST
    hide: str = Field("", max_length=200)

    @property
    @override
    def window(self) -> PageRequest:
        """Rows are wide here: fewer keep the page light."""
        return PageRequest(limit=ROWS, after=self.after, before=self.before)

    @property
    def where(self) -> ResourceFilter:
        """The filter in the words of the query."""
        return ResourceFilter(
            q=self.q,
            kind=self.kind,
            kinds=KINDS,
            provider=self.provider,
            region_id=self.region,
            connection_id=self.connection,
            verdict=self.verdict,
            policy_id=self.policy,
            state=self.state,
        )

    @property
    def hidden(self) -> frozenset[str]:
        """Columns that are switched off."""
        return frozenset(self.hide.split(","))


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
            inventory.search_resources, access=access, where=asked.where, sort=asked.sort
        )
        return csv_download("storage", CSV, fetch, session)
    return render(request, shell, _page(session, access, shell, asked))


def _page(session: Session, access: Access, shell: Shell, asked: StorageQuery) -> StoragePage:
    found = inventory.search_resources(
        session, access=access, where=asked.where, sort=asked.sort, page=asked.window
    )
    address = Address("/storage", asked.known)
    facets = inventory.facets(session, access=access, kinds=KINDS)
    columns = _columns(shell, address, asked.hidden)
    return StoragePage(
        title=shell.t.gettext("Storage"),
        sentence=_sentence(session, access, shell, facets),
        address=address,
        filters=_filters(session, access, shell, address, facets),
        columns=columns,
        heads=_heads(shell, address, asked.sort, asked.hidden),
        hidden=asked.hidden,
        csv_url=address.url(format="csv"),
        clear_url=Address("/storage", {}).url(),
        rows=tuple(row_of(item, shell) for item in found.items),
        pager=pager_of(shell.t, address, found),
        any_at_all=bool(facets["kind"]),
    )


def _sentence(
    session: Session, access: Access, shell: Shell, facets: dict[str, list[tuple[str, int]]]
) -> str:
    t = shell.t
    total = sum(count for _, count in facets["kind"])
    if not total:
        return t.gettext("No bucket or account has been found yet.")
    failing, unsure = (
        inventory.search_resources(
            session,
            access=access,
            where=ResourceFilter(kinds=KINDS, verdict=verdict),
            page=PageRequest(limit=1),
        ).total
        or 0
        for verdict in ("non_compliant", "unknown")
    )
    regions = sum(1 for region, _ in facets["region_id"] if region)
    text = t.ngettext(
        "%(num)s bucket or account in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        "%(num)s buckets and accounts in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        total,
    )
    return text % {
        "num": t.number(total),
        "regions": t.number(regions),
        "failing": t.number(failing),
        "unsure": t.number(unsure),
    }


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


def _filters(
    session: Session,
    access: Access,
    shell: Shell,
    address: Address,
    facets: dict[str, list[tuple[str, int]]],
) -> tuple[Filter, ...]:
    t, words = shell.t, shell.formats.words
    policies = sorted(compliance.policy_counts(session, access=access))
    sources = connections.connection_names(session, access=access)
    choices: dict[str, tuple[str, list[Choice]]] = {
        "verdict": (
            t.gettext("State"),
            [Choice(code, words.verdict(code)[1]) for code in VERDICTS],
        ),
        "provider": (
            t.gettext("Cloud"),
            [Choice(code, words.provider(code), count) for code, count in facets["provider"]],
        ),
        "region": (
            t.gettext("Region"),
            [
                Choice(code, f"{code} {place_name(code)}".strip(), count)
                for code, count in facets["region_id"]
                if code
            ],
        ),
        "policy": (t.gettext("Policy"), [Choice(code, code) for code in policies]),
        "connection": (t.gettext("Connection"), [Choice(one.id, one.name) for one in sources]),
        "state": (
            t.gettext("Life"),
            [Choice("deleted", t.gettext("deleted")), Choice("all", t.gettext("deleted too"))],
        ),
    }
    return tuple(filter_of(address, name, label, known) for name, (label, known) in choices.items())
