"""One policy: its source, why it is there, how it is set, and every verdict it gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.compliance import PolicyMode
from app.http.deps import DbSession, PoliciesReader
from app.policies.policy import Param
from app.services import policies
from app.services.policies import PolicyItem
from app.store.queries import compliance
from app.store.queries.compliance import VerdictItem
from app.web.charts import Part
from app.web.forms import Form
from app.web.lists import Address, Choice, Filter, ListQuery, Pager, filter_of, pager_of
from app.web.pages import Crumb, Page, Shell
from app.web.policies import NO_COUNTS, parts_of
from app.web.render import render
from app.web.resource_view import Tab
from app.web.shell import FullShell
from app.web.words import VERDICTS

router = APIRouter()


class DetailQuery(ListQuery):
    """Which tab, and which verdicts."""

    tab: Literal["policy", "results", "tests"] = "policy"
    verdict: Literal["", "compliant", "non_compliant", "waived", "unknown", "not_applicable"] = ""


@dataclass(frozen=True, slots=True)
class ParamLine:
    """One param as set here; `text` is its value as the form shows it."""

    param: Param
    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Result:
    """One verdict of the policy."""

    verdict: VerdictItem
    word: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPage(Page):
    """The page of one policy."""

    TEMPLATE: ClassVar[str] = "policies/detail/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"results": "policies/detail/_results.html"}
    AREA: ClassVar[str] = "policies"

    item: PolicyItem
    counts: Mapping[str, int]
    parts: tuple[Part, ...]
    tabs: tuple[Tab, ...]
    tab: str
    modes: tuple[str, ...]
    params: tuple[ParamLine, ...]
    mode_form: Form
    param_form: Form
    filters: tuple[Filter, ...]
    results: tuple[Result, ...]
    pager: Pager
    may_write: bool


@dataclass(frozen=True, slots=True)
class Forms:
    """The two forms of the page as they come back."""

    mode: Form = field(default_factory=Form)
    params: Form = field(default_factory=Form)


@router.get("/policies/{policy_id}", response_class=HTMLResponse)
def policy(
    request: Request,
    shell: FullShell,
    access: PoliciesReader,
    session: DbSession,
    policy_id: str,
    asked: Annotated[DetailQuery, Query()],
) -> HTMLResponse:
    """The page of one policy."""
    item = policies.get(session, access=access, policy_id=policy_id)
    return render(request, shell, page_of(session, access, shell, item, asked))


def page_of(
    session: Session,
    access: Access,
    shell: Shell,
    item: PolicyItem,
    asked: DetailQuery,
    forms: Forms | None = None,
) -> PolicyPage:
    """Everything about one policy."""
    found = item.effective.policy
    forms = forms or Forms()
    counts = compliance.policy_counts(session, access=access).get(found.id, NO_COUNTS)
    address = Address(f"/policies/{found.id}", {**asked.known, "tab": "results"})
    verdicts = compliance.search_verdicts(
        session, access=access, policy_id=found.id, verdict=asked.verdict, page=asked.window
    )
    words = shell.formats.words
    choices = [Choice(code, words.verdict(code)[1], counts[code]) for code in VERDICTS]
    return PolicyPage(
        title=found.id,
        crumbs=(Crumb(shell.t.gettext("Policies"), "/policies"),),
        item=item,
        counts=counts,
        parts=parts_of(shell, counts),
        tabs=_tabs(shell, asked.tab, item, sum(counts.values())),
        tab=asked.tab,
        modes=tuple(PolicyMode),
        params=tuple(_param(item, param, forms.params) for param in found.params.values()),
        mode_form=forms.mode,
        param_form=forms.params,
        filters=(filter_of(address, "verdict", shell.t.gettext("Verdict"), choices),),
        results=tuple(
            Result(one, "waived" if one.waived else one.verdict) for one in verdicts.items
        ),
        pager=pager_of(shell.t, address, verdicts),
        may_write=Scope.POLICIES_WRITE in access.scopes,
    )


def _tabs(shell: Shell, current: str, item: PolicyItem, results: int) -> tuple[Tab, ...]:
    t, base = shell.t, f"/policies/{item.effective.policy.id}"
    named = (
        ("policy", t.gettext("Policy"), None),
        ("results", t.gettext("Results"), results),
        ("tests", t.gettext("Tests"), len(item.effective.policy.tests)),
    )
    return tuple(
        Tab(label, base if name == "policy" else f"{base}?tab={name}", count, name == current)
        for name, label, count in named
    )


def _param(item: PolicyItem, param: Param, form: Form) -> ParamLine:
    value = item.effective.params[param.name]
    return ParamLine(param, form.value(param.name, param_text(value)), value != param.default)


def param_text(value: Any) -> str:
    """A param's value as the form shows it: lists one entry a line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "\n".join(value)
    return str(value)
