"""Jobs that people declared: what each is for, on which machines, and how it is run."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.domain.fact_kinds import kinds_of
from app.domain.jobs import PRACTICES
from app.http.deps import DbSession, ResourcesReader
from app.store.queries.inventory import ResourceItem
from app.web import job_cells as cells
from app.web import job_words, resource_list
from app.web.fact_tables import Table, TableHead, TableRow
from app.web.facts_view import Cell, Reader
from app.web.pages import Crumb, Shell
from app.web.resource_detail import Detail, DetailPages, DetailQuery, ResourceDetailPage
from app.web.resource_list import Area, FactColumn, ResourceListPage, ResourceQuery, Texts
from app.web.resource_view import Attribute, attribute
from app.web.shell import FullShell

router = APIRouter()

KINDS = kinds_of("jobs")
FACTS_IN_CSV = (
    "phase", "model_kind", "parameter_count", "machine_type", "node_count", "machine_fit",
    "machine_misfits", "better_machine_type", "price_difference_per_hour", "price_currency",
    "orchestrator", "practices_missing", "state", "started_at", "ended_at", "declared_by",
)  # fmt: skip


class JobsPage(ResourceListPage):
    """The list of jobs."""

    AREA: ClassVar[str] = "jobs"


class JobPage(ResourceDetailPage):
    """The page of one job."""

    AREA: ClassVar[str] = "jobs"


@router.get("/jobs", response_class=HTMLResponse)
def jobs(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    asked: Annotated[ResourceQuery, Query()],
) -> Response:
    """The list, the worst first unless another order is asked for."""
    area = _area(session, access, shell)
    return resource_list.respond(request, shell, session, access, asked, area, JobsPage)


@router.get("/jobs/{resource_id}", response_class=HTMLResponse)
def job(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    resource_id: str,
    asked: Annotated[DetailQuery, Query()],
) -> Response:
    """The page of one job; withdrawn ones too."""
    return PAGES.respond(request, shell, session, access, resource_id, asked)


def _area(session: Session, access: Access, shell: Shell) -> Area:
    t = shell.t
    return Area(
        kinds=KINDS,
        path="/jobs",
        icon="play",
        texts=Texts(
            title=t.gettext("Jobs"),
            subject=t.gettext("Job"),
            none_yet=t.gettext("No job has been registered yet."),
            empty=t.gettext(
                "Jobs are registered by their owners: POST /api/v1/jobs, or ./atalaya job register."
            ),
            search=t.gettext("Filter jobs"),
        ),
        columns=_columns(shell),
        sentence=_sentence(session, access, shell),
        facts_in_csv=FACTS_IN_CSV,
    )


def _columns(shell: Shell) -> tuple[FactColumn, ...]:
    t = shell.t
    return (
        FactColumn("phase", t.gettext("Phase"), lambda _, r: cells.phase(r, shell)),
        FactColumn("machines", t.gettext("Machines"), lambda _, r: cells.machines(r, shell)),
        FactColumn("fit", t.gettext("Fit"), lambda _, r: cells.fit(r, shell)),
        FactColumn(
            "orchestrator",
            t.gettext("Placed by"),
            lambda _, r: cells.orchestrator(r, shell),
            cls="c-lo",
        ),
        FactColumn("state", t.gettext("Stands"), lambda _, r: cells.state(r, shell), cls="c-lo"),
    )


def _sentence(session: Session, access: Access, shell: Shell) -> str:
    t, found = shell.t, resource_list.totals(session, access, KINDS)
    text = t.ngettext(
        "%(num)s job, as declared: %(failing)s with a failed check, "
        "%(unsure)s with something that was not declared.",
        "%(num)s jobs, as declared: %(failing)s with a failed check, "
        "%(unsure)s with something that was not declared.",
        found.all,
    )
    return text % resource_list.counted(t, found)


def _describe(item: ResourceItem, reader: Reader, shell: Shell) -> Detail:
    return Detail(
        sentence=_said_by(item, reader, shell),
        strip=_strip(item, reader, shell),
        tables=(_practices(reader, shell), _places(reader, shell), _container(reader, shell)),
    )


def _said_by(item: ResourceItem, reader: Reader, shell: Shell) -> str:
    text = shell.t.gettext("Job of %(namespace)s, as declared by %(person)s.")
    return text % {
        "namespace": item.sub_account_id,
        "person": reader.value("declared_by") or item.connection_name,
    }


def _strip(item: ResourceItem, reader: Reader, shell: Shell) -> tuple[Attribute, ...]:
    t = shell.t
    named = (
        (t.gettext("Phase"), "phase", cells.phase(reader, shell)),
        (t.gettext("Machines"), "node_count", cells.machines(reader, shell)),
        (t.gettext("Fit"), "machine_fit", _fit_with_reasons(reader, shell)),
        (
            t.gettext("Price of the better type"),
            "price_difference_per_hour",
            cells.price_difference(reader, shell),
        ),
        (t.gettext("Placed by"), "orchestrator", cells.orchestrator(reader, shell)),
        (t.gettext("Stands"), "state", cells.state(reader, shell)),
    )
    return tuple(attribute(item, label, fact, cell) for label, fact, cell in named)


def _fit_with_reasons(reader: Reader, shell: Shell) -> Cell:
    cell = cells.fit(reader, shell)
    reasons: Sequence[str] = reader.value("machine_misfits") or ()
    said = [cells.word(job_words.MISFITS, code, shell) for code in reasons]
    return Cell(cell.shape, cell.text, "; ".join(filter(None, (*said, cell.note))))


def _practices(reader: Reader, shell: Shell) -> Table:
    """The five practices with their evidence; one that is missing says so."""
    t = shell.t
    said, missing = t.gettext("Yes"), Cell("fail", t.gettext("Missing"))
    rows = tuple(
        (
            cells.word(job_words.PRACTICES, name, shell),
            reader.cell(name, lambda text: Cell("pass", said, str(text)), absent=missing),
        )
        for name in PRACTICES
    )
    title = t.gettext("Practices of running it by hand")
    return _table("practices", title, t.gettext("Evidence"), rows, shell)


def _places(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    rows = (
        (t.gettext("Data"), cells.place(reader, "data_location", "data_store", shell)),
        (t.gettext("Scratch"), cells.scratch(reader, shell)),
        (
            t.gettext("Checkpoints"),
            cells.place(reader, "checkpoint_location", "checkpoint_store", shell),
        ),
        (t.gettext("Results"), cells.place(reader, "output_location", "output_store", shell)),
    )
    return _table("places", t.gettext("Where its bytes go"), t.gettext("Where"), rows, shell)


def _container(reader: Reader, shell: Shell) -> Table:
    t, runtimes = shell.t, job_words.RUNTIMES
    rows = (
        (t.gettext("Image"), reader.cell("container_image", reader.plain)),
        (
            t.gettext("Runtime"),
            reader.cell(
                "container_runtime", lambda code: Cell("", cells.word(runtimes, code, shell))
            ),
        ),
        (t.gettext("GPU driver"), reader.cell("gpu_driver", reader.plain)),
    )
    return _table("container", t.gettext("Container"), t.gettext("Which"), rows, shell)


def _table(
    name: str, title: str, head: str, rows: Sequence[tuple[str, Cell]], shell: Shell
) -> Table:
    """A table of single facts, one a line."""
    return Table(
        id=name,
        title=title,
        subtitle="",
        subject=shell.t.gettext("What"),
        heads=(TableHead(head),),
        rows=tuple(TableRow(label, "", (cell,)) for label, cell in rows),
        empty="",
    )


PAGES = DetailPages(JobPage, lambda shell: Crumb(shell.t.gettext("Jobs"), "/jobs"), _describe)
