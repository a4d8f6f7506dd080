"""The policies: what each demands, how strictly, and how the estate does by it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from pydantic import Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.access import Access, Scope
from app.domain.compliance import PolicyMode
from app.http.deps import DbSession, PoliciesReader
from app.http.downloads import attachment
from app.services import policies
from app.services.policies import PolicyItem
from app.store.queries import compliance, reports
from app.store.queries.compliance import EvaluationItem
from app.web.charts import Part
from app.web.lists import Address, Choice, Filter, ListQuery, filter_of
from app.web.pages import Page, Shell
from app.web.render import render
from app.web.shell import FullShell
from app.web.words import MODES, PILLARS

router = APIRouter()

TREND_WEEKS = 13
NO_COUNTS = dict.fromkeys(("compliant", "non_compliant", "waived", "unknown", "not_applicable"), 0)


class PolicyQuery(ListQuery):
    """What the address of the list can say."""

    pillar: str = Field("", max_length=30)
    mode: Literal["", "enforce", "report", "off"] = ""
    result: Literal["", "failing"] = ""


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """One policy in the list; `trend` are its failed checks by week, None where not known."""

    item: PolicyItem
    counts: Mapping[str, int]
    parts: tuple[Part, ...]
    trend: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoliciesPage(Page):
    """The list of policies."""

    TEMPLATE: ClassVar[str] = "policies/list/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"results": "policies/list/_results.html"}
    AREA: ClassVar[str] = "policies"

    sentence: str
    evaluation: EvaluationItem | None
    address: Address
    filters: tuple[Filter, ...]
    rows: tuple[PolicyRow, ...]
    clear_url: str
    may_write: bool


@router.get("/policies", response_class=HTMLResponse)
def policy_list(
    request: Request,
    shell: FullShell,
    access: PoliciesReader,
    session: DbSession,
    asked: Annotated[PolicyQuery, Query()],
) -> HTMLResponse:
    """All policies, those with most failed checks first."""
    found = policies.list_policies(session, access=access)
    counts = compliance.policy_counts(session, access=access)
    trends = _trends(session, access, shell)
    rows = [
        row_of(shell, item, counts.get(item.effective.policy.id, NO_COUNTS), trends)
        for item in found
    ]
    rows.sort(key=lambda row: (-row.counts["non_compliant"], row.item.effective.policy.id))
    address = Address("/policies", asked.known)
    page = PoliciesPage(
        title=shell.t.gettext("Policies"),
        sentence=_sentence(shell, found),
        evaluation=compliance.last_evaluation(session, access=access),
        address=address,
        filters=_filters(shell, address),
        rows=tuple(row for row in rows if _matches(row, asked)),
        clear_url="/policies",
        may_write=Scope.POLICIES_WRITE in access.scopes,
    )
    return render(request, shell, page)


@router.get("/policies/export.yaml")
def export(access: PoliciesReader, session: DbSession) -> Response:
    """All policies as one YAML stream."""
    found = policies.list_policies(session, access=access)
    text = "---\n".join(item.effective.policy.text for item in found)
    headers = {"Content-Disposition": attachment("policies.yaml")}
    return Response(text, media_type="application/yaml", headers=headers)


def row_of(
    shell: Shell,
    item: PolicyItem,
    counts: Mapping[str, int],
    trends: Sequence[Mapping[str, Mapping[str, int]]],
) -> PolicyRow:
    """A policy with its counts and its trend."""
    policy_id = item.effective.policy.id
    past = [week.get(policy_id) for week in trends]
    return PolicyRow(
        item=item,
        counts=counts,
        parts=parts_of(shell, counts),
        trend=tuple(found["non_compliant"] if found else None for found in past),
    )


def parts_of(shell: Shell, counts: Mapping[str, int]) -> tuple[Part, ...]:
    """The verdicts of a policy as shares of a bar."""
    words, number = shell.formats.words, shell.t.number
    tones = (
        ("compliant", "cp"),
        ("waived", "cv"),
        ("non_compliant", "cf"),
        ("unknown", "chx"),
    )
    return tuple(
        Part(f"{words.verdict(word)[1]}: {number(counts[word])}", counts[word], tone)
        for word, tone in tones
    )


def _matches(row: PolicyRow, asked: PolicyQuery) -> bool:
    policy = row.item.effective.policy
    text = f"{policy.id} {policy.title} {policy.assertion}".casefold()
    return (
        asked.q.casefold() in text
        and asked.pillar in {"", policy.pillar}
        and asked.mode in {"", row.item.effective.mode}
        and (asked.result != "failing" or row.counts["non_compliant"] > 0)
    )


def _trends(
    session: Session, access: Access, shell: Shell
) -> tuple[Mapping[str, Mapping[str, int]], ...]:
    """Counts by policy at the end of each of the last weeks, oldest first."""
    if access.connection_ids is not None:
        return ()
    ends = [shell.now - timedelta(weeks=back) for back in range(TREND_WEEKS - 1, -1, -1)]
    found = (reports.evaluation_before(session, access=access, before=end) for end in ends)
    return tuple(one.counts if one else {} for one in found)


def _sentence(shell: Shell, found: Sequence[PolicyItem]) -> str:
    t = shell.t
    modes = [item.effective.mode for item in found]
    text = t.ngettext(
        "%(num)s policy, kept as code: %(enforced)s enforced, %(report)s report only, %(off)s off.",
        "%(num)s policies, kept as code: %(enforced)s enforced, %(report)s report only, "
        "%(off)s off.",
        len(found),
    )
    return text % {
        "num": t.number(len(found)),
        "enforced": t.number(modes.count(PolicyMode.ENFORCE)),
        "report": t.number(modes.count(PolicyMode.REPORT)),
        "off": t.number(modes.count(PolicyMode.OFF)),
    }


def _filters(shell: Shell, address: Address) -> tuple[Filter, ...]:
    t, words = shell.t, shell.formats.words
    return (
        filter_of(
            address,
            "pillar",
            t.gettext("Pillar"),
            [Choice(code, words.pillar(code)) for code in PILLARS],
        ),
        filter_of(
            address, "mode", t.gettext("Mode"), [Choice(code, words.mode(code)) for code in MODES]
        ),
        filter_of(
            address, "result", t.gettext("Result"), [Choice("failing", t.gettext("any fail"))]
        ),
    )
