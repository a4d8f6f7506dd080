"""What can be done to a policy: set its mode and params, delete an own one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Depends, Request
from fastapi import Form as FormField
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access
from app.http.deps import DbSession, Now, PoliciesWriter
from app.kit.errors import InvalidInputError
from app.policies.policy import LIST_OF_STRINGS, Param, Policy
from app.services import policies
from app.store.queries import compliance
from app.store.queries.compliance import FindingFilter
from app.web import toasts
from app.web.forms import Form, FormValues, rejected
from app.web.pages import Crumb, Page, Shell
from app.web.policy_detail import DetailQuery, Forms, page_of
from app.web.render import render
from app.web.shell import FullShell

router = APIRouter(prefix="/policies/{policy_id}")


class Act:
    """One change of one policy, answered by going on to its page, or by the form with 422."""

    def __init__(
        self, request: Request, shell: Shell, access: Access, session: Session, policy_id: str
    ) -> None:
        self._request = request
        self.shell = shell
        self.access = access
        self.session = session
        self.id = policy_id

    @property
    def policy(self) -> Policy:
        """The policy; NotFoundError when there is none."""
        return policies.get(self.session, access=self.access, policy_id=self.id).effective.policy

    def run(
        self, write: Callable[[], object], form: Callable[[InvalidInputError], Forms]
    ) -> Response:
        """Writes; a refusal shows the page again with the form that was sent."""
        try:
            with self.session.begin_nested():
                write()
        except InvalidInputError as error:
            item = policies.get(self.session, access=self.access, policy_id=self.id)
            page = page_of(self.session, self.access, self.shell, item, DetailQuery(), form(error))
            return render(self._request, self.shell, page, status=422)
        toast = toasts.said(self.shell.t, "policy_saved", {"id": self.id})
        return toasts.go_on(f"/policies/{self.id}", toast)


def acting(
    request: Request, shell: FullShell, access: PoliciesWriter, session: DbSession, policy_id: str
) -> Act:
    """The change that a request is about to make."""
    return Act(request, shell, access, session, policy_id)


Acting = Annotated[Act, Depends(acting)]


@router.post("/mode")
def set_mode(
    act: Acting,
    now: Now,
    mode: Annotated[str, FormField(max_length=20)] = "",
    version: Annotated[int, FormField(ge=0)] = 0,
) -> Response:
    """Sets enforce, report or off."""

    def write() -> None:
        policies.set_mode(
            act.session, access=act.access, policy_id=act.id, mode=mode, now=now, version=version
        )

    return act.run(write, lambda error: Forms(mode=rejected(error, {"mode": mode}, "mode")))


@router.post("/params")
def set_params(
    act: Acting,
    now: Now,
    values: FormValues,
    version: Annotated[int, FormField(ge=0)] = 0,
) -> Response:
    """Sets the params; those that equal their defaults are not kept."""
    policy = act.policy

    def write() -> None:
        policies.set_params(
            act.session,
            access=act.access,
            policy_id=act.id,
            params=_params(policy, values),
            now=now,
            version=version,
        )

    def form(error: InvalidInputError) -> Forms:
        return Forms(params=_rejected_params(error, policy, values))

    return act.run(write, form)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletePolicyPage(Page):
    """Asks before an own policy is deleted, and says what goes with it."""

    TEMPLATE: ClassVar[str] = "policies/delete/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"dialog-body": "policies/delete/_body.html"}
    AREA: ClassVar[str] = "policies"

    policy: Policy
    findings: int


@router.get("/delete", response_class=HTMLResponse)
def ask_delete(request: Request, act: Acting) -> HTMLResponse:
    """The plan of what a deletion would take along."""
    policy, t = act.policy, act.shell.t
    where = FindingFilter(policy_id=policy.id)
    page = DeletePolicyPage(
        title=t.gettext("Delete"),
        crumbs=(
            Crumb(t.gettext("Policies"), "/policies"),
            Crumb(policy.id, f"/policies/{policy.id}"),
        ),
        policy=policy,
        findings=compliance.count_findings(act.session, access=act.access, where=where) or 0,
    )
    return render(request, act.shell, page)


@router.post("/delete")
def delete(act: Acting, now: Now) -> Response:
    """Removes an own policy; its findings close at the evaluation that follows."""
    policies.delete(act.session, access=act.access, policy_id=act.id, now=now)
    toast = toasts.said(act.shell.t, "policy_deleted", {"id": act.id})
    return toasts.go_on("/policies", toast)


def _params(policy: Policy, values: Mapping[str, str]) -> dict[str, Any]:
    read = {name: read_param(param, values[name]) for name, param in _sent(policy, values)}
    return {name: value for name, value in read.items() if value != policy.params[name].default}


def _sent(policy: Policy, values: Mapping[str, str]) -> list[tuple[str, Param]]:
    return [(name, param) for name, param in policy.params.items() if name in values]


def read_param(param: Param, text: str) -> Any:
    """The value that a form field holds; text that is no such value stays text, to be refused."""
    text = text.strip()
    if param.type == LIST_OF_STRINGS:
        return [line.strip() for line in text.splitlines() if line.strip()]
    if param.type == "bool":
        return {"true": True, "false": False}.get(text, text)
    if param.type in {"int", "float"}:
        return _number(text, whole=param.type == "int")
    return text


def _number(text: str, *, whole: bool) -> int | float | str:
    try:
        return int(text) if whole else float(text.replace(",", "."))
    except ValueError:
        return text


def _rejected_params(error: InvalidInputError, policy: Policy, values: Mapping[str, str]) -> Form:
    named = tuple(
        {"where": fault["where"].removeprefix("params."), "what": fault["what"]}
        for fault in error.errors
    )
    plain = InvalidInputError(error.detail, mend=error.mend, errors=named)
    return rejected(plain, values, *policy.params)
