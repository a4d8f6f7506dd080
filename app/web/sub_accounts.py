"""Accounts: which ones are covered, in what state, which regions each may use, how each is read."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.domain.azure_subscriptions import ENABLED
from app.domain.fact_kinds import kinds_of
from app.domain.sub_accounts import ACTIVE
from app.http.deps import DbSession, ResourcesReader
from app.store.queries import connections
from app.store.queries.inventory import ResourceItem
from app.web import accounts_view, resource_list
from app.web.accounts_view import AccountRow
from app.web.facts_view import Cell, Reader
from app.web.pages import Crumb, Shell
from app.web.resource_detail import Detail, DetailPages, DetailQuery, ResourceDetailPage
from app.web.resource_list import Area, FactColumn, ResourceListPage, ResourceQuery, Texts
from app.web.resource_view import attribute, sentence_of
from app.web.shell import FullShell

router = APIRouter()

KINDS = kinds_of("accounts")
FACTS_IN_CSV = (
    "account_state", "joined_at", "organization_id", "is_own_account", "enabled_regions",
    "disabled_regions", "regions_source",
)  # fmt: skip
Rows = Mapping[str, AccountRow]


class AccountsPage(ResourceListPage):
    """The list of accounts."""

    AREA: ClassVar[str] = "accounts"


class AccountPage(ResourceDetailPage):
    """The page of one account."""

    AREA: ClassVar[str] = "accounts"


@router.get("/accounts", response_class=HTMLResponse)
def sub_accounts(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    asked: Annotated[ResourceQuery, Query()],
) -> Response:
    """The list, the worst first unless another order is asked for."""
    area = _area(session, access, shell)
    return resource_list.respond(request, shell, session, access, asked, area, AccountsPage)


@router.get("/accounts/{resource_id}", response_class=HTMLResponse)
def sub_account(
    request: Request,
    shell: FullShell,
    access: ResourcesReader,
    session: DbSession,
    resource_id: str,
    asked: Annotated[DetailQuery, Query()],
) -> Response:
    """The page of one account."""
    return PAGES.respond(request, shell, session, access, resource_id, asked)


def _area(session: Session, access: Access, shell: Shell) -> Area:
    t = shell.t
    rows = _coverage(session, access, shell)
    return Area(
        kinds=KINDS,
        path="/accounts",
        icon="building-2",
        texts=Texts(
            title=t.gettext("Accounts"),
            subject=t.gettext("Account"),
            none_yet=t.gettext("No account has been found yet."),
            empty=t.gettext("Atalaya finds accounts with the first sweep of a connected cloud."),
            search=t.gettext("Filter accounts"),
        ),
        columns=_columns(shell, rows),
        sentence=_sentence(session, access, shell),
        facts_in_csv=FACTS_IN_CSV,
    )


def _coverage(session: Session, access: Access, shell: Shell) -> Rows:
    """How the sweeps of each account stand, by the id of its resource."""
    rows: dict[str, AccountRow] = {}
    for one in connections.list_connections(session, access=access):
        for row in accounts_view.load(session, access=access, shell=shell, connection=one):
            rows[row.account.resource_id] = row
    return rows


def _columns(shell: Shell, rows: Rows) -> tuple[FactColumn, ...]:
    t = shell.t
    return (
        FactColumn("lives", t.gettext("Life"), lambda _, r: _life(r, shell)),
        FactColumn("regions", t.gettext("Regions on"), lambda _, r: _regions(r, shell)),
        FactColumn("coverage", t.gettext("Sweeps"), lambda item, _: _sweeps(item, shell, rows)),
        FactColumn(
            "read",
            t.gettext("Resources read"),
            lambda item, _: _read(item, shell, rows),
            numeric=True,
        ),
        FactColumn(
            "connection",
            t.gettext("Connection"),
            lambda item, _: Cell("", item.connection_name),
            cls="c-lo",
        ),
    )


def _life(reader: Reader, shell: Shell) -> Cell:
    alone = Cell("", shell.t.gettext("Not in an organization"))

    def write(state: str) -> Cell:
        return Cell("pass" if state in {ACTIVE, ENABLED} else "paused", state)

    return reader.cell("account_state", write, absent=alone)


def _regions(reader: Reader, shell: Shell) -> Cell:
    t, source = shell.t, reader.value("regions_source") or ""

    def write(found: Sequence[Any]) -> Cell:
        return Cell("", t.number(len(found)), source)

    return reader.cell("enabled_regions", write)


def _sweeps(item: ResourceItem, shell: Shell, rows: Rows) -> Cell:
    row = rows.get(item.id)
    if row is None or row.state is None:
        return Cell("unknown", shell.t.gettext("Not swept"))
    return Cell(row.state.shape, shell.t.gettext(row.state.word), row.code)


def _read(item: ResourceItem, shell: Shell, rows: Rows) -> Cell:
    row = rows.get(item.id)
    if row is None or row.read is None:
        return Cell("", shell.t.gettext("nothing yet"))
    return Cell("", shell.t.number(row.read))


def _sentence(session: Session, access: Access, shell: Shell) -> str:
    t, found = shell.t, resource_list.totals(session, access, KINDS)
    text = t.ngettext(
        "%(num)s account: %(failing)s with a failed check, %(unsure)s with something that could "
        "not be read.",
        "%(num)s accounts: %(failing)s with a failed check, %(unsure)s with something that could "
        "not be read.",
        found.all,
    )
    return text % resource_list.counted(t, found)


def _describe(item: ResourceItem, reader: Reader, shell: Shell) -> Detail:
    t = shell.t
    return Detail(
        sentence=sentence_of(shell, item),
        strip=(
            attribute(item, t.gettext("Life"), "account_state", _life(reader, shell)),
            attribute(item, t.gettext("Regions on"), "enabled_regions", _regions(reader, shell)),
            attribute(
                item,
                t.gettext("Regions off"),
                "disabled_regions",
                reader.cell("disabled_regions", lambda found: Cell("", t.number(len(found)))),
            ),
            attribute(
                item,
                t.gettext("Organization"),
                "organization_id",
                reader.cell("organization_id", reader.plain),
            ),
        ),
        tables=(),
    )


PAGES = DetailPages(
    AccountPage, lambda shell: Crumb(shell.t.gettext("Accounts"), "/accounts"), _describe
)
