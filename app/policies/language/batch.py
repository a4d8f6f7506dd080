"""Judges many rows by many programs with one generated function for one resource kind."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from app.domain.compliance import Verdict
from app.policies.language.evaluation import verdict_of
from app.policies.language.expression import Program, Row
from app.policies.language.generator import Generator
from app.policies.language.places import fetching, is_float
from app.policies.language.spots import Batch
from app.policies.language.values import duration, timestamp

Params = Mapping[str, object]
Judge = Callable[[Row, datetime], tuple[Verdict, ...]]
FAULTS = (
    NameError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
)
_USED = (type, bool, int, str, dict, len, ValueError, OverflowError, timestamp, duration, is_float)
_NAMES = {"faults": FAULTS} | {verdict.name: verdict for verdict in Verdict}
_BUILTINS: dict[str, object] = {found.__name__: found for found in _USED}


class CompiledBatch:
    """Programs of one resource kind as one function; call it with rows and the instant."""

    def __init__(self, programs: Sequence[tuple[Program, Params]]) -> None:
        self.size = len(programs)
        self.source, constants = _write(programs)
        scope: dict[str, object] = {**constants, **_NAMES, "__builtins__": _BUILTINS}
        exec(compile(self.source, "<policies>", "exec"), scope)  # noqa: S102 - written from checked trees, every word of the author quoted
        self._judge: Judge = scope["judge"]  # type: ignore[assignment]

    def __call__(self, rows: Sequence[Row], now: datetime) -> list[list[Verdict]]:
        """The verdicts by program, then by row."""
        judge = self._judge
        judged = [judge(row, now) for row in rows]
        return [list(column) for column in zip(*judged, strict=True)] or [
            [] for _ in range(self.size)
        ]


def compile_batch(programs: Sequence[tuple[Program, Params]]) -> CompiledBatch:
    """One function for many programs, each with its params; all of the same resource kind.

    ValueError: the programs were checked against different facts.
    """
    scopes = [program.assertion.scope for program, _ in programs]
    if any(scope.facts != scopes[0].facts for scope in scopes):
        raise ValueError("a batch judges one resource kind; these programs know different facts")
    return CompiledBatch(programs)


_PROGRAM = """\
 try:
  {name} = {verdict}
 except faults:
  {name} = {slow}(row, now)"""
_ASKED = """\
 if present.get({fact!r}) is not None:
  {name} = True
 elif {fact!r} in present or {fact!r} in absent:
  {name} = False"""


def _write(programs: Sequence[tuple[Program, Params]]) -> tuple[str, dict[str, object]]:
    """The source of `judge`, a function of one row, and the constants that it names."""
    batch = Batch()
    names, judging = [], []
    for program, params in programs:
        names.append(batch.fresh("c"))
        slow = batch.constant(partial(verdict_of, program, params))
        verdict = _verdict_code(batch, program, params)
        judging.append(_PROGRAM.format(name=names[-1], verdict=verdict, slow=slow))
    lines = ["def judge(row, now):", " resource, present, absent, _ = row"]
    lines += [f" {line}" for line in fetching(batch.facts, "present", batch.constants)]
    lines += [f" {line}" for line in fetching(batch.resource, "resource", batch.constants)]
    lines += [_ASKED.format(fact=fact, name=name) for fact, name in batch.asked.items()]
    lines += [*judging, f" return ({''.join(f'{name}, ' for name in names)})"]
    return "\n".join(lines), batch.constants


def _verdict_code(batch: Batch, program: Program, params: Params) -> str:
    demanded = Generator(batch, program.assertion, params).code(program.assertion.tree, {})
    code = f"COMPLIANT if {demanded} else NON_COMPLIANT"
    if program.when is None:
        return code
    applies = Generator(batch, program.when, params).code(program.when.tree, {})
    return f"({code}) if {applies} else NOT_APPLICABLE"
