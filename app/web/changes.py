"""What changed in the estate, for the overview: like changes of one day are one line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from sqlalchemy.orm import Session

from app.domain.access import Access
from app.store.queries.changes import ChangeItem, ChangeKind, recent_changes
from app.web.pages import Shell
from app.web.resource_view import address_of

READ = 200
ICONS: dict[ChangeKind, str] = {
    ChangeKind.FINDING_OPENED: "inbox",
    ChangeKind.FINDING_RESOLVED: "check",
    ChangeKind.RESOURCE_APPEARED: "plus",
    ChangeKind.RESOURCE_CHANGED: "pencil",
    ChangeKind.RESOURCE_DELETED: "trash-2",
    ChangeKind.POLICY_CHANGED: "scale",
}
LISTS: dict[ChangeKind, str] = {
    ChangeKind.FINDING_OPENED: "/findings",
    ChangeKind.FINDING_RESOLVED: "/findings?state=resolved",
    ChangeKind.RESOURCE_DELETED: "/resources?state=deleted",
    ChangeKind.POLICY_CHANGED: "/policies",
}


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """Changes of one sort on one day: what, in more words, when last, and where to see them."""

    icon: str
    text: str
    detail: str
    at: datetime
    url: str


def since(
    session: Session, *, access: Access, shell: Shell, at: datetime, limit: int
) -> tuple[ChangeLine, ...]:
    """The newest changes since `at`, at most `limit` lines."""
    found = recent_changes(session, access=access, since=at, limit=READ)
    lines = [_line(shell, group) for group in _groups(found)]
    return tuple(lines[:limit])


def _groups(found: Iterable[ChangeItem]) -> list[list[ChangeItem]]:
    """Changes of one kind, day and detail together, the newest group first."""

    def key(change: ChangeItem) -> tuple[str, str, str]:
        return change.at.astimezone(UTC).date().isoformat(), change.kind, change.detail

    together = [list(group) for _, group in groupby(sorted(found, key=key), key=key)]
    return sorted(together, key=_newest, reverse=True)


def _newest(group: Sequence[ChangeItem]) -> datetime:
    return max(change.at for change in group)


def _line(shell: Shell, group: Sequence[ChangeItem]) -> ChangeLine:
    first = group[0]
    return ChangeLine(
        icon=ICONS[first.kind],
        text=_text(shell, first.kind, len(group)),
        detail=_detail(shell, group),
        at=_newest(group),
        url=_url(group),
    )


def _text(shell: Shell, kind: ChangeKind, number: int) -> str:
    t = shell.t
    text = {
        ChangeKind.FINDING_OPENED: t.ngettext(
            "%(num)s finding opened", "%(num)s findings opened", number
        ),
        ChangeKind.FINDING_RESOLVED: t.ngettext(
            "%(num)s finding closed", "%(num)s findings closed", number
        ),
        ChangeKind.RESOURCE_APPEARED: t.ngettext(
            "%(num)s resource appeared", "%(num)s resources appeared", number
        ),
        ChangeKind.RESOURCE_CHANGED: t.ngettext(
            "%(num)s resource changed", "%(num)s resources changed", number
        ),
        ChangeKind.RESOURCE_DELETED: t.ngettext(
            "%(num)s resource is gone", "%(num)s resources are gone", number
        ),
        ChangeKind.POLICY_CHANGED: t.ngettext(
            "%(num)s change of a policy", "%(num)s changes of policies", number
        ),
    }[kind]
    return text % {"num": t.number(number)}


def _detail(shell: Shell, group: Sequence[ChangeItem]) -> str:
    """What it was about; one alone is named."""
    about = _about(shell, group[0])
    names = dict.fromkeys(change.name for change in group)
    return f"{about} · {next(iter(names))}" if len(names) == 1 else about


def _about(shell: Shell, change: ChangeItem) -> str:
    words = shell.formats.words
    if change.kind is ChangeKind.FINDING_OPENED:
        return shell.t.gettext(change.detail)
    if change.kind is ChangeKind.FINDING_RESOLVED:
        return words.close_reason(change.detail)
    if change.kind is ChangeKind.POLICY_CHANGED:
        return words.policy_action(change.detail)
    return words.kind(change.detail)


def _url(group: Sequence[ChangeItem]) -> str:
    first = group[0]
    if len({change.subject_id for change in group}) > 1:
        return LISTS.get(first.kind, "/resources")
    if first.kind in {ChangeKind.FINDING_OPENED, ChangeKind.FINDING_RESOLVED}:
        return f"/findings/F-{first.subject_id}"
    if first.kind is ChangeKind.POLICY_CHANGED:
        return f"/policies/{first.subject_id}"
    return address_of(first.detail, first.subject_id)
