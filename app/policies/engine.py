"""Judges resources by policies: verdicts with their messages, reasons and the facts used."""

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice
from typing import Any

from app.domain.compliance import Judgement, PolicyMode, Verdict
from app.domain.fact_schema import TRUNCATED
from app.domain.facts import FactSet
from app.policies.language import (
    CompiledBatch,
    Program,
    Row,
    compile_batch,
    evaluate,
    explain,
    render_message,
)
from app.policies.policy import Choice, Policy

BATCH_ROWS = 500
_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_MINUTE = timedelta(minutes=1)

# What a command is filled with, from what is known of the resource.
_IN_COMMAND = re.compile(r"\{(resource|facts)\.(\w+)\}")


@dataclass(frozen=True, slots=True)
class EffectivePolicy:
    """A policy as it is set here: its mode, and params over its defaults."""

    policy: Policy
    mode: PolicyMode
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """One resource to judge: `resource` has id, name, kind, provider, region_id, tags, …

    `stale`: its source's grace time has passed; `observed_at` is when it was last read.
    """

    resource_id: str
    resource: Mapping[str, Any]
    facts: FactSet
    stale: bool
    observed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Remedy:
    """What to do about one breach, in words and as commands; names in them are quoted."""

    text: str
    cli: str


@dataclass(frozen=True, slots=True)
class _Plan:
    """One policy ready for one kind."""

    policy: Policy
    program: Program
    params: Mapping[str, Any]
    facts: tuple[str, ...]


def judge(
    policies: Sequence[EffectivePolicy],
    kind: str,
    rows: Iterable[EvaluationRow],
    now: datetime,
) -> Iterator[Judgement]:
    """Each row by each policy for its kind that is not off, row by row in the given order.

    Facts that were not read make it unknown; a compliant verdict on stale facts does too, and so
    does any verdict on a list that was cut. Reads `rows` in batches, so it may be a stream.
    """
    plans = [_plan(found, kind) for found in policies if _applies(found, kind)]
    if not plans:
        return
    batch = _compiled(
        tuple((plan.program, json.dumps(plan.params, sort_keys=True)) for plan in plans)
    )
    stream = iter(rows)
    while part := list(islice(stream, BATCH_ROWS)):
        verdicts = batch([_row(one) for one in part], now)
        for one, found in zip(part, zip(*verdicts, strict=True), strict=True):
            for plan, verdict in zip(plans, found, strict=True):
                yield _judgement(plan, one, verdict, now)


def remedy_for(effective: EffectivePolicy, kind: str, row: EvaluationRow, now: datetime) -> Remedy:
    """The remedy that fits this resource: the first whose kind and condition are met."""
    plan = _plan(effective, kind)
    choice = _chosen(plan.policy.remedies, kind, plan, row, now)
    return Remedy(
        text=render_message(choice.text, _row(row), plan.params),
        cli=_IN_COMMAND.sub(lambda found: _shell_word(row, found[1], found[2]), choice.cli),
    )


def _shell_word(row: EvaluationRow, of: str, name: str) -> str:
    """A value as one word of a shell, whatever it holds; its name in capitals without one."""
    value = (row.resource if of == "resource" else row.facts.present).get(name)
    known = isinstance(value, str | int | float) and not isinstance(value, bool)
    return shlex.quote(str(value)) if known else name.upper()


@lru_cache(maxsize=16)
def _compiled(programs: tuple[tuple[Program, str], ...]) -> CompiledBatch:
    """One batch for these programs, each with its params as JSON; a program equals only itself."""
    return compile_batch([(program, json.loads(params)) for program, params in programs])


def _applies(found: EffectivePolicy, kind: str) -> bool:
    return found.mode is not PolicyMode.OFF and kind in found.policy.programs


def _plan(found: EffectivePolicy, kind: str) -> _Plan:
    program = found.policy.programs[kind]
    params = found.policy.defaults() | dict(found.params)
    return _Plan(found.policy, program, params, tuple(sorted(program.referenced_facts)))


def _row(one: EvaluationRow) -> Row:
    return Row(one.resource, one.facts.present, one.facts.absent, one.facts.unreadable)


def _judgement(plan: _Plan, one: EvaluationRow, verdict: Verdict, now: datetime) -> Judgement:
    """Breaches and unknowns are explained; a pass names the facts that its policy may read."""
    reasons: tuple[str, ...] = ()
    if verdict is Verdict.NON_COMPLIANT or verdict is Verdict.UNKNOWN:
        grounds = explain(plan.program, _row(one), plan.params, now)
        reasons, used = grounds.reasons, grounds.used
    else:
        present = one.facts.present
        used = {f"facts.{name}": present[name] for name in plan.facts if name in present}
    if one.stale or TRUNCATED in one.facts.present:
        verdict, reasons = _doubted(plan, one, verdict, reasons, now)
    return Judgement(
        policy_id=plan.policy.id,
        policy_version=plan.policy.version,
        resource_id=one.resource_id,
        verdict=verdict,
        message=_message(plan, one, verdict, reasons, now),
        reasons=reasons,
        used={name: _plain(value) for name, value in used.items()},
    )


def _plain(value: object) -> object:
    """A value that was used as it is kept: JSON has no instants."""
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def _doubted(
    plan: _Plan,
    one: EvaluationRow,
    verdict: Verdict,
    reasons: tuple[str, ...],
    now: datetime,
) -> tuple[Verdict, tuple[str, ...]]:
    """Takes back what old or incomplete facts cannot carry."""
    cut = _cut_lists(plan, one.facts)
    if cut:
        return Verdict.UNKNOWN, (*cut, *reasons)
    if one.stale and verdict is Verdict.COMPLIANT:
        return Verdict.UNKNOWN, (f"last read {_age(one, now)} ago, grace passed",)
    return verdict, reasons


def _cut_lists(plan: _Plan, facts: FactSet) -> tuple[str, ...]:
    long: Mapping[str, int] = facts.present.get(TRUNCATED, {})
    return tuple(
        f"facts.{name} holds only the first {len(facts.present[name])} of {long[name]} entries"
        for name in plan.facts
        if name in long
    )


def _message(
    plan: _Plan, one: EvaluationRow, verdict: Verdict, reasons: tuple[str, ...], now: datetime
) -> str:
    if verdict is Verdict.UNKNOWN:
        return f"Not judged: {'; '.join(reasons)}."
    if verdict is not Verdict.NON_COMPLIANT:
        return ""
    kind = plan.program.assertion.scope.kind
    choice = _chosen(plan.policy.messages, kind, plan, one, now)
    return render_message(choice.text, _row(one), plan.params)


def _chosen(
    choices: Sequence[Choice], kind: str, plan: _Plan, one: EvaluationRow, now: datetime
) -> Choice:
    meant = [choice for choice in choices if choice.kind in ("", kind)]
    row = _row(one)
    for choice in meant:
        if not choice.when or evaluate(choice.when[kind], row, plan.params, now).value:
            return choice
    return meant[-1]


def _age(one: EvaluationRow, now: datetime) -> str:
    if one.observed_at is None:
        return "too long"
    age = now - one.observed_at
    if age >= _DAY:
        return f"{age // _DAY} d"
    return f"{age // _HOUR} h" if age >= _HOUR else f"{age // _MINUTE} min"
