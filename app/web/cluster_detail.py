"""One cluster: its groups of machines, each machine, what it is bought as, and how it is judged."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from app.http.deps import DbSession, ResourcesReader
from app.store.queries.inventory import ResourceItem
from app.web import cluster_cells, cluster_tables, machine_cells
from app.web.azure_cluster_tables import WITHOUT_LISTED_MACHINES
from app.web.fact_tables import Table, TableHead, TableRow, Wording, table_of
from app.web.facts_view import Cell, Reader
from app.web.pages import Crumb, Shell
from app.web.resource_detail import Detail, DetailPages, DetailQuery, ResourceDetailPage
from app.web.resource_view import Attribute, attribute, sentence_of
from app.web.shell import FullShell

router = APIRouter()


class ClusterPage(ResourceDetailPage):
    """The page of one cluster."""

    AREA: ClassVar[str] = "clusters"


@router.get("/clusters/{resource_id}", response_class=HTMLResponse)
def cluster(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    resource_id: str,
    asked: Annotated[DetailQuery, Query()],
) -> Response:
    """The page of one cluster; deleted ones too."""
    return PAGES.respond(request, shell, session, access, resource_id, asked)


def _describe(item: ResourceItem, reader: Reader, shell: Shell) -> Detail:
    t = shell.t
    return Detail(
        sentence=sentence_of(shell, item),
        strip=_strip(item, reader, shell),
        tables=(_groups(reader, shell), *cluster_tables.of_kind(item.kind, reader, shell)),
        parts="" if item.kind in WITHOUT_LISTED_MACHINES else t.gettext("Machines"),
        part_columns=machine_cells.columns(shell),
    )


def _strip(item: ResourceItem, reader: Reader, shell: Shell) -> tuple[Attribute, ...]:
    t = shell.t
    return (
        attribute(
            item, t.gettext("Machines"), "machine_count", cluster_cells.machines(reader, shell)
        ),
        attribute(
            item,
            t.gettext("Accelerators"),
            "accelerator_count",
            cluster_cells.accelerators(reader, shell),
        ),
        attribute(
            item, t.gettext("Bought as"), "capacities", cluster_cells.bought_as(reader, shell)
        ),
        attribute(
            item,
            t.gettext("Orchestrator"),
            "orchestrator",
            cluster_cells.orchestrator(reader, shell),
        ),
        attribute(
            item,
            t.gettext("Interconnect"),
            "groups_with_rdma",
            _interconnect(reader, shell),
        ),
        *cluster_tables.attributes(item, reader, shell),
    )


def _interconnect(reader: Reader, shell: Shell) -> Cell:
    """Whether its machines can reach each other's memory (Elastic Fabric Adapter, InfiniBand)."""
    t = shell.t

    def write(groups: Sequence[str]) -> Cell:
        if not groups:
            return Cell("", t.gettext("No RDMA"))
        return Cell("", t.gettext("RDMA"), ", ".join(groups))

    return reader.cell("groups_with_rdma", write)


def _groups(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "groups",
        t.gettext("Groups of machines"),
        t.gettext("Group"),
        t.gettext("It has no group of machines."),
    )
    heads = (
        TableHead(t.gettext("Machines"), numeric=True),
        TableHead(t.gettext("Type")),
        TableHead(t.gettext("Accelerators"), cls="c-md"),
        TableHead(t.gettext("Bought as"), cls="c-md"),
        TableHead(t.gettext("Status"), cls="c-lo"),
    )
    return table_of(
        reader, "machine_groups", wording, heads, lambda one: _group(one, reader, shell)
    )


def _group(one: Mapping[str, Any], reader: Reader, shell: Shell) -> TableRow:
    words = shell.formats.words
    troubled = {*(reader.value("groups_unhealthy") or ())}
    status = Cell("fail" if one["name"] in troubled else "", one["status"])
    return TableRow(
        name=one["name"],
        note=shell.t.gettext("only AWS may enter its machines") if one["is_restricted"] else "",
        cells=(
            _counts(one, shell),
            Cell("", one["machine_type"] or ", ".join(one["machine_types"])),
            _accelerators_of(one, shell),
            Cell("", words.capacity(one["capacity"])),
            status,
        ),
    )


def _counts(one: Mapping[str, Any], shell: Shell) -> Cell:
    """Machines now of machines wanted, and between which numbers it scales."""
    t, now, target = shell.t, one.get("current_count"), one.get("target_count")
    least, most, limits = one.get("minimum_count"), one.get("maximum_count"), ""
    if least is not None and most is not None and least != most:
        limits = t.gettext("scales from %(least)s to %(most)s") % {
            "least": t.number(least),
            "most": t.number(most),
        }
    if now is None:
        wanted = "" if target is None else t.gettext("%(num)s wanted") % {"num": t.number(target)}
        return Cell("" if wanted else "unknown", wanted or t.gettext("Not told"), limits)
    if target is None or now == target:
        return Cell("", t.number(now), limits)
    text = t.gettext("%(num)s of %(target)s") % {"num": t.number(now), "target": t.number(target)}
    return Cell("warn" if now < target else "", text, limits)


def _accelerators_of(one: Mapping[str, Any], shell: Shell) -> Cell:
    t, count = shell.t, one.get("accelerator_count")
    if count is None:
        return Cell("unknown", t.gettext("Not known"))
    if not count:
        return Cell("", t.gettext("None"))
    text = t.gettext("%(num)s in each machine") % {"num": t.number(count, 3)}
    model = one["accelerator_model"]
    return Cell("", model, text) if model else Cell("", text)


PAGES = DetailPages(
    ClusterPage, lambda shell: Crumb(shell.t.gettext("Clusters"), "/clusters"), _describe
)
