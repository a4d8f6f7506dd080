"""Search and jump: findings, storage, policies, connections and pages, as a page and as JSON."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse
from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.paging import PageRequest
from app.http.deps import DbSession, SignedIn
from app.kit.errors import NotFoundError
from app.services import policies
from app.store.queries import compliance, inventory
from app.store.queries.compliance import FindingFilter, FindingItem
from app.store.queries.connection_names import connection_names
from app.store.queries.inventory import ResourceFilter
from app.web.findings import number_of
from app.web.formats import icon_address
from app.web.pages import Page, Shell
from app.web.render import render
from app.web.resource_view import address_of, folder_of
from app.web.shell import FullShell

router = APIRouter()

MOST = 6
_ICONS = {
    "/storage": "hard-drive",
    "/clusters": "server",
    "/file-systems": "folder-tree",
    "/accounts": "building-2",
    "/jobs": "play",
}
FEW = PageRequest(limit=MOST)
Term = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing to jump to; `icon` is the address of a shape in the sprite."""

    label: str
    url: str
    icon: str
    hint: str


@dataclass(frozen=True, slots=True)
class Hits:
    """Things of one kind."""

    title: str
    items: tuple[Hit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchPage(Page):
    """The search page, for those without script."""

    TEMPLATE: ClassVar[str] = "search/page.html"

    q: str
    groups: tuple[Hits, ...]


@router.get("/search", response_class=HTMLResponse)
def search_page(
    request: Request, shell: FullShell, access: SignedIn, session: DbSession, q: Term = ""
) -> HTMLResponse:
    """What was found, in groups; without a term the pages of the product."""
    groups = tuple(find(session, access, shell, q.strip()))
    page = SearchPage(title=shell.t.gettext("Search"), q=q, groups=groups)
    return render(request, shell, page)


@router.get("/palette.json")
def palette(shell: FullShell, access: SignedIn, session: DbSession, q: Term = "") -> JSONResponse:
    """The same for the command palette."""
    groups = [
        {
            "title": group.title,
            "items": [
                {"label": hit.label, "url": hit.url, "icon": hit.icon, "hint": hit.hint}
                for hit in group.items
            ],
        }
        for group in find(session, access, shell, q.strip())
    ]
    return JSONResponse({"groups": groups})


def find(session: Session, access: Access, shell: Shell, q: str) -> Iterator[Hits]:
    """Groups of hits that the caller may see; empty groups are left out."""
    for group in (_pages(shell, q), *(_things(session, access, shell, q) if q else ())):
        if group.items:
            yield group


def _pages(shell: Shell, q: str) -> Hits:
    items = (item for group in shell.nav for item in group.items)
    hits = tuple(
        Hit(item.label, item.url, icon_address(item.icon), "")
        for item in items
        if q.casefold() in item.label.casefold()
    )
    return Hits(shell.t.gettext("Go to"), hits)


def _things(session: Session, access: Access, shell: Shell, q: str) -> Iterator[Hits]:
    t, scopes = shell.t, access.scopes
    if Scope.FINDINGS_READ in scopes:
        yield Hits(t.gettext("Findings"), tuple(_findings(session, access, shell, q)))
    if Scope.RESOURCES_READ in scopes:
        yield Hits(t.gettext("Resources"), tuple(_resources(session, access, shell, q)))
    if Scope.POLICIES_READ in scopes:
        yield Hits(t.gettext("Policies"), tuple(_policies(session, access, shell, q))[:MOST])
    if Scope.CONNECTIONS_READ in scopes:
        yield Hits(t.gettext("Connections"), tuple(_connections(session, access, q))[:MOST])


def _findings(session: Session, access: Access, shell: Shell, q: str) -> Iterator[Hit]:
    found = _finding_by_id(session, access, q)
    if not found:
        where = FindingFilter(q=q, state="all")
        found = compliance.search_findings(session, access=access, where=where, page=FEW).items
    for item in found:
        label = f"{item.id} {shell.t.gettext(item.title)}"
        yield Hit(label, f"/findings/{item.id}", icon_address("inbox"), item.resource_name)


def _finding_by_id(session: Session, access: Access, q: str) -> tuple[FindingItem, ...]:
    try:
        number = number_of(q.upper())
        return (compliance.get_finding(session, access=access, number=number).item,)
    except NotFoundError:
        return ()


def _resources(session: Session, access: Access, shell: Shell, q: str) -> Iterator[Hit]:
    where = ResourceFilter(q=q)
    found = inventory.search_resources(session, access=access, where=where, page=FEW)
    for item in found.items:
        hint = shell.formats.words.kind(item.kind)
        icon = icon_address(_ICONS.get(folder_of(item.kind), "boxes"))
        yield Hit(item.name, address_of(item.kind, item.id), icon, hint)


def _policies(session: Session, access: Access, shell: Shell, q: str) -> Iterator[Hit]:
    for item in policies.list_policies(session, access=access):
        policy = item.effective.policy
        title = shell.t.gettext(policy.title)
        if q.casefold() in f"{policy.id} {policy.title} {title}".casefold():
            yield Hit(policy.id, f"/policies/{policy.id}", icon_address("scale"), title)


def _connections(session: Session, access: Access, q: str) -> Iterator[Hit]:
    for item in connection_names(session, access=access):
        if q.casefold() in item.name.casefold():
            url = f"/connections/{item.id}"
            yield Hit(item.name, url, icon_address("plug"), item.provider)
