"""What the findings page shows: the list in groups, and one finding with all that is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar

from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.compliance import Severity
from app.domain.paging import Page as Window
from app.kit.ids import digest
from app.policies.engine import Remedy
from app.policies.policy import Policy
from app.services import policies
from app.services.remedies import remedy_of
from app.store.queries import compliance
from app.store.queries.compliance import FindingDetail, FindingEvent, FindingItem, WaiverItem
from app.web.forms import Form
from app.web.lists import Address, Filter, Option, Pager
from app.web.pages import Page, Shell

SNOOZE_DAYS = (1, 7, 30)
LONGEST_WAIVER_DAYS = 90


@dataclass(frozen=True, slots=True)
class Tab:
    """One state of findings, with how many there are."""

    label: str
    url: str
    count: int
    current: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One finding in the list; its address keeps the list's filters."""

    item: FindingItem
    url: str
    selected: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Findings of one severity; the list in another order is one group without a title."""

    title: str
    count: int | None
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Snooze:
    """A way to snooze: until when, as a date for the form."""

    label: str
    until: str


@dataclass(frozen=True, slots=True)
class FindingView:
    """One finding. `policy` None: it is no longer here. `may_write`: the forms are shown."""

    item: FindingItem
    state: str
    used: Mapping[str, Any]
    used_digest: str
    revision_id: str
    events: tuple[FindingEvent, ...]
    waiver: WaiverItem | None
    policy: Policy | None
    mode: str
    remedy: Remedy | None
    snoozes: tuple[Snooze, ...]
    earliest: str
    latest: str
    may_write: bool
    me: str
    assign: Form = field(default_factory=Form)
    snooze: Form = field(default_factory=Form)
    waive: Form = field(default_factory=Form)
    comment: Form = field(default_factory=Form)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingsPage(Page):
    """The list beside one finding. `alone`: narrow windows show the finding, not the list."""

    TEMPLATE: ClassVar[str] = "findings/inbox/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {
        "results": "findings/inbox/_results.html",
        "detail": "findings/inbox/_detail.html",
    }
    AREA: ClassVar[str] = "findings"

    sentence: str
    address: Address
    tabs: tuple[Tab, ...]
    filters: tuple[Filter, ...]
    sorts: tuple[Option, ...]
    sort: str
    csv_url: str
    list_label: str
    groups: tuple[Group, ...]
    pager: Pager
    clear_url: str
    checked_at: datetime | None
    finding: FindingView | None
    alone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingPage(Page):
    """One finding as a part of the page that htmx replaces, after an action on it."""

    TEMPLATE: ClassVar[str] = "findings/inbox/_detail.html"
    PARTS: ClassVar[Mapping[str, str]] = {}
    AREA: ClassVar[str] = "findings"

    finding: FindingView


def groups_of(
    shell: Shell,
    found: Window[FindingItem],
    address: Address,
    counts: Mapping[str, int],
    selected: str,
) -> tuple[Group, ...]:
    """The rows of a page, by severity when they come in that order."""
    by_severity = address.query.get("sort", "risk") in {"", "risk"}
    rows = [_row(item, address, selected) for item in found.items]
    if not by_severity:
        return (Group("", None, tuple(rows)),) if rows else ()
    plain = address.filters == 0 and address.query.get("state", "open") in {"", "open"}
    return tuple(
        Group(
            shell.formats.words.severity(severity),
            counts[severity] if plain else None,
            tuple(row for row in rows if row.item.severity == severity),
        )
        for severity in _present(found.items)
    )


def _present(items: Sequence[FindingItem]) -> list[str]:
    return list(dict.fromkeys(item.severity for item in items))


def _row(item: FindingItem, address: Address, selected: str) -> Row:
    url = Address(f"/findings/{item.id}", address.query).url()
    return Row(item, url, item.id == selected)


def finding_view(
    session: Session, *, access: Access, shell: Shell, detail: FindingDetail
) -> FindingView:
    """Everything about one finding."""
    item = detail.item
    effective = {one.policy.id: one for one in policies.effective(session)}.get(item.policy_id)
    policy = effective.policy if effective else None
    return FindingView(
        item=item,
        state=item.overlay or item.state,
        used=detail.used,
        used_digest=digest(detail.used),
        revision_id=detail.revision_id,
        events=detail.events,
        waiver=_waiver(detail, shell.now),
        policy=policy,
        mode=effective.mode if effective else "",
        remedy=remedy_of(
            session,
            access=access,
            policy_id=item.policy_id,
            resource_id=item.resource_id,
            now=shell.now,
        ),
        snoozes=_snoozes(shell),
        earliest=_day(shell.now, 1),
        latest=_day(shell.now, LONGEST_WAIVER_DAYS),
        may_write=Scope.FINDINGS_WRITE in access.scopes and item.state == "open",
        me=access.actor,
    )


def load(session: Session, *, access: Access, shell: Shell, number: int) -> FindingView:
    """One finding by its number; NotFoundError as the query."""
    detail = compliance.get_finding(session, access=access, number=number)
    return finding_view(session, access=access, shell=shell, detail=detail)


def _waiver(detail: FindingDetail, now: datetime) -> WaiverItem | None:
    running = (w for w in detail.waivers if w.revoked_at is None and w.starts_at <= now < w.ends_at)
    return next(running, None)


def _snoozes(shell: Shell) -> tuple[Snooze, ...]:
    t = shell.t
    labels = {
        1: t.gettext("Until tomorrow"),
        7: t.gettext("For a week"),
        30: t.gettext("For 30 days"),
    }
    return tuple(Snooze(labels[days], _day(shell.now, days)) for days in SNOOZE_DAYS)


def _day(now: datetime, days: int) -> str:
    return (now + timedelta(days=days)).date().isoformat()


def severities() -> tuple[str, ...]:
    """All severities, the worst first."""
    return tuple(severity.value for severity in reversed(Severity))
