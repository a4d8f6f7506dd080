"""Clusters: what machines each has and wants, how they are bought, and how each is judged."""

from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.domain.fact_kinds import kinds_of
from app.http.deps import DbSession, ResourcesReader
from app.store.queries.fact_totals import FactTotal, sum_of_fact
from app.web import cluster_cells, resource_list
from app.web.facts_view import Cell
from app.web.pages import Shell
from app.web.resource_list import (
    Area,
    FactColumn,
    Figure,
    ResourceListPage,
    ResourceQuery,
    Texts,
)
from app.web.shell import FullShell

router = APIRouter()

KINDS = kinds_of("clusters")
FACTS_IN_CSV = (
    "orchestrator", "machine_types", "machine_count", "machine_target_count", "accelerator_count",
    "accelerator_target_count", "accelerator_models", "capacities", "groups_below_target",
    "groups_unhealthy", "groups_with_rdma",
)  # fmt: skip


class ClustersPage(ResourceListPage):
    """The list of clusters."""

    AREA: ClassVar[str] = "clusters"


@router.get("/clusters", response_class=HTMLResponse)
def clusters(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    asked: Annotated[ResourceQuery, Query()],
) -> Response:
    """The list, the worst first unless another order is asked for."""
    area = _area(session, access, shell)
    return resource_list.respond(request, shell, session, access, asked, area, ClustersPage)


def _area(session: Session, access: Access, shell: Shell) -> Area:
    t = shell.t
    return Area(
        kinds=KINDS,
        path="/clusters",
        icon="server",
        texts=Texts(
            title=t.gettext("Clusters"),
            subject=t.gettext("Cluster"),
            none_yet=t.gettext("No cluster has been found yet."),
            empty=t.gettext("Atalaya finds clusters with the first sweep of a connected cloud."),
            search=t.gettext("Filter clusters"),
        ),
        columns=columns(shell),
        sentence=_sentence(session, access, shell),
        figures=_figures(session, access, shell),
        facts_in_csv=FACTS_IN_CSV,
    )


def columns(shell: Shell) -> tuple[FactColumn, ...]:
    """The columns of clusters, wherever they are listed."""
    t = shell.t
    return (
        FactColumn(
            "machines", t.gettext("Machines"), lambda _, r: cluster_cells.machines(r, shell)
        ),
        FactColumn(
            "accelerators",
            t.gettext("Accelerators"),
            lambda _, r: cluster_cells.accelerators(r, shell),
        ),
        FactColumn(
            "capacity",
            t.gettext("Bought as"),
            lambda _, r: cluster_cells.bought_as(r, shell),
            cls="c-lo",
        ),
        FactColumn(
            "orchestrator",
            t.gettext("Orchestrator"),
            lambda _, r: cluster_cells.orchestrator(r, shell),
            cls="c-lo",
        ),
        FactColumn(
            "groups",
            t.gettext("Groups"),
            lambda _, r: cluster_cells.groups(r, shell),
            cls="c-lo",
        ),
    )


def _sentence(session: Session, access: Access, shell: Shell) -> str:
    t, found = shell.t, resource_list.totals(session, access, KINDS)
    text = t.ngettext(
        "%(num)s cluster in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        "%(num)s clusters in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        found.all,
    )
    return text % resource_list.counted(t, found)


def _figures(session: Session, access: Access, shell: Shell) -> tuple[Figure, ...]:
    t = shell.t

    def figure(label: str, fact: str) -> Figure:
        found = sum_of_fact(session, access=access, kinds=KINDS, fact=fact)
        return Figure(label, _total(found, shell), "/clusters?sort=name")

    return (
        figure(t.gettext("Machines"), "machine_count"),
        figure(t.gettext("Machines wanted"), "machine_target_count"),
        figure(t.gettext("Accelerators"), "accelerator_count"),
        figure(t.gettext("Accelerators wanted"), "accelerator_target_count"),
    )


def _total(found: FactTotal, shell: Shell) -> Cell:
    """A sum, and of how many clusters it is not known."""
    t, silent = shell.t, found.all - found.told
    if not found.told:
        return Cell("unknown", t.gettext("Not told"))
    note = t.ngettext("%(num)s cluster does not tell", "%(num)s clusters do not tell", silent)
    said = note % {"num": t.number(silent)} if silent else t.gettext("of all clusters")
    return Cell("", t.number(found.sum, 3), said)
