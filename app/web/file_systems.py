"""File systems: how each is mounted, how big it is, what it survives, what it is linked with."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.domain.azure_netapp import AzureNetappPoolFacts
from app.domain.fact_kinds import kinds_of
from app.domain.regions import region
from app.http.deps import DbSession, ResourcesReader
from app.store.queries.inventory import ResourceItem
from app.web import file_system_cells as cells
from app.web import file_system_tables, resource_list
from app.web.fact_tables import Table, TableHead, TableRow, Wording, table_of
from app.web.facts_view import Cell, Reader
from app.web.pages import Crumb, Shell
from app.web.resource_detail import Detail, DetailPages, DetailQuery, ResourceDetailPage
from app.web.resource_list import Area, FactColumn, ResourceListPage, ResourceQuery, Texts
from app.web.resource_view import attribute, sentence_of
from app.web.shell import FullShell

router = APIRouter()

KINDS = kinds_of("file_systems")
FACTS_IN_CSV = (
    "protocols", "capacity_bytes", "used_bytes", "healthy", "durability", "zones", "encryption",
    "home_region", "home_zone", "rest_region_ids", "is_replica", "exports_changes",
    "broken_repository_paths", "backed_up", "backups_kept_days",
)  # fmt: skip


class FileSystemsPage(ResourceListPage):
    """The list of file systems."""

    AREA: ClassVar[str] = "file_systems"


class FileSystemPage(ResourceDetailPage):
    """The page of one file system."""

    AREA: ClassVar[str] = "file_systems"


@router.get("/file-systems", response_class=HTMLResponse)
def file_systems(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    asked: Annotated[ResourceQuery, Query()],
) -> Response:
    """The list, the worst first unless another order is asked for."""
    area = _area(session, access, shell)
    return resource_list.respond(request, shell, session, access, asked, area, FileSystemsPage)


@router.get("/file-systems/{resource_id}", response_class=HTMLResponse)
def file_system(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    resource_id: str,
    asked: Annotated[DetailQuery, Query()],
) -> Response:
    """The page of one file system; deleted ones too."""
    return PAGES.respond(request, shell, session, access, resource_id, asked)


def _area(session: Session, access: Access, shell: Shell) -> Area:
    t = shell.t
    return Area(
        kinds=KINDS,
        path="/file-systems",
        icon="folder-tree",
        texts=Texts(
            title=t.gettext("File systems"),
            subject=t.gettext("File system"),
            none_yet=t.gettext("No file system has been found yet."),
            empty=t.gettext("Atalaya finds file systems with the first sweep of a cloud."),
            search=t.gettext("Filter file systems"),
        ),
        columns=_columns(shell),
        sentence=_sentence(session, access, shell),
        facts_in_csv=FACTS_IN_CSV,
    )


def _columns(shell: Shell) -> tuple[FactColumn, ...]:
    t = shell.t
    return (
        FactColumn("protocols", t.gettext("Mounted as"), lambda _, r: cells.protocols(r, shell)),
        FactColumn("size", t.gettext("Size"), lambda _, r: cells.size(r, shell)),
        FactColumn("durability", t.gettext("Kept in"), lambda _, r: cells.durability(r, shell)),
        FactColumn(
            "links",
            t.gettext("Linked stores"),
            lambda _, r: cells.repositories(r, shell),
            cls="c-lo",
        ),
        FactColumn(
            "backups", t.gettext("Backups"), lambda _, r: cells.backups(r, shell), cls="c-lo"
        ),
    )


def _sentence(session: Session, access: Access, shell: Shell) -> str:
    t, found = shell.t, resource_list.totals(session, access, KINDS)
    text = t.ngettext(
        "%(num)s file system in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        "%(num)s file systems in %(regions)s regions: %(failing)s with a failed check, "
        "%(unsure)s with something that could not be read.",
        found.all,
    )
    return text % resource_list.counted(t, found)


def _describe(item: ResourceItem, reader: Reader, shell: Shell) -> Detail:
    t = shell.t
    encryption = reader.cell(
        "encryption", lambda code: Cell("", shell.formats.words.encryption(code))
    )
    return Detail(
        sentence=sentence_of(shell, item),
        strip=(
            attribute(item, t.gettext("Mounted as"), "protocols", cells.protocols(reader, shell)),
            attribute(item, t.gettext("Size"), "capacity_bytes", cells.size(reader, shell)),
            attribute(item, t.gettext("Kept in"), "durability", cells.durability(reader, shell)),
            attribute(
                item, t.gettext("Linked stores"), "repositories", cells.repositories(reader, shell)
            ),
            attribute(item, t.gettext("Backups"), "backed_up", cells.backups(reader, shell)),
            attribute(item, t.gettext("Encryption"), "encryption", encryption),
            attribute(item, t.gettext("Health"), "healthy", cells.health(reader, shell)),
            *file_system_tables.attributes(item, reader, shell),
        ),
        tables=(
            _places(item, reader, shell),
            *((_links(reader, shell),) if _can_be_linked(reader) else ()),
            *file_system_tables.of_kind(item.kind, reader, shell),
        ),
        parts=t.gettext("Volumes") if item.kind == AzureNetappPoolFacts.KIND else "",
        part_columns=_columns(shell),
    )


def _can_be_linked(reader: Reader) -> bool:
    """Whether a missing link says anything: only Lustre and caches are linked with stores."""
    is_lustre = "lustre" in (reader.value("protocols") or ())
    return is_lustre or reader.is_present("repositories") or not reader.is_known("repositories")


def _places(item: ResourceItem, reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "places",
        t.gettext("Where its bytes rest"),
        t.gettext("Region"),
        t.gettext("No place is known."),
    )
    heads = (
        TableHead(t.gettext("Role")),
        TableHead(t.gettext("Zone")),
        TableHead(t.gettext("What"), cls="c-md"),
    )
    return table_of(reader, "rest_places", wording, heads, lambda one: _place(item, one, shell))


def _place(item: ResourceItem, one: Mapping[str, Any], shell: Shell) -> TableRow:
    t, code = shell.t, str(one.get("region_id") or "")
    known = region(item.provider, code)
    where = f"{code} {known.display_name if known else ''}".strip()
    zone = one.get("zone")
    return TableRow(
        where or t.gettext("Not readable"),
        str(one.get("store") or one.get("code") or ""),
        (
            Cell("", shell.formats.words.role(one["role"])[1]),
            Cell("", str(zone)) if zone else Cell("unknown", t.gettext("not known")),
            Cell("", str(one.get("prefix") or t.gettext("everything"))),
        ),
    )


def _links(reader: Reader, shell: Shell) -> Table:
    t = shell.t
    wording = Wording(
        "links",
        t.gettext("Linked stores"),
        t.gettext("Store"),
        t.gettext("It is linked with no store: what it holds is nowhere else."),
    )
    heads = (
        TableHead(t.gettext("Path")),
        TableHead(t.gettext("Imports")),
        TableHead(t.gettext("Exports")),
        TableHead(t.gettext("Status"), cls="c-md"),
    )
    return table_of(reader, "repositories", wording, heads, lambda one: _link(one, shell))


def _link(one: Mapping[str, Any], shell: Shell) -> TableRow:
    t = shell.t

    def moves(on: bool) -> Cell:
        return Cell("pass", t.gettext("by itself")) if on else Cell("warn", t.gettext("no"))

    status = Cell("fail" if one["is_broken"] else "", one["status"], one["fault"])
    return TableRow(
        one["store"],
        one["prefix"],
        (Cell("", one["path"]), moves(one["imports"]), moves(one["exports"]), status),
    )


PAGES = DetailPages(
    FileSystemPage, lambda shell: Crumb(shell.t.gettext("File systems"), "/file-systems"), _describe
)
