"""Writing a policy: its text is checked with line and column before it is saved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from fastapi import APIRouter, Query, Request
from fastapi import Form as FormField
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from app.http.deps import DbSession, Now, PoliciesWriter
from app.kit.errors import ConflictError, InvalidInputError
from app.services import policies
from app.web import toasts
from app.web.pages import Crumb, Page, Shell
from app.web.render import render
from app.web.shell import FullShell

router = APIRouter()

LONGEST_SOURCE = 64 * 1024
# What a new policy starts from: a whole one that passes its own test.
STARTER = """\
id: my-policy
title: Versioning is on
why: Overwritten training data must be recoverable.
source: Our data handbook.
severity: medium
pillar: reproducibility
area: storage
applies_to: [s3_bucket, azure_storage_account]
assert: facts.versioning_on
message: Versioning of {resource.name} is off.
remedy: Switch versioning on.
tests:
  - name: versioning is on
    facts: {versioning_on: true}
    expect: compliant
  - name: versioning is off
    resource: {name: corpus}
    facts: {versioning_on: false}
    expect: non_compliant
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a policy's text."""

    line: int
    column: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WritePage(Page):
    """The page on which a policy is written. `good`: the text was checked and holds."""

    TEMPLATE: ClassVar[str] = "policies/new/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"editor": "policies/new/_editor.html"}
    AREA: ClassVar[str] = "policies"

    text: str
    version: int
    faults: tuple[Fault, ...]
    bad_lines: Mapping[int, str]
    refusal: str
    good: bool


class SentPolicy(BaseModel):
    """The form as sent. `version` is the one that the writer saw, 0 for a new policy."""

    model_config = ConfigDict(extra="ignore")

    text: str = Field("", max_length=LONGEST_SOURCE)
    version: int = Field(0, ge=0)
    action: Literal["check", "save"] = "check"


def _page(
    shell: Shell,
    text: str,
    version: int = 0,
    *,
    faults: tuple[Fault, ...] = (),
    refusal: str = "",
    good: bool = False,
) -> WritePage:
    return WritePage(
        title=shell.t.gettext("Write a policy"),
        crumbs=(Crumb(shell.t.gettext("Policies"), "/policies"),),
        text=text,
        version=version,
        faults=faults,
        bad_lines={fault.line: fault.what for fault in faults},
        refusal=refusal,
        good=good,
    )


@router.get("/policies/new", response_class=HTMLResponse)
def write_form(
    request: Request,
    shell: FullShell,
    access: PoliciesWriter,
    session: DbSession,
    policy: Annotated[str, Query(max_length=100)] = "",
) -> HTMLResponse:
    """An empty start, or the text of a policy that is here."""
    if not policy:
        return render(request, shell, _page(shell, STARTER))
    item = policies.get(session, access=access, policy_id=policy)
    version = item.version if item.own else 0
    return render(request, shell, _page(shell, item.effective.policy.text, version))


@router.post("/policies/new")
def write(
    request: Request,
    shell: FullShell,
    access: PoliciesWriter,
    session: DbSession,
    now: Now,
    sent: Annotated[SentPolicy, FormField()],
) -> Response:
    """Checks the text, and saves it when asked to."""
    text = sent.text.replace("\r\n", "\n")
    faults = faults_of(text)
    if faults or sent.action == "check":
        page = _page(shell, text, sent.version, faults=faults, good=not faults)
        return render(request, shell, page, status=422 if faults else 200)
    try:
        with session.begin_nested():
            item = policies.save(session, access=access, text=text, now=now, version=sent.version)
    except (ConflictError, InvalidInputError) as error:
        page = _page(shell, text, sent.version, refusal=f"{error.detail}: {error.mend}")
        return render(request, shell, page, status=error.status)
    policy_id = item.effective.policy.id
    toast = toasts.said(shell.t, "policy_saved", {"id": policy_id})
    return toasts.go_on(f"/policies/{policy_id}", toast)


def faults_of(text: str) -> tuple[Fault, ...]:
    """What is wrong with a text, by line and column."""
    return tuple(_fault(found) for found in policies.check(text))


def _fault(found: Mapping[str, str]) -> Fault:
    line, _, column = found["where"].partition(":")
    return Fault(int(line), int(column or 1), found["what"])
