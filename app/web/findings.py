"""The findings: a list with tabs and filters beside one finding, and the same as CSV."""

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.http.deps import DbSession, FindingsReader
from app.http.downloads import Columns, csv_download
from app.kit.errors import NotFoundError
from app.services import policies
from app.store.queries import compliance
from app.store.queries.compliance import FindingFilter, FindingItem, FindingSort
from app.store.queries.connection_names import connection_names
from app.web.findings_view import FindingsPage, FindingView, Tab, groups_of, load, severities
from app.web.lists import Address, Choice, Filter, ListQuery, Option, filter_of, pager_of
from app.web.pages import Crumb, Shell
from app.web.render import render
from app.web.shell import FullShell
from app.web.words import PILLARS, TABS

router = APIRouter()

LONGEST_NUMBER = 18
COLUMNS: Columns[FindingItem] = {
    name: attrgetter(name)
    for name in (
        "id", "severity", "pillar", "title", "policy_id", "resource_name", "resource_kind",
        "resource_id", "state", "overlay", "owner", "message", "opened_at", "last_observed_at",
        "snoozed_until", "waived_until", "resolved_at", "close_reason",
    )
}  # fmt: skip


class FindingQuery(ListQuery):
    """What the address of the list can say."""

    state: Literal["open", "snoozed", "waived", "resolved", "all"] = "open"
    severity: Literal["", "critical", "high", "medium", "low", "informational"] = ""
    pillar: str = Field("", max_length=30)
    policy: str = Field("", max_length=100)
    owner: str = Field("", max_length=200)
    connection: str = Field("", max_length=40)
    resource: str = Field("", max_length=40)
    sort: FindingSort = FindingSort.RISK

    @property
    def where(self) -> FindingFilter:
        """The filter in the words of the query."""
        return FindingFilter(
            q=self.q,
            state=self.state,
            severity=self.severity,
            pillar=self.pillar,
            policy_id=self.policy,
            owner=self.owner,
            connection_id=self.connection,
            resource_id=self.resource,
        )


Asked = Annotated[FindingQuery, Query()]


@router.get("/findings", response_class=HTMLResponse)
def finding_list(
    request: Request, shell: FullShell, access: FindingsReader, session: DbSession, asked: Asked
) -> Response:
    """The list, beside its first finding."""
    if asked.format == "csv":
        fetch = partial(
            compliance.search_findings, access=access, where=asked.where, sort=asked.sort
        )
        return csv_download("findings", COLUMNS, fetch, session)
    return render(request, shell, page_of(session, access, shell, asked))


@router.get("/findings/{finding_id}", response_class=HTMLResponse)
def one_finding(
    request: Request,
    shell: FullShell,
    access: FindingsReader,
    session: DbSession,
    asked: Asked,
    finding_id: str,
) -> HTMLResponse:
    """One finding, beside the list it was chosen from."""
    shown = load(session, access=access, shell=shell, number=number_of(finding_id))
    return render(request, shell, page_of(session, access, shell, asked, shown))


def number_of(finding_id: str) -> int:
    """The number in `F-1182`; NotFoundError for anything else."""
    prefix, _, digits = finding_id.partition("-")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST_NUMBER
    if prefix != "F" or not is_number:
        raise NotFoundError(f"no finding {finding_id[:40]!r}", mend="ids look like F-1182")
    return int(digits)


def page_of(
    session: Session,
    access: Access,
    shell: Shell,
    asked: FindingQuery,
    shown: FindingView | None = None,
) -> FindingsPage:
    """The list with `shown` beside it, or with its first finding when none was asked for."""
    t, alone = shell.t, shown is not None
    found = compliance.search_findings(
        session, access=access, where=asked.where, sort=asked.sort, page=asked.window
    )
    counts = compliance.finding_counts(session, access=access)
    address = Address("/findings", asked.known)
    if shown is None and found.items:
        shown = load(session, access=access, shell=shell, number=found.items[0].number)
    last = compliance.last_evaluation(session, access=access)
    title = t.gettext("Findings")
    return FindingsPage(
        title=shown.item.id if alone and shown else title,
        crumbs=(Crumb(title, address.url()),) if alone else (),
        sentence=_sentence(shell, counts),
        address=address,
        tabs=_tabs(shell, address, counts, asked.state),
        filters=_filters(session, access, shell, address),
        sorts=_sorts(shell),
        sort=asked.sort,
        csv_url=address.url(format="csv"),
        list_label=t.gettext(TABS[asked.state]),
        groups=groups_of(shell, found, address, counts, shown.item.id if shown else ""),
        pager=pager_of(t, address, found),
        clear_url=Address("/findings", {"state": asked.state}).url(),
        checked_at=last.ended_at if last else None,
        finding=shown,
        alone=alone,
    )


def _sentence(shell: Shell, counts: Mapping[str, int]) -> str:
    t = shell.t
    if not counts["open"]:
        return t.gettext("No finding is open.")
    text = t.ngettext(
        "%(num)s finding is open: %(critical)s critical, %(high)s high.",
        "%(num)s findings are open: %(critical)s critical, %(high)s high.",
        counts["open"],
    )
    return text % {
        "num": t.number(counts["open"]),
        "critical": t.number(counts["critical"]),
        "high": t.number(counts["high"]),
    }


def _tabs(shell: Shell, address: Address, counts: Mapping[str, int], state: str) -> tuple[Tab, ...]:
    return tuple(
        Tab(
            label=shell.t.gettext(TABS[name]),
            url=address.url(state="" if name == "open" else name),
            count=counts[name],
            current=name == state,
        )
        for name in ("open", "snoozed", "waived", "resolved")
    )


def _sorts(shell: Shell) -> tuple[Option, ...]:
    t = shell.t
    labels = {
        FindingSort.RISK: t.gettext("Severity, then newest"),
        FindingSort.NEWEST: t.gettext("Newest first"),
        FindingSort.OLDEST: t.gettext("Oldest first"),
    }
    return tuple(Option(label, sort.value) for sort, label in labels.items())


def _filters(
    session: Session, access: Access, shell: Shell, address: Address
) -> tuple[Filter, ...]:
    t, words = shell.t, shell.formats.words
    own = [one.policy for one in policies.effective(session)]
    sources = connection_names(session, access=access)
    choices: dict[str, tuple[str, list[Choice]]] = {
        "severity": (
            t.gettext("Severity"),
            [Choice(code, words.severity(code)) for code in severities()],
        ),
        "pillar": (t.gettext("Pillar"), [Choice(code, words.pillar(code)) for code in PILLARS]),
        "owner": (t.gettext("Owner"), [Choice(access.actor, t.gettext("me"))]),
        "policy": (t.gettext("Policy"), [Choice(policy.id, policy.id) for policy in own]),
        "connection": (t.gettext("Connection"), [Choice(one.id, one.name) for one in sources]),
        "resource": (t.gettext("Resource"), []),
    }
    return tuple(filter_of(address, name, label, known) for name, (label, known) in choices.items())
