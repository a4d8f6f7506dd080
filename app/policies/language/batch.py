"""Judges many rows by many programs of one resource kind with one generated function.

Three stages: generated code that is right unless it raises; for a program that raised, careful
code of its own that knows three values; the interpreter for rows with unfit values.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from app.domain.compliance import Verdict
from app.policies.language.evaluation import verdict_of
from app.policies.language.expression import Program, Row
from app.policies.language.generator import CarefulGenerator, Generator
from app.policies.language.operations import FAULTS
from app.policies.language.places import fetching, is_float
from app.policies.language.spots import Batch
from app.policies.language.values import duration, timestamp

Params = Mapping[str, object]
_TYPES = (type, bool, int, float, str, dict)
_USED = (*_TYPES, len, ValueError, OverflowError, timestamp, duration, is_float)
_BUILTINS: dict[str, object] = {found.__name__: found for found in _USED}
_NAMES = {"faults": FAULTS} | {verdict.name: verdict for verdict in Verdict}


class CompiledBatch:
    """Programs of one resource kind as one function; call it with rows and the instant."""

    def __init__(self, programs: Sequence[tuple[Program, Params]]) -> None:
        self.size = len(programs)
        batch = Batch()
        blocks = [_fast_block(batch, program, params) for program, params in programs]
        self.source = _function(batch, blocks)
        self._judge = _compile(self.source, batch)

    def __call__(self, rows: Sequence[Row], now: datetime) -> list[list[Verdict]]:
        """The verdicts by program, then by row."""
        judge = self._judge
        judged = [judge(row, now) for row in rows]
        if not judged:
            return [[] for _ in range(self.size)]
        return [list(column) for column in zip(*judged, strict=True)]


def compile_batch(programs: Sequence[tuple[Program, Params]]) -> CompiledBatch:
    """One function for many programs, each with its params; all of the same resource kind.

    ValueError: the programs were checked against different facts.
    """
    scopes = [program.assertion.scope for program, _ in programs]
    if any(scope.facts != scopes[0].facts for scope in scopes):
        raise ValueError("a batch judges one resource kind; these programs know different facts")
    return CompiledBatch(programs)


class _Careful:
    """Judges a row that raised; its code is written when the first such row comes."""

    def __init__(self, program: Program, params: Params) -> None:
        self._program = program
        self._params = params
        self._judge: Callable[[Row, datetime], tuple[Verdict, ...]] | None = None

    def __call__(self, row: Row, now: datetime) -> Verdict:
        if self._judge is None:
            self._judge = self._compiled()
        return self._judge(row, now)[0]

    def _compiled(self) -> Callable[[Row, datetime], tuple[Verdict, ...]]:
        batch = Batch()
        name, interpreter = batch.fresh("c"), partial(verdict_of, self._program, self._params)
        code = _verdict_code(CarefulGenerator, batch, self._program, self._params)
        if batch.undecided:
            return lambda row, now: (interpreter(row, now),)
        rescue = f"{batch.constant(interpreter)}(row, now) if odd else UNKNOWN"
        return _compile(_function(batch, [(name, code, rescue)]), batch)


_Block = tuple[str, str, str]
"""Variable of the verdict, its code, and the code of what to do when that raises."""


def _fast_block(batch: Batch, program: Program, params: Params) -> _Block:
    rescue = f"{batch.constant(_Careful(program, params))}(row, now)"
    return batch.fresh("c"), _verdict_code(Generator, batch, program, params), rescue


def _verdict_code(
    generator: type[Generator], batch: Batch, program: Program, params: Params
) -> str:
    demanded = generator(batch, program.assertion, params).code(program.assertion.tree, {})
    code = f"COMPLIANT if {demanded} else NON_COMPLIANT"
    if program.when is None:
        return code
    applies = generator(batch, program.when, params).code(program.when.tree, {})
    return f"({code}) if {applies} else NOT_APPLICABLE"


_JUDGING = """\
 try:
  {name} = {code}
 except faults:
  {name} = {rescue}"""
_ASKING = """\
 if present.get({fact!r}) is not None:
  {name} = True
 elif {fact!r} in present or {fact!r} in absent:
  {name} = False"""


def _function(batch: Batch, blocks: Sequence[_Block]) -> str:
    """The source of `judge`: fetches what the blocks read of a row, then runs them."""
    lines = ["def judge(row, now):", " resource, present, absent, _ = row", " odd = False"]
    lines += [f" {line}" for line in fetching(batch.facts, "present", batch.constants)]
    lines += [f" {line}" for line in fetching(batch.resource, "resource", batch.constants)]
    lines += [_ASKING.format(fact=fact, name=name) for fact, name in batch.asked.items()]
    lines += [_JUDGING.format(name=name, code=code, rescue=to) for name, code, to in blocks]
    return "\n".join([*lines, f" return ({''.join(f'{name}, ' for name, _, _ in blocks)})"])


def _compile(source: str, batch: Batch) -> Callable[[Row, datetime], tuple[Verdict, ...]]:
    scope: dict[str, object] = {**batch.constants, **_NAMES, "__builtins__": _BUILTINS}
    exec(compile(source, "<policies>", "exec"), scope)  # noqa: S102 - written from checked trees, every word of the author quoted
    judge: Callable[[Row, datetime], tuple[Verdict, ...]] = scope["judge"]  # type: ignore[assignment]
    return judge
