"""The proof behind a figure: how it was made, from what, and how old that is."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.domain.paging import Page as Window
from app.domain.paging import PageRequest
from app.http.deps import DbSession, EvidenceReader
from app.http.downloads import Columns, Fetch, csv_download
from app.kit.i18n import mark
from app.services.evidence import Evidence, EvidenceInput, evidence
from app.web.highlight import to_json
from app.web.lists import Address
from app.web.pages import Page, Shell
from app.web.render import render
from app.web.shell import FullShell

router = APIRouter()

TITLES: dict[str, str] = {
    "posture": mark("Posture"),
    "pillar": mark("Score of a pillar"),
    "policy-count": mark("Verdicts of a policy"),
    "finding": mark("Why this is a finding"),
    "resource-fact": mark("Fact of a resource"),
    "connection-read": mark("Resources read"),
}
UNITS: dict[str, str] = {"percent": mark("of 100"), "resources": mark("resources")}
COLUMNS: Columns[EvidenceInput] = {
    name: attrgetter(name) for name in ("name", "value", "source", "observed_at", "url")
}


class EvidenceQuery(BaseModel):
    """What a proof can be asked for by."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    pillar: str = Field("", max_length=30)
    policy_id: str = Field("", max_length=100)
    verdict: str = Field("", max_length=20)
    number: str = Field("", max_length=20)
    resource_id: str = Field("", max_length=40)
    fact: str = Field("", max_length=100)
    connection_id: str = Field("", max_length=40)
    format: Literal["html", "csv"] = "html"

    @property
    def params(self) -> dict[str, str]:
        """Those that were given."""
        given = self.model_dump(exclude={"format"})
        return {name: value for name, value in given.items() if value}


@dataclass(frozen=True, slots=True)
class Shown:
    """A value: a number, a text, or a document as JSON."""

    text: str
    document: Markup | None


@dataclass(frozen=True, slots=True)
class InputLine:
    """One input with its value as shown."""

    input: EvidenceInput
    value: Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePage(Page):
    """A proof, as a page and as what the drawer holds."""

    TEMPLATE: ClassVar[str] = "evidence/page.html"
    PARTS: ClassVar[Mapping[str, str]] = {"drawer-body": "evidence/_body.html"}

    proof: Evidence
    value: Shown
    unit: str
    lines: tuple[InputLine, ...]
    csv_url: str
    api_url: str


@router.get("/evidence/{metric}", response_class=HTMLResponse)
def show(
    request: Request,
    shell: FullShell,
    access: EvidenceReader,
    session: DbSession,
    metric: str,
    asked: Annotated[EvidenceQuery, Query()],
) -> Response:
    """The proof of one figure."""
    proof = evidence(session, access=access, metric=metric, params=asked.params)
    if asked.format == "csv":
        return csv_download(f"evidence-{metric}", COLUMNS, _whole(proof), session)
    address = Address(f"/evidence/{metric}", asked.params)
    page = EvidencePage(
        title=shell.t.gettext(TITLES.get(metric, proof.title)),
        proof=proof,
        value=_shown(shell, proof.value),
        unit=shell.t.gettext(UNITS[proof.unit]) if proof.unit in UNITS else proof.unit,
        lines=tuple(InputLine(one, _shown(shell, one.value)) for one in proof.inputs),
        csv_url=address.url(format="csv"),
        api_url=Address(f"/api/v1/evidence/{metric}", asked.params).url(),
    )
    return render(request, shell, page)


def _shown(shell: Shell, value: Any) -> Shown:
    t = shell.t
    if value is None:
        return Shown(t.gettext("No data"), None)
    if isinstance(value, bool):
        return Shown(t.gettext("Yes") if value else t.gettext("No"), None)
    if isinstance(value, int | float):
        return Shown(t.number(value, 2), None)
    if isinstance(value, str):
        return Shown(value, None)
    return Shown("", to_json(value))


def _whole(proof: Evidence) -> Fetch[EvidenceInput]:
    """Everything at once, as a list that CSV can be made of."""

    def fetch(_session: Session, /, *, page: PageRequest) -> Window[EvidenceInput]:
        del page
        return Window(proof.inputs, "", "", len(proof.inputs), 1)

    return fetch
