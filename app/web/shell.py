"""The shell around a page: language, theme, navigation with counts, and who is signed in."""

from collections import defaultdict
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from babel import negotiate_locale
from fastapi import Depends, Request
from sqlalchemy.orm import Session

from app.collectors.registry import collectors
from app.domain.access import Access, Scope
from app.domain.fact_kinds import kinds_of
from app.http import paths
from app.http.callers import Caller
from app.http.deps import CurrentCaller, DbSession, Now, ReaderSession
from app.http.fragments import wants_fragment
from app.kit.i18n import LANGUAGES, Translator, mark
from app.kit.settings import settings
from app.store.queries import compliance, inventory
from app.store.queries.connection_names import count_enabled
from app.store.queries.source_groups import SourceGroup, list_source_groups
from app.web import toasts
from app.web.pages import NavGroup, NavItem, Person, Shell
from app.web.source_state import state_of_groups

LANGUAGE_COOKIE = "atalaya_language"
THEME_COOKIE = "atalaya_theme"
THEMES = ("auto", "light", "dark")
ACCEPTED_LENGTH = 300


def language_of(request: Request, caller: Caller | None) -> str:
    """The language chosen in this browser, else the person's own, else what the browser asks."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    if caller is not None:
        return caller.user.language
    header = request.headers.get("accept-language", "")[:ACCEPTED_LENGTH]
    wanted = [part.split(";")[0].strip() for part in header.split(",")]
    return negotiate_locale([tag.split("-")[0] for tag in wanted if tag], LANGUAGES) or "en"


def theme_of(request: Request, caller: Caller | None) -> str:
    """The theme chosen in this browser, else the person's own."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    if chosen in THEMES:
        return chosen
    return caller.user.theme if caller else "auto"


def bare_shell(request: Request, now: datetime) -> Shell:
    """A shell that asks no database: for sign-in, failures and parts of pages."""
    caller: Caller | None = getattr(request.state, "caller", None)
    shell = Shell(
        language=language_of(request, caller),
        theme=theme_of(request, caller),
        shortcuts=caller.user.shortcuts if caller else True,
        now=now,
        here=paths.address_of(request.scope) if request.method == "GET" else "/",
        organisation=settings().organisation or "Atalaya",
        sandbox=settings().sandbox,
        csrf_token=caller.csrf_token if caller else "",
        person=Person(caller.user.name, caller.user.email) if caller else None,
    )
    return replace(shell, nav=navigation(shell.t), toast=toasts.waiting(request, shell.t))


def navigation(t: Translator) -> tuple[NavGroup, ...]:
    """The sidebar without counts."""
    return (
        NavGroup("", (_item(t, "overview"), _item(t, "findings"))),
        NavGroup(t.gettext("Inventory"), tuple(_item(t, area) for area in INVENTORY)),
        NavGroup(t.gettext("Governance"), (_item(t, "policies"),)),
        NavGroup(t.gettext("Operations"), tuple(_item(t, area) for area in OPERATIONS)),
    )


INVENTORY = ("clusters", "jobs", "storage", "file_systems", "accounts", "resources")
OPERATIONS = ("reports", "connections", "tokens")
_ITEMS = {
    "overview": (mark("Overview"), "layout-dashboard", "/", "o"),
    "findings": (mark("Findings"), "inbox", "/findings", "f"),
    "clusters": (mark("Clusters"), "server", "/clusters", "c"),
    "jobs": (mark("Jobs"), "play", "/jobs", "j"),
    "storage": (mark("Storage"), "hard-drive", "/storage", "s"),
    "file_systems": (mark("File systems"), "folder-tree", "/file-systems", "y"),
    "accounts": (mark("Accounts"), "building-2", "/accounts", "a"),
    "resources": (mark("All resources"), "boxes", "/resources", "i"),
    "policies": (mark("Policies"), "scale", "/policies", "p"),
    "reports": (mark("Reports"), "file-text", "/reports", "r"),
    "connections": (mark("Connections"), "plug", "/connections", "n"),
    "tokens": (mark("API tokens"), "key-round", "/tokens", "t"),
}


def _item(t: Translator, area: str) -> NavItem:
    label, icon, url, key = _ITEMS[area]
    return NavItem(area, t.gettext(label), icon, url, key)


def load_shell(request: Request, now: Now, caller: CurrentCaller, session: DbSession) -> Shell:
    """The shell of a signed-in page with its counts; parts of pages do without them."""
    shell = bare_shell(request, now)
    if caller is None or wants_fragment(request):
        return shell
    return with_counts(shell, session, caller.access)


def load_reader_shell(
    request: Request, now: Now, caller: CurrentCaller, session: ReaderSession
) -> Shell:
    """The same, for a POST that changes nothing."""
    return load_shell(request, now, caller, session)


FullShell = Annotated[Shell, Depends(load_shell)]
ReaderShell = Annotated[Shell, Depends(load_reader_shell)]


def with_counts(shell: Shell, session: Session, access: Access) -> Shell:
    """Adds what the sidebar counts, as far as the caller may see it."""
    seen = {scope: scope in access.scopes for scope in Scope}
    counts: dict[str, int] = {}
    if seen[Scope.FINDINGS_READ]:
        counts["findings"] = compliance.finding_counts(session, access=access)["open"]
    if seen[Scope.RESOURCES_READ]:
        counts |= _inventory_counts(session, access)
        regions = inventory.facets(session, access=access)["region_id"]
        shell = replace(shell, regions=sum(1 for region, _ in regions if region))
    if seen[Scope.CONNECTIONS_READ]:
        shell, counts["connections"] = _with_sources(shell, session, access)
    nav = tuple(
        replace(group, items=tuple(_counted(item, counts) for item in group.items))
        for group in shell.nav
    )
    return replace(shell, nav=nav, counted=True)


def _inventory_counts(session: Session, access: Access) -> dict[str, int]:
    """Live resources of each area that has an entry of its own, and of all of them."""
    by_kind = dict(inventory.facets(session, access=access)["kind"])
    counts = {
        area: sum(by_kind.get(kind, 0) for kind in kinds_of(area))
        for area in INVENTORY
        if area != "resources"
    }
    return counts | {"resources": sum(by_kind.values())}


def _counted(item: NavItem, counts: dict[str, int]) -> NavItem:
    return replace(item, count=counts.get(item.area), attention=item.area == "connections")


def _with_sources(shell: Shell, session: Session, access: Access) -> tuple[Shell, int]:
    """Adds the line on sweeps; returns also how many sources are not as fresh as they should be."""
    known = collectors()
    by_source: dict[tuple[str, str], list[SourceGroup]] = defaultdict(list)
    for group in list_source_groups(session, access=access):
        if group.collector_id in known:
            by_source[group.connection_id, group.collector_id].append(group)
    states = [
        state_of_groups(groups, known[collector_id], shell.now)
        for (_, collector_id), groups in by_source.items()
    ]
    good = [
        group.newest_good_at
        for groups in by_source.values()
        for group in groups
        if group.newest_good_at
    ]
    enabled = count_enabled(session, access=access)
    shell = replace(
        shell,
        sources=max(len(states), enabled),
        sources_fresh=sum(1 for state in states if state.shape in {"pass", "run"}),
        last_sweep_at=max(good, default=None),
    )
    return shell, sum(1 for state in states if state.attention)
