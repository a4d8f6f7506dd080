"""Generated code, interpreter and Google's CEL give the same answer to random policies."""

import random

import pytest
from cel_expr_python import cel

from app.policies.language import (
    Program,
    Row,
    check,
    check_program,
    compile_batch,
    evaluate,
    explain,
)
from tests.policies.language.drawing import Policies
from tests.policies.language.drawing_rows import Rows
from tests.policies.language.invented import GIVEN, NOW, SCOPE

ORACLE = cel.NewEnv(
    variables={
        "facts": cel.Type.DYN,
        "resource": cel.Type.DYN,
        "params": cel.Type.DYN,
        "now": cel.Type.TIMESTAMP,
    }
)


def answer_of_oracle(source: str, row: Row) -> bool | None:
    """An error is a value there, and a truthy one: only the type tells."""
    data = {"facts": row.present, "resource": row.resource, "params": GIVEN, "now": NOW}
    value = ORACLE.compile(source).eval(data=data)
    return bool(value.value()) if value.type() == cel.Type.BOOL else None


@pytest.mark.parametrize("seed", range(10))
def test_our_answer_is_that_of_googles_cel(seed: int) -> None:
    rng = random.Random(seed)
    policies, rows = Policies(rng, like_cel=True), Rows(rng)
    seen: set[bool | None] = set()
    for _ in range(300):
        source, row = policies.truth(3), rows.row()
        wanted = answer_of_oracle(source, row)
        found = evaluate(check(source, SCOPE), row, GIVEN, NOW)
        assert found.value is wanted, (source, row, found.reasons)
        seen.add(wanted)
    assert seen == {True, False, None}


def programs(rng: random.Random, count: int) -> list[tuple[Program, dict[str, object]]]:
    policies = Policies(rng, like_cel=False)
    return [
        (check_program(rng.choice([None, policies.truth(1)]), policies.truth(3), SCOPE), GIVEN)
        for _ in range(count)
    ]


@pytest.mark.parametrize("drawn", ["row", "honest_row", "odd_row"])
@pytest.mark.parametrize("seed", range(4))
def test_generated_code_agrees_with_the_interpreter(seed: int, drawn: str) -> None:
    rng = random.Random(seed)
    rows = Rows(rng)
    for _ in range(12):
        batch, judged = programs(rng, 8), [getattr(rows, drawn)() for _ in range(8)]
        for (program, params), verdicts in zip(
            batch, compile_batch(batch)(judged, NOW), strict=True
        ):
            for row, verdict in zip(judged, verdicts, strict=True):
                wanted = explain(program, row, params, NOW)
                source = (program.when and program.when.source, program.assertion.source)
                assert verdict == wanted.verdict, (source, row, wanted.reasons)


@pytest.mark.parametrize("seed", range(3))
def test_every_unknown_has_one_to_five_reasons_and_nothing_else_has_any(seed: int) -> None:
    rng = random.Random(seed)
    rows = Rows(rng)
    for program, params in programs(rng, 200):
        found = explain(program, rows.odd_row(), params, NOW)
        if found.verdict == "unknown":
            assert 1 <= len(found.reasons) <= 5
            assert len(set(found.reasons)) == len(found.reasons)
        else:
            assert found.reasons == ()
