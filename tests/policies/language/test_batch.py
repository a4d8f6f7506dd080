"""Many programs over many rows: four verdicts, the same instant for all, rows left alone."""

import copy
from collections.abc import Callable
from datetime import timedelta

import pytest

from app.domain.compliance import Verdict
from app.policies.language import (
    Field,
    IntType,
    ObjectType,
    Program,
    Row,
    Scope,
    check_program,
    compile_batch,
    evaluation,
    explain,
)
from app.policies.language import batch as batch_module
from tests.policies.language.conftest import GIVEN, NOW, SCOPE

MakeRow = Callable[..., Row]


def program(assertion: str, when: str | None = None) -> Program:
    return check_program(when, assertion, SCOPE)


@pytest.mark.parametrize(
    ("when", "assertion", "verdict"),
    [
        (None, "true", Verdict.COMPLIANT),
        (None, "false", Verdict.NON_COMPLIANT),
        (None, "facts.encrypted", Verdict.UNKNOWN),
        ("false", "true", Verdict.NOT_APPLICABLE),
        ("false", "facts.encrypted", Verdict.NOT_APPLICABLE),
        ("true", "false", Verdict.NON_COMPLIANT),
        ("facts.encrypted", "true", Verdict.UNKNOWN),
        ("facts.encrypted", "false", Verdict.UNKNOWN),
        ("true", "facts.encrypted", Verdict.UNKNOWN),
    ],
)
def test_when_and_assert_make_the_verdict(
    row: MakeRow, when: str | None, assertion: str, verdict: Verdict
) -> None:
    judged = program(assertion, when)
    assert compile_batch([(judged, GIVEN)])([row()], NOW) == [[verdict]]
    assert explain(judged, row(), GIVEN, NOW).verdict is verdict


def test_verdicts_come_by_program_and_then_by_row(row: MakeRow) -> None:
    run = compile_batch(
        [(program("facts.size_bytes > 1"), GIVEN), (program("has(facts.size_bytes)"), GIVEN)]
    )
    rows = [row(size_bytes=2), row(size_bytes=0), row(absent=frozenset({"size_bytes"}))]
    assert run(rows, NOW) == [
        ["compliant", "non_compliant", "unknown"],
        ["compliant", "compliant", "non_compliant"],
    ]


def test_no_rows_and_no_programs_give_no_verdicts(row: MakeRow) -> None:
    assert compile_batch([(program("true"), GIVEN), (program("true"), GIVEN)])([], NOW) == [[], []]
    assert compile_batch([])([row()], NOW) == []


def test_now_is_given_with_each_run_and_not_compiled_in(row: MakeRow) -> None:
    run = compile_batch([(program("facts.last_access_at > now - params.max_age"), GIVEN)])
    rows = [row(last_access_at="2026-11-01T00:00:00Z")]
    assert run(rows, NOW) == [["compliant"]]
    assert run(rows, NOW + timedelta(days=30)) == [["non_compliant"]]


def test_each_program_has_its_own_params(row: MakeRow) -> None:
    same = program("facts.size_bytes > params.days && resource.region_id in params.allowed")
    given: list[dict[str, object]] = [
        {"days": 1, "allowed": ["eu-west-1"]},
        {"days": 9, "allowed": ["eu-west-1"]},
        {"days": 1, "allowed": []},
        {"allowed": ["eu-west-1"]},
        {"days": "1", "allowed": ["eu-west-1"]},
    ]
    run = compile_batch([(same, params) for params in given])
    assert [column[0] for column in run([row(size_bytes=5)], NOW)] == [
        *("compliant", "non_compliant", "non_compliant", "unknown", "unknown")
    ]
    assert explain(same, row(size_bytes=5), given[3], NOW).reasons == ("params.days is absent",)
    assert explain(same, row(size_bytes=5), given[4], NOW).reasons == ("params.days is not an int",)


def test_a_row_with_unfit_values_does_not_spoil_its_neighbours(row: MakeRow) -> None:
    run = compile_batch([(program("facts.rules.exists(r, r.days == 1)"), GIVEN)])
    rows = [row(rules=[{"days": 1}]), row(rules=[{"days": True}]), row(rules=[{"days": 2}])]
    assert run(rows, NOW) == [["compliant", "unknown", "non_compliant"]]


def test_a_part_that_only_another_program_reads_may_be_unfit(row: MakeRow) -> None:
    run = compile_batch(
        [
            (program("facts.rules.all(r, r.days == 1)"), GIVEN),
            (program("facts.rules.all(r, r.tier == 'a')"), GIVEN),
        ]
    )
    assert run([row(rules=[{"days": "1", "tier": "a"}])], NOW) == [["unknown"], ["compliant"]]


def test_judging_changes_nothing_in_the_rows(row: MakeRow) -> None:
    judged = row(last_access_at="2026-11-01T00:00:00Z", share=1, rules=[{"days": 1}, {}])
    before = copy.deepcopy(judged)
    sources = ["facts.last_access_at < now", "facts.share > 0.5", "facts.rules.all(r, r.days == 1)"]
    compile_batch([(program(source), GIVEN) for source in sources])([judged], NOW)
    assert judged == before


def test_programs_of_different_kinds_make_no_batch() -> None:
    other = check_program(None, "facts.x == 1", Scope(ObjectType({"x": Field(IntType())})))
    with pytest.raises(ValueError, match="one resource kind"):
        compile_batch([(program("true"), GIVEN), (other, {})])


EVERYTHING = [
    "facts.versioning_status == 'Enabled' && facts.encrypted",
    "facts.size_bytes / 2 > 1 && facts.share < 0.5 && -facts.size_bytes < 0",
    "facts.last_access_at < now - params.max_age || facts.grace > duration('1h')",
    "facts.gpu.util_percent < 5.0 && facts.gpu.model.startsWith('H')",
    "facts.rules.exists(r, r.tier == 'Cool' && r.days <= params.days && has(r.enabled))",
    "facts.regions.all(r, r in params.allowed) && 'eu' in facts.regions",
    "facts.numbers.map(n, n * 2) == [2, 4] && facts.numbers[0] == 1",
    "'env' in facts.labels && facts.labels.env == 'prod' && facts.labels.all(k, k != '')",
    "facts.rules.exists_one(r, size(r.actions) == 1) ? has(facts.owner) : !has(facts.owner)",
]
WHOLE_ROW: dict[str, object] = {
    "versioning_status": "Enabled",
    "owner": "ml",
    "size_bytes": 5,
    "share": 0,
    "encrypted": True,
    "last_access_at": "2026-11-01T00:00:00Z",
    "grace": "2h",
    "gpu": {"util_percent": 2, "model": "H100"},
    "regions": ["eu"],
    "numbers": [1, 2],
    "labels": {"env": "prod"},
    "rules": [{"tier": "Cool", "days": 3, "enabled": True, "actions": ["Delete"]}],
}


def test_rows_that_miss_nothing_never_need_the_slow_ways(
    row: MakeRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object) -> None:
        pytest.fail("fell back")

    monkeypatch.setattr(batch_module._Careful, "__call__", slow)
    run = compile_batch([(program(source), GIVEN) for source in EVERYTHING])
    wanted = [explain(program(source), row(**WHOLE_ROW), GIVEN, NOW) for source in EVERYTHING]
    found = run([row(**WHOLE_ROW)], NOW)
    assert [column[0] for column in found] == [explained.verdict for explained in wanted]


def test_rows_that_only_miss_facts_never_need_the_interpreter(
    row: MakeRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = [explain(program(source), row(), GIVEN, NOW).verdict for source in EVERYTHING]

    def slow(*_: object) -> None:
        pytest.fail("fell back")

    run = compile_batch([(program(source), GIVEN) for source in EVERYTHING])
    monkeypatch.setattr(evaluation, "evaluate", slow)
    assert [column[0] for column in run([row()], NOW)] == wanted


def test_an_explanation_has_the_stored_values_that_were_read(row: MakeRow) -> None:
    judged = row(**WHOLE_ROW)
    source = (
        "facts.last_access_at < now && facts.gpu.util_percent < 5.0"
        " && facts.rules.exists(r, r.tier == 'Cool') && resource.region_id == 'eu-west-1'"
        " && facts.numbers[0] == 1 && params.days == 30"
    )
    found = explain(program(source, "facts.encrypted"), judged, GIVEN, NOW)
    assert found.verdict is Verdict.COMPLIANT
    assert found.used == {
        "facts.encrypted": True,
        "facts.last_access_at": "2026-11-01T00:00:00Z",
        "facts.gpu.util_percent": 2,
        "facts.rules": WHOLE_ROW["rules"],
        "resource.region_id": "eu-west-1",
        "facts.numbers[0]": 1,
    }


def test_what_was_not_read_is_not_in_the_explanation(row: MakeRow) -> None:
    found = explain(program("facts.encrypted && facts.owner == 'x'"), row(encrypted=False), {}, NOW)
    assert found == (Verdict.NON_COMPLIANT, (), {"facts.encrypted": False})
