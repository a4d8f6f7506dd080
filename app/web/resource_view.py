"""What every page of a resource shows, whatever its kind: place, verdict, checks and history."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.collectors.registry import collectors
from app.domain.access import Access
from app.domain.declared import is_declared
from app.domain.fact_kinds import FACT_KINDS
from app.domain.paging import Page as Window
from app.services import policies
from app.store.queries import compliance
from app.store.queries.compliance import VerdictItem
from app.store.queries.inventory import ResourceItem, Revision
from app.web import facts_view
from app.web.facts_view import Cell, RevisionLine
from app.web.pages import Shell
from app.web.source_state import age_of

# Areas with a list of their own; resources of the others are under /resources.
_FOLDERS = {
    "storage": "/storage",
    "clusters": "/clusters",
    "file_systems": "/file-systems",
    "accounts": "/accounts",
    "jobs": "/jobs",
}


@dataclass(frozen=True, slots=True)
class Tab:
    """A part of the page under its own address."""

    label: str
    url: str
    count: int | None
    current: bool


@dataclass(frozen=True, slots=True)
class Check:
    """One verdict with the policy's title; waived ones say so."""

    verdict: VerdictItem
    word: str
    title: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """One figure of the strip under the title, with its proof."""

    label: str
    cell: Cell
    evidence_url: str


def folder_of(kind: str) -> str:
    """The address of the list that shows resources of this kind."""
    documents = FACT_KINDS.get(kind, ())
    return _FOLDERS.get(documents[0].AREA if documents else "", "/resources")


def address_of(kind: str, resource_id: str) -> str:
    """The address of the page of one resource."""
    return f"{folder_of(kind)}/{resource_id}"


def attribute(item: ResourceItem, label: str, fact: str, cell: Cell) -> Attribute:
    """A figure of the strip that is a fact of the resource."""
    return Attribute(label, cell, f"/evidence/resource-fact?resource_id={item.id}&fact={fact}")


def tabs_of(
    base: str, current: str, named: Iterable[tuple[str, str, int | None]]
) -> tuple[Tab, ...]:
    """The tabs of a page; the first one is the page's own address."""
    return tuple(
        Tab(label, base if place == 0 else f"{base}?tab={name}", count, name == current)
        for place, (name, label, count) in enumerate(named)
    )


def sentence_of(shell: Shell, item: ResourceItem) -> str:
    """What it is, and through which connection it is known."""
    t, words = shell.t, shell.formats.words
    text = t.gettext("%(kind)s in %(account)s, read through the connection %(connection)s.")
    return text % {
        "kind": words.kind(item.kind),
        "account": item.sub_account_id,
        "connection": item.connection_name,
    }


def age_of_resource(item: ResourceItem, shell: Shell) -> str:
    """How old the facts are by their collector's rules; stale when nobody collects them now."""
    if is_declared(item.collector_id):
        return "fresh"
    collector = collectors().get(item.collector_id)
    return age_of(item.observed_at, collector, shell.now) if collector else "stale"


def verdict_of(item: ResourceItem, shell: Shell) -> Cell:
    """The resource as a whole: what fails, what is not known, or that all passes."""
    t = shell.t
    if item.deleted_at is not None:
        return Cell("paused", t.gettext("Deleted"))
    if item.non_compliant_count:
        return Cell("fail", t.gettext("Fails"))
    if item.unknown_count:
        return Cell("unknown", t.gettext("Unknown"))
    if item.worst_rank < 0:
        return Cell("unknown", t.gettext("Not judged yet"))
    return Cell("pass", t.gettext("Passes"))


def checks_of(session: Session, access: Access, item: ResourceItem) -> tuple[Check, ...]:
    """What every policy says of the resource, breaches first."""
    titles = {one.policy.id: one.policy.title for one in policies.effective(session)}
    found = compliance.verdicts_of(session, access=access, resource_id=item.id)
    order = ("non_compliant", "unknown", "waived", "compliant", "not_applicable")
    checks = [
        Check(
            verdict=verdict,
            word="waived" if verdict.waived else verdict.verdict,
            title=titles.get(verdict.policy_id, verdict.policy_id),
        )
        for verdict in found
    ]
    return tuple(sorted(checks, key=lambda check: (order.index(check.word), check.title)))


def revision_lines(history: Window[Revision]) -> tuple[RevisionLine, ...]:
    """Each revision against the one before; the oldest of the page has its neighbour elsewhere."""
    older = (*history.items[1:], None)
    return tuple(
        RevisionLine(
            number=revision.number,
            valid_from=revision.valid_from,
            digest=revision.digest,
            current=revision.valid_to is None,
            first=revision.number == 1,
            changes=facts_view.changes(before.facts if before else None, revision.facts),
        )
        for revision, before in zip(history.items, older, strict=True)
    )
