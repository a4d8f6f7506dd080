"""Where a figure comes from: formula, inputs, sources, ages and a digest over all of it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.compliance import Pillar
from app.domain.declared import is_declared
from app.domain.fact_kinds import FACT_KINDS, fields_of_kind
from app.domain.fact_schema import fields_of
from app.domain.facts import FactSet
from app.domain.paging import PageRequest
from app.domain.reporting import Counts
from app.kit.errors import InvalidInputError, NotFoundError
from app.kit.ids import digest
from app.policies.policy import Policy
from app.services import policies
from app.store.queries import compliance, connections, inventory, posture, verdict_tallies

SCORE = "floor(100 · compliant ÷ (compliant + non_compliant + waived + unknown))"
VERDICTS = "verdicts of enforced policies on live resources"
LISTED = 100
ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class EvidenceInput:
    """One input: a JSON value, the operation or table it comes from, when we received it, where
    to see it ('' nowhere)."""

    name: str
    value: Any
    source: str
    observed_at: datetime | None
    url: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A figure with its proof. `value` None: nothing is known yet.

    `as_of`: the oldest receipt that it rests on. `digest`: sha256 over formula, value and inputs.
    """

    metric: str
    title: str
    formula: str
    value: Any
    unit: str
    inputs: tuple[EvidenceInput, ...]
    as_of: datetime | None
    digest: str = ""


def evidence(
    session: Session, *, access: Access, metric: str, params: Mapping[str, str]
) -> Evidence:
    """The proof of a figure. InvalidInputError for an unknown metric or a missing parameter."""
    access.demand(Scope.EVIDENCE_READ)
    if metric not in METRICS:
        known = ", ".join(METRICS)
        raise InvalidInputError(f"no evidence for {metric[:40]!r}", mend=f"one of {known}")
    found = METRICS[metric](session, access, params)
    content = {
        "formula": found.formula,
        "value": found.value,
        "inputs": [[one.name, one.value, one.source, str(one.observed_at)] for one in found.inputs],
    }
    return replace(found, digest=digest(content))


def _param(params: Mapping[str, str], name: str) -> str:
    value = params.get(name, "")
    if not value:
        raise InvalidInputError(
            f"the parameter {name} is missing",
            mend=f"add {name} to the address",
            errors=({"where": name, "what": "is missing"},),
        )
    return value


def _posture(session: Session, access: Access, _: Mapping[str, str]) -> Evidence:
    found = posture.posture_now(session, access=access)
    total = Counts()
    for counts in found.values():
        total = total.plus(counts)
    at = compliance.judged_at(session, access=access)
    inputs = [
        EvidenceInput(f"{pillar}.{word}", number, VERDICTS, at, f"/evidence/pillar?pillar={pillar}")
        for pillar, counts in sorted(found.items())
        for word, number in _words(counts)
    ]
    title = "Posture of all pillars with data"
    return Evidence("posture", title, SCORE, total.score, "percent", tuple(inputs), at)


def _pillar(session: Session, access: Access, params: Mapping[str, str]) -> Evidence:
    pillar = _param(params, "pillar")
    if pillar not in list(Pillar):
        known = ", ".join(Pillar)
        raise InvalidInputError(f"no pillar {pillar[:20]!r}", mend=f"one of {known}")
    at = compliance.judged_at(session, access=access)
    total, inputs = Counts(), []
    for policy_id, counts in verdict_tallies.counts_of_pillar(
        session, access=access, pillar=pillar
    ).items():
        total = total.plus(counts)
        for word, number in _words(counts):
            url = f"/evidence/policy-count?policy_id={policy_id}&verdict={word}"
            inputs.append(EvidenceInput(f"{policy_id}.{word}", number, VERDICTS, at, url))
    title = f"Score of the pillar {pillar}"
    return Evidence("pillar", title, SCORE, total.score, "percent", tuple(inputs), at)


def _words(counts: Counts) -> tuple[tuple[str, int], ...]:
    return (
        ("compliant", counts.compliant),
        ("non_compliant", counts.non_compliant),
        ("waived", counts.waived),
        ("unknown", counts.unknown),
    )


def _policy_count(session: Session, access: Access, params: Mapping[str, str]) -> Evidence:
    policy_id, verdict = _param(params, "policy_id"), params.get("verdict") or "non_compliant"
    policy = _policy(session, policy_id)
    page = compliance.search_verdicts(
        session,
        access=access,
        policy_id=policy_id,
        verdict=verdict,
        page=PageRequest(limit=LISTED),
    )
    inputs = tuple(
        EvidenceInput(
            item.resource_name,
            item.message or item.verdict,
            f"revision {item.revision_id}",
            item.evaluated_at,
            f"/resources/{item.resource_id}",
        )
        for item in page.items
    )
    formula = f"count of live resources with the verdict {verdict} by: {policy.assertion.strip()}"
    return Evidence(
        metric="policy-count",
        title=f"{policy.title}: {verdict}",
        formula=formula,
        value=page.total,
        unit="resources",
        inputs=inputs,
        as_of=min((one.observed_at for one in inputs if one.observed_at), default=None),
    )


def _policy(session: Session, policy_id: str) -> Policy:
    for found in policies.effective(session):
        if found.policy.id == policy_id:
            return found.policy
    raise NotFoundError(f"no policy {policy_id[:100]!r}")


def _finding(session: Session, access: Access, params: Mapping[str, str]) -> Evidence:
    number = _param(params, "number").removeprefix("F-")
    if not number.isascii() or not number.isdigit():
        raise InvalidInputError(f"{number[:20]!r} is not a number", mend="write it like 1182")
    detail = compliance.get_finding(session, access=access, number=int(number))
    item = detail.item
    fields = fields_of_kind(item.resource_kind) if item.resource_kind in FACT_KINDS else ()
    sources = {field.name: field.source for field in fields}
    inputs = tuple(
        EvidenceInput(
            name,
            value,
            sources.get(name.removeprefix("facts.").split(".")[0].split("[")[0], "stored"),
            item.last_observed_at,
            _fact_url(item.resource_id, name),
        )
        for name, value in sorted(detail.used.items())
    )
    return Evidence(
        metric="finding",
        title=f"{item.id}: {item.title}",
        formula=_assertion(session, item.policy_id, item.policy_version),
        value=item.message,
        unit="",
        inputs=inputs,
        as_of=item.last_observed_at,
    )


def _assertion(session: Session, policy_id: str, version: str) -> str:
    try:
        policy = _policy(session, policy_id)
    except NotFoundError:
        return f"policy {policy_id} {version}, which is no longer here"
    note = "" if policy.version == version else f" (now {policy.version}, judged by {version})"
    condition = f"when {policy.when.strip()}\n" if policy.when else ""
    return f"{condition}assert {policy.assertion.strip()}{note}"


def _fact_url(resource_id: str, name: str) -> str:
    if not name.startswith("facts."):
        return f"/resources/{resource_id}"
    fact = name.removeprefix("facts.").split(".")[0].split("[")[0]
    return f"/evidence/resource-fact?resource_id={resource_id}&fact={fact}"


def _resource_fact(session: Session, access: Access, params: Mapping[str, str]) -> Evidence:
    name = _param(params, "fact")
    item = inventory.get_resource(session, access=access, resource_id=_param(params, "resource_id"))
    documents = FACT_KINDS.get(item.kind, ())
    field = next((f for document in documents for f in fields_of(document) if f.name == name), None)
    if field is None:
        raise NotFoundError(f"a {item.kind} has no fact {name[:60]!r}")
    derived = field.source == "derived"
    read = fields_of(documents[0]) if derived else (field,)
    inputs = tuple(
        EvidenceInput(one.name, _known(item.facts, one.name), one.source, item.observed_at,
                      f"/resources/{item.id}")
        for one in read
    )  # fmt: skip
    return Evidence(
        metric="resource-fact",
        title=f"{name} of {item.name}",
        formula=field.doc if derived else f"{_told_by(field.source)}: {field.doc}",
        value=_known(item.facts, name),
        unit="",
        inputs=inputs,
        as_of=item.observed_at,
    )


def _told_by(source: str) -> str:
    return "as declared" if is_declared(source) else f"as answered by {source}"


def _known(facts: FactSet, name: str) -> Any:  # noqa: ANN401 - facts are of many types
    if name in facts.present:
        return facts.present[name]
    if name in facts.absent:
        return ABSENT
    return f"unreadable: {facts.unreadable.get(name, 'never collected')}"


def _connection_read(session: Session, access: Access, params: Mapping[str, str]) -> Evidence:
    item = connections.get_connection(
        session, access=access, connection_id=_param(params, "connection_id")
    )
    inputs = [
        one
        for collector in item.collectors
        for sweep in collector.sweeps
        for one in _scopes(session, access, sweep.id)
    ]
    sweeps = [sweep for collector in item.collectors for sweep in collector.sweeps]
    seen = [sweep.trace.get("resources_seen") for sweep in sweeps]
    known = [number for number in seen if number is not None]
    return Evidence(
        metric="connection-read",
        title=f"Resources read through {item.name}",
        formula="resources seen by the last sweep of each collector and cell; per scope and "
        "operation the calls answered (or answered with none) of those asked",
        value=sum(known) if known else None,
        unit="resources",
        inputs=tuple(inputs),
        as_of=item.last_good_at,
    )


def _scopes(session: Session, access: Access, sweep_id: str) -> Iterable[EvidenceInput]:
    detail = connections.get_sweep(session, access=access, sweep_id=sweep_id)
    for scope in detail.scopes:
        told = f"{scope.answered + scope.absent} of {scope.asked}"
        faults = f", {scope.denied} denied, {scope.failed} failed ({scope.code})"
        yield EvidenceInput(
            f"{scope.scope} {scope.operation}",
            told + (faults if scope.denied or scope.failed else ""),
            f"sweep {sweep_id}",
            detail.item.ended_at,
            f"/connections/{detail.item.connection_id}",
        )


METRICS: Mapping[str, Callable[[Session, Access, Mapping[str, str]], Evidence]] = {
    "posture": _posture,
    "pillar": _pillar,
    "policy-count": _policy_count,
    "finding": _finding,
    "resource-fact": _resource_fact,
    "connection-read": _connection_read,
}
