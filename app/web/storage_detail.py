"""One bucket or account: how it is judged, where its bytes rest, what its rules really do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from app.domain.facts import FactSet
from app.domain.regions import region
from app.http.deps import DbSession, ResourcesReader
from app.store.queries import inventory
from app.store.queries.inventory import ResourceItem
from app.web import storage_rows
from app.web.facts_view import Cell, Reader
from app.web.pages import Crumb, Shell
from app.web.render import render
from app.web.resource_detail import Detail, DetailPages, DetailQuery, ResourceDetailPage
from app.web.resource_view import (
    Attribute,
    address_of,
    attribute,
    sentence_of,
)
from app.web.rule_texts import RuleLine, rules_of
from app.web.shell import FullShell

router = APIRouter()

SHOWN_TAGS = 50


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """One place where bytes rest; no `region_id`: `code` says why it is not known.

    `guess`: no place, but replication that could not be read.
    """

    role: str
    region_id: str
    name: str
    zone: str
    store: str
    prefix: str
    readable: bool
    guess: bool
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageDetailPage(ResourceDetailPage):
    """The page of one bucket or account."""

    TEMPLATE: ClassVar[str] = "storage/detail/page.html"
    AREA: ClassVar[str] = "storage"

    places: tuple[PlaceLine, ...] | None
    places_gap: Cell
    rules: tuple[RuleLine, ...] | None
    rules_gap: Cell


@router.get("/storage/{resource_id}", response_class=HTMLResponse)
def resource(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    resource_id: str,
    asked: Annotated[DetailQuery, Query()],
) -> Response:
    """The page of one store, deleted ones too; another kind of resource has another page."""
    item = inventory.get_resource(session, access=access, resource_id=resource_id)
    own = address_of(item.kind, item.id)
    if not own.startswith("/storage/"):
        return RedirectResponse(own, 303)
    return render(request, shell, PAGES.build(session, access, shell, item, asked))


def _describe(item: ResourceItem, reader: Reader, shell: Shell) -> Detail:
    return Detail(
        sentence=sentence_of(shell, item),
        strip=_strip(reader, shell, item),
        tables=(),
        more={
            "places": _places(item, reader) if reader.is_present("rest_places") else None,
            "places_gap": reader.gap("rest_places"),
            "rules": rules_of(item, shell) if _rules_known(item.facts) else None,
            "rules_gap": reader.gap("lifecycle_rules"),
        },
    )


def _rules_known(facts: FactSet) -> bool:
    return "lifecycle_rules" in facts.present or "lifecycle_rules" in facts.absent


def _strip(reader: Reader, shell: Shell, item: ResourceItem) -> tuple[Attribute, ...]:
    t = shell.t
    word = shell.formats.words.encryption
    cells = (
        (t.gettext("Versioning"), "versioning_on", storage_rows.versioning(reader, shell)),
        (t.gettext("Deleted data kept"), "deleted_data_kept", _deleted(reader, shell)),
        (t.gettext("Cools after"), "cools_after_days", storage_rows.cools(reader, shell)),
        (t.gettext("Copies"), "rest_places", storage_rows.copies(reader, shell)),
        (
            t.gettext("Encryption"),
            "encryption",
            reader.cell("encryption", lambda code: Cell("", word(code))),
        ),
        (t.gettext("Anonymous readers"), "publicly_readable", _public(reader, shell)),
    )
    return tuple(attribute(item, label, fact, cell) for label, fact, cell in cells)


def _deleted(reader: Reader, shell: Shell) -> Cell:
    t = shell.t
    kept = {
        "always": Cell("pass", t.gettext("Always")),
        "for_days": reader.cell("deleted_data_kept_days", reader.days),
        "no": Cell("warn", t.gettext("No")),
    }
    return reader.cell("deleted_data_kept", lambda word: kept.get(word, Cell("", word)))


def _public(reader: Reader, shell: Shell) -> Cell:
    t = shell.t

    def write(possible: bool) -> Cell:
        if possible:
            return Cell("fail", t.gettext("Possible"))
        return Cell("pass", t.gettext("Shut out"))

    return reader.cell("publicly_readable", write)


def _places(item: ResourceItem, reader: Reader) -> tuple[PlaceLine, ...]:
    places: Sequence[Mapping[str, Any]] = reader.value("rest_places")
    return tuple(_place(item, place) for place in places)


def _place(item: ResourceItem, place: Mapping[str, Any]) -> PlaceLine:
    code = str(place.get("region_id") or "")
    known = region(item.provider, code)
    return PlaceLine(
        role=str(place["role"]),
        region_id=code,
        name=known.display_name if known else "",
        zone=str(place.get("zone") or ""),
        store=str(place.get("store") or ""),
        prefix=str(place.get("prefix") or ""),
        readable=bool(place.get("readable")),
        guess=storage_rows.is_guess(place),
        code=str(place.get("code") or ""),
    )


PAGES = DetailPages(
    StorageDetailPage, lambda shell: Crumb(shell.t.gettext("Storage"), "/storage"), _describe
)
