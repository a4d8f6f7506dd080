"""Everything that was found, of every kind, and the page of what has no list of its own."""

from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.domain.fact_kinds import FACT_KINDS
from app.http.deps import DbSession, ResourcesReader
from app.store.queries import inventory
from app.web import ai_platforms, resource_list
from app.web.facts_view import Cell
from app.web.pages import Crumb, Shell
from app.web.render import render
from app.web.resource_detail import DetailPages, DetailQuery, ResourceDetailPage
from app.web.resource_list import Area, FactColumn, ResourceListPage, ResourceQuery, Texts
from app.web.resource_view import address_of
from app.web.shell import FullShell

router = APIRouter()

KINDS = tuple(FACT_KINDS)


class ResourcesPage(ResourceListPage):
    """The list of everything."""

    AREA: ClassVar[str] = "resources"


class AnyResourcePage(ResourceDetailPage):
    """The page of a resource whose kind has no list of its own."""

    AREA: ClassVar[str] = "resources"


PAGES = DetailPages(
    AnyResourcePage,
    lambda shell: Crumb(shell.t.gettext("All resources"), "/resources"),
    ai_platforms.describe,
)


@router.get("/resources", response_class=HTMLResponse)
def resources(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    asked: Annotated[ResourceQuery, Query()],
) -> Response:
    """The list, the worst first unless another order is asked for."""
    area = _area(session, access, shell)
    return resource_list.respond(request, shell, session, access, asked, area, ResourcesPage)


@router.get("/resources/{resource_id}", response_class=HTMLResponse)
def any_resource(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    resource_id: str,
    asked: Annotated[DetailQuery, Query()],
) -> Response:
    """The page of one resource; it leads on to the page that its kind has elsewhere."""
    item = inventory.get_resource(session, access=access, resource_id=resource_id)
    own = address_of(item.kind, item.id)
    if not own.startswith("/resources/"):
        return RedirectResponse(own, 303)
    return render(request, shell, PAGES.build(session, access, shell, item, asked))


def _area(session: Session, access: Access, shell: Shell) -> Area:
    t = shell.t
    return Area(
        kinds=KINDS,
        path="/resources",
        icon="boxes",
        texts=Texts(
            title=t.gettext("All resources"),
            subject=t.gettext("Resource"),
            none_yet=t.gettext("Nothing has been found yet."),
            empty=t.gettext("Atalaya finds resources with the first sweep of a connected cloud."),
            search=t.gettext("Filter resources"),
        ),
        columns=(
            FactColumn(
                "cloud",
                t.gettext("Cloud"),
                lambda item, _: Cell(
                    "", shell.formats.words.provider(item.provider), item.connection_name
                ),
            ),
        ),
        sentence=_sentence(session, access, shell),
    )


def _sentence(session: Session, access: Access, shell: Shell) -> str:
    t, found = shell.t, resource_list.totals(session, access, KINDS)
    text = t.ngettext(
        "%(num)s resource in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        "%(num)s resources in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        found.all,
    )
    return text % resource_list.counted(t, found)
