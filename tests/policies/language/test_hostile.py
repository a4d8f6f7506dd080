"""Policies written to hurt are refused or judged within their bounds, whatever they hold."""

from collections.abc import Callable

import pytest

from app.policies.language import PolicySyntaxError, Row, check, check_program, compile_batch
from tests.policies.language.conftest import GIVEN, NOW, SCOPE, Ask, Refuse

DOUBLING = "facts.regions.map(a, a+a).map(a, a+a)" + ".map(a, a+a+a+a+a+a+a+a)" * 11


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("(" * 20000 + "1" + ")" * 20000, "longer than 4096"),
        ("(" * 2000 + "1" + ")" * 2000, "nested deeper than 24"),
        ("!" * 50000 + "true", "longer than 4096"),
        (" && ".join(["true"] * 50000), "longer than 4096"),
        ("[" * 5000 + "]" * 5000, "longer than 4096"),
        ("[" * 2000 + "]" * 2000, "nested deeper than 24"),
        ("+".join(["1"] * 2000) + " > 0", "nested deeper than 24"),
        ("facts" + ".a" * 1500 + " == 1", "nested deeper than 24"),
        ("facts.numbers[" * 250 + "0" + "]" * 250 + " == 1", "nested deeper than 24"),
        ("true ? true : " * 250 + "true", "nested deeper than 24"),
        (DOUBLING, "works on facts only"),
        ("'aaaa'.matches('(((a{100}){100}){100})')", "bad pattern"),
        ("1" * 4000 + " > 0", "does not fit in 64 bits"),
        ("1e" + "9" * 4000 + " > 0.0", "too large"),
        ("'" + "\\" * 4000, "not closed"),
        ("//" * 2000, "unexpected the end"),
    ],
)
def test_it_is_refused_at_once(refuse: Refuse, source: str, words: str) -> None:
    assert words in refuse(source).message


def test_a_pattern_that_backtracks_elsewhere_is_linear_here(ask: Ask) -> None:
    assert ask("facts.owner.matches('^(a+)+$')", owner="a" * 100_000 + "!").value is False


def test_a_bad_pattern_writes_nothing_to_standard_error(
    refuse: Refuse, capfd: pytest.CaptureFixture[str]
) -> None:
    refuse("facts.owner.matches('(a')")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "source",
    [
        "facts.numbers[" * 22 + "0" + "]" * 22 + " == 1",
        "facts.numbers[" * 22 + "9" + "]" * 22 + " == 1",
        "facts.encrypted ? true : " * 23 + "false",
        "(facts.encrypted && (facts.encrypted || " * 11 + "true" + "))" * 11,
        "facts.rules.exists(r, facts.rules.all(s, "
        + "(r.enabled && (s.enabled || " * 9
        + "true"
        + "))" * 9
        + "))",
        "facts.size_bytes" + " + facts.size_bytes" * 21 + " > 0",
        "!" * 22 + "facts.encrypted",
    ],
)
def test_the_deepest_policies_are_judged_like_all_others(
    ask: Ask, row: Callable[..., Row], source: str
) -> None:
    for judged in (row(), row(numbers=[0], encrypted=False, rules=[{}], size_bytes=1)):
        ask(source, judged)


@pytest.mark.parametrize("owner", ["\ud800", "\x00", "a" * 100_000, "'\"\\{}%s"])
def test_hostile_values_are_only_values(ask: Ask, owner: str) -> None:
    assert ask("facts.owner == 'x'", owner=owner).value is False
    assert ask("facts.owner.matches('^x$')", owner=owner).value in {False, None}


def test_names_of_facts_cannot_become_code() -> None:
    """Names come from published schemas; even a strange one is only ever quoted."""
    with pytest.raises(PolicySyntaxError):
        check("facts.__class__ == null", SCOPE)
    with pytest.raises(PolicySyntaxError):
        check("__import__('os') == null", SCOPE)
    with pytest.raises(PolicySyntaxError):
        check("facts.owner.__len__() == 1", SCOPE)


def test_generated_code_has_no_builtins_but_the_few_it_needs() -> None:
    program = check_program(None, "facts.owner == 'open'", SCOPE)
    run = compile_batch([(program, GIVEN)])
    assert "__builtins__" not in run.source
    assert set(run._judge.__globals__["__builtins__"]) <= {
        *("type", "bool", "int", "float", "str", "dict", "len", "ValueError", "OverflowError"),
        *("timestamp", "duration", "is_float"),
    }
    assert run([Row({}, {"owner": "open"})], NOW) == [["compliant"]]
