"""What people do with a finding; each form comes back with what is wrong, or with the finding."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi import Form as FormField
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.http.deps import DbSession, FindingsWriter
from app.http.fragments import wants_fragment
from app.kit.errors import InvalidInputError
from app.kit.i18n import Translator
from app.services import findings
from app.store.queries import compliance
from app.web import toasts
from app.web.findings import FindingQuery, number_of, page_of
from app.web.findings_view import FindingView, load
from app.web.forms import Form, end_of_day, rejected
from app.web.pages import Shell, Toast
from app.web.render import render
from app.web.shell import FullShell

router = APIRouter(prefix="/findings/{finding_id}")

SHORTEST_REASON = 20
CHANGED = {"HX-Trigger": "findings-changed"}
Short = Annotated[str, FormField(max_length=500)]
Long = Annotated[str, FormField(max_length=10_000)]


class Act:
    """One action on one finding, answered as a part for htmx or by going on to the page."""

    def __init__(
        self, request: Request, shell: Shell, access: Access, session: Session, number: int
    ) -> None:
        self._request = request
        self.shell = shell
        self.access = access
        self.session = session
        self.number = number

    @property
    def id(self) -> str:
        """The finding's short name."""
        return f"F-{self.number}"

    def run(
        self,
        form: str,
        write: Callable[[datetime], Toast],
        values: Mapping[str, str],
        *fields: str,
    ) -> Response:
        """Writes and shows the finding; a refusal shows the form again with 422."""
        try:
            with self.session.begin_nested():
                toast = write(self.shell.now)
        except InvalidInputError as error:
            if not fields:
                raise
            wrong = rejected(error, values, *fields)
            return self._show(self.shell, {form: wrong}, status=422)
        if wants_fragment(self._request):
            return self._show(self.shell.with_toast(toast), {}, headers=CHANGED)
        return toasts.go_on(f"/findings/F-{self.number}", toast)

    def _show(
        self,
        shell: Shell,
        forms: Mapping[str, Form],
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        found = load(self.session, access=self.access, shell=shell, number=self.number)
        shown: FindingView = replace(found, **forms)  # type: ignore[arg-type]
        page = page_of(self.session, self.access, shell, FindingQuery(), shown)
        return render(self._request, shell, page, status=status, headers=headers)

    def said(
        self,
        name: str,
        values: Mapping[str, str],
        undo: str = "",
        fields: Mapping[str, str] | None = None,
    ) -> Toast:
        """The toast that says so, with the action that undoes it."""
        undo_url = f"/findings/F-{self.number}/{undo}" if undo else ""
        return toasts.said(self.shell.t, name, values, undo_url, fields)

    def day(self, ends_at: datetime) -> str:
        """The last day of a snooze or a waiver."""
        return self.shell.formats.last_day(ends_at, self.shell.now)


def acting(
    request: Request,
    shell: FullShell,
    access: FindingsWriter,
    session: DbSession,
    finding_id: str,
) -> Act:
    """The action that a request is about to take."""
    return Act(request, shell, access, session, number_of(finding_id))


Acting = Annotated[Act, Depends(acting)]


@router.post("/assign")
def assign(
    act: Acting,
    owner: Short = "",
) -> Response:
    """Names an owner, or nobody."""
    before = (
        compliance.get_finding(act.session, access=act.access, number=act.number).item.owner or ""
    )

    def write(now: datetime) -> Toast:
        findings.assign(
            act.session, access=act.access, number=act.number, owner=owner.strip(), now=now
        )
        name = "assigned" if owner.strip() else "unassigned"
        values = {"id": act.id, "owner": owner.strip()}
        return act.said(name, values, "assign", {"owner": before})

    return act.run("assign", write, {"owner": owner}, "owner")


@router.post("/snooze")
def snooze(
    act: Acting,
    until: Short = "",
) -> Response:
    """Hides the finding until the end of a day."""

    def write(now: datetime) -> Toast:
        ends_at = end_of_day(act.shell.t, until, "until")
        findings.snooze(act.session, access=act.access, number=act.number, until=ends_at, now=now)
        return act.said("snoozed", {"id": act.id, "until": act.day(ends_at)}, "unsnooze", {})

    return act.run("snooze", write, {"until": until}, "until")


@router.post("/unsnooze")
def unsnooze(
    act: Acting,
) -> Response:
    """Shows a snoozed finding again."""

    def write(now: datetime) -> Toast:
        findings.snooze(act.session, access=act.access, number=act.number, until=None, now=now)
        return act.said("unsnoozed", {"id": act.id})

    return act.run("snooze", write, {})


@router.post("/waive")
def waive(
    act: Acting,
    reason: Long = "",
    until: Short = "",
) -> Response:
    """Excuses the breach until the end of a day, for a reason."""

    def write(now: datetime) -> Toast:
        _demand_reason(act.shell.t, reason)
        ends_at = end_of_day(act.shell.t, until, "until")
        findings.waive(
            act.session, access=act.access, number=act.number, reason=reason, until=ends_at, now=now
        )
        return act.said("waived", {"id": act.id, "until": act.day(ends_at)}, "revoke", {})

    return act.run("waive", write, {"reason": reason, "until": until}, "reason", "until")


@router.post("/revoke")
def revoke(
    act: Acting,
) -> Response:
    """Ends the waiver now."""

    def write(now: datetime) -> Toast:
        findings.revoke_waiver(act.session, access=act.access, number=act.number, now=now)
        return act.said("waiver_revoked", {"id": act.id})

    return act.run("waive", write, {})


@router.post("/comment")
def comment(
    act: Acting,
    text: Long = "",
) -> Response:
    """Adds a line to the history."""

    def write(now: datetime) -> Toast:
        findings.comment(act.session, access=act.access, number=act.number, text=text, now=now)
        return act.said("commented", {"id": act.id})

    return act.run("comment", write, {"text": text}, "text")


def _demand_reason(t: Translator, reason: str) -> None:
    if len(reason.strip()) < SHORTEST_REASON:
        what = t.gettext(
            "Say why the risk is acceptable and what limits it, in %(num)s characters or more."
        ) % {"num": SHORTEST_REASON}
        raise InvalidInputError(
            "the reason is too short", errors=({"where": "reason", "what": what},)
        )
