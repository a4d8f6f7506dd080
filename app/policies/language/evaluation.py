"""One expression or program on one row, by the interpreter: values, verdicts and grounds."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from app.domain.compliance import Verdict
from app.policies.language.expression import Expression, Program, Row
from app.policies.language.interpreter import Interpreter
from app.policies.language.tree import describe
from app.policies.language.values import UnknownError, first_reasons

_OF_ASSERTION = {True: Verdict.COMPLIANT, False: Verdict.NON_COMPLIANT, None: Verdict.UNKNOWN}
_OF_WHEN = {False: Verdict.NOT_APPLICABLE, None: Verdict.UNKNOWN}


class Outcome(NamedTuple):
    """True, False or None for unknown; `reasons` (at most 5) say what made it unknown."""

    value: bool | None
    reasons: tuple[str, ...]


def evaluate(
    expression: Expression,
    row: Row,
    params: Mapping[str, object],
    now: datetime,
    used: dict[str, object] | None = None,
) -> Outcome:
    """The value of a bool expression for one row.

    `used`, if given, gathers the stored values that were read, by dotted path.
    """
    try:
        value = Interpreter(expression, row, params, now, used).value(expression.tree, {})
    except UnknownError as unknown:
        return Outcome(None, first_reasons(unknown.reasons))
    if not isinstance(value, bool):
        return Outcome(None, (f"{describe(expression.tree)} is null",))
    return Outcome(value, ())


class Explanation(NamedTuple):
    """A verdict with its grounds.

    `reasons` (at most 5) say what made it unknown; `used` has the stored values that were read,
    by path such as `facts.gpu.util` or `resource.region_id`.
    """

    verdict: Verdict
    reasons: tuple[str, ...]
    used: dict[str, object]


def explain(program: Program, row: Row, params: Mapping[str, object], now: datetime) -> Explanation:
    """Judges one row: not applicable when `when` is false, unknown when either is unknown."""
    used: dict[str, object] = {}
    verdict, reasons = _judge(program, row, params, now, used)
    return Explanation(verdict, reasons, used)


def verdict_of(program: Program, params: Mapping[str, object], row: Row, now: datetime) -> Verdict:
    """The verdict alone, for the rows that generated code cannot judge."""
    return _judge(program, row, params, now, None)[0]


def _judge(
    program: Program,
    row: Row,
    params: Mapping[str, object],
    now: datetime,
    used: dict[str, object] | None,
) -> tuple[Verdict, tuple[str, ...]]:
    if program.when is not None:
        applies = evaluate(program.when, row, params, now, used)
        if applies.value is not True:
            return _OF_WHEN[applies.value], applies.reasons
    found = evaluate(program.assertion, row, params, now, used)
    return _OF_ASSERTION[found.value], found.reasons
