"""How an expression is written: literals, escapes, comments, precedence, bounds."""

import pytest

from app.kit.errors import InvalidInputError
from tests.policies.language.conftest import Ask, Refuse


@pytest.mark.parametrize(
    "source",
    [
        "1 + 2 * 3 == 7",
        "(1 + 2) * 3 == 9",
        "10 - 3 - 2 == 5",
        "true || false && false",
        "!false && true",
        "false ? false : true ? true : false",
        "1 < 2 == true",
        "1 in [1] == true",
        "-9223372036854775808 < 9223372036854775807",
        "1e3 == 1000.0 && 1.5e-1 == 0.15",
        "1 + 1 == 2 // and a comment",
        "// first a comment\n1 == 1",
        "'a//b'.contains('//')",
        "'\\u0041\\x42\\U00000043' == 'ABC'",
        "'\\n\\t\\\\\\'\\\"'.size() == 5",
        "\"it's\" == 'it\\'s'",
        "size('é\U0001f600') == 2",
        "size([1, 2, 3,]) == 3",
        "[1, 2, 3][1] == 2",
        "'x'.startsWith('')",
    ],
)
def test_these_are_true(ask: Ask, source: str) -> None:
    assert ask(source).value is True


@pytest.mark.parametrize(
    ("source", "place", "words"),
    [
        ("", "1:1", "unexpected the end"),
        ("facts.owner = 'x'", "1:13", "equality is '=='"),
        ("true & false", "1:6", "'and' is written '&&'"),
        ("true | false", "1:6", "'or' is written '||'"),
        ("true and false", "1:6", "'and' is written '&&'"),
        ("not true", "1:1", "'not' is '!'"),
        ("'abc", "1:1", "not closed"),
        ("'a\nb'", "1:1", "not closed"),
        ("'\\q' == 'q'", "1:2", "unknown escape"),
        ("'\\ud800' == 'q'", "1:2", "unknown escape"),
        ("'\ud800' == 'q'", "1:1", "not a Unicode character"),
        ("{'a': 1} == null", "1:1", "maps cannot be written"),
        ("1 + # 2", "1:5", "unexpected character '#'"),
        ("\x00", "1:1", "unexpected character '\\x00'"),
        ("(true", "1:6", "expected ')', found the end"),
        ("true)", "1:5", "unexpected ')'"),
        ("facts.", "1:7", "expected a field name"),
        ("facts.owner[", "1:13", "unexpected the end"),
        ("true ? false", "1:13", "expected ':'"),
        ("[1, 2 == 1", "1:11", "expected ']'"),
        ("in == 1", "1:1", "unexpected 'in'"),
        ("9223372036854775808 > 0", "1:1", "does not fit in 64 bits"),
        ("-9223372036854775809 < 0", "1:2", "does not fit in 64 bits"),
        ("1.0e999 > 1.0", "1:1", "too large"),
        ("0x10 == 16", "1:2", "unexpected 'x10'"),
        ("facts.owner == 'a' &&\n  facts.rules.exists(t, t ==)", "2:29", "unexpected ')'"),
    ],
)
def test_a_fault_is_told_with_its_place(
    refuse: Refuse, source: str, place: str, words: str
) -> None:
    error = refuse(source)
    assert (f"{error.line}:{error.column}", words in error.message) == (place, True), error


def test_the_error_shows_the_line_and_a_caret_below_the_place(refuse: Refuse) -> None:
    error = refuse("true &&\n  facts.owner == 1x")
    assert str(error) == "2:19: unexpected 'x'\n    facts.owner == 1x\n                    ^"
    assert error.detail == "2:19: unexpected 'x'"
    assert error.errors == ({"where": "2:19", "what": "unexpected 'x'"},)
    assert isinstance(error, InvalidInputError)


def test_a_long_line_is_shown_around_the_place_only(refuse: Refuse) -> None:
    error = refuse("true && " * 100 + "?" + " && true" * 100)
    line, caret = error.excerpt.split("\n")
    assert len(line) < 100
    assert line[len(caret) - 1] == "?"


def test_a_source_has_at_most_4096_characters(ask: Ask, refuse: Refuse) -> None:
    assert ask("true" + " " * 4092).value is True
    assert "longer than 4096 characters (4097)" in refuse("true" + " " * 4093).message


@pytest.mark.parametrize(
    ("opening", "core", "closing"),
    [
        ("(", "true", ")"),
        ("!", "true", ""),
        ("true ? true : ", "true", ""),
        ("true && (", "true", ")"),
        ("[", "1", "][0]"),
    ],
)
def test_nesting_is_bounded_at_24_levels(
    refuse: Refuse, opening: str, core: str, closing: str
) -> None:
    assert "nested deeper than 24" in refuse(opening * 25 + core + closing * 25).message


def test_24_levels_are_accepted(ask: Ask) -> None:
    assert ask("(" * 24 + "true" + ")" * 24).value is True
    assert ask("!" * 24 + "true").value is True
    assert ask("1" + "+1" * 23 + " == 24").value is True


@pytest.mark.parametrize(
    "source",
    ["1" + " + 1" * 25 + " > 0", "facts" + ".a" * 25 + " == 1", "[1]" + "[0]" * 25 + " == 1"],
)
def test_a_chain_counts_one_level_for_each_link(refuse: Refuse, source: str) -> None:
    assert "nested deeper than 24" in refuse(source).message


def test_long_conjunctions_and_lists_are_flat(ask: Ask) -> None:
    assert ask(" && ".join(["true"] * 400)).value is True
    assert ask(" || ".join(["false"] * 400)).value is False
    assert ask(f"399 in [{', '.join(str(n) for n in range(400))}]").value is True
