"""Fifteen ways in which an earlier attempt went wrong, and must not again.

(The fourth, policies over single objects, has no code here: they are a matter of SQL.)
"""

import pytest

from tests.policies.language.conftest import Ask, Refuse


def test_1_nested_macros_over_written_lists_are_refused(refuse: Refuse) -> None:
    items = f"[{','.join(str(n) for n in range(60))}]"
    nested = "".join(f"{items}.all({v}, " for v in "abcde") + "a + b + c + d + e >= 0" + ")" * 5
    assert "works on facts only" in refuse(nested).message


@pytest.mark.parametrize("op", ["/", "%"])
def test_2_division_by_zero_is_unknown(ask: Ask, op: str) -> None:
    assert ask(f"facts.size_bytes {op} 0 == 1", size_bytes=3).value is None


def test_3_a_typo_in_a_fact_is_refused_with_the_likely_name(refuse: Refuse) -> None:
    assert "did you mean 'owner'?" in refuse("facts.onwer == 'x'").message


@pytest.mark.parametrize("source", ["1" + "+1" * 2000, "facts" + ".a" * 1500, "!" * 4000 + "true"])
def test_5_long_chains_are_refused_and_exhaust_no_stack(refuse: Refuse, source: str) -> None:
    assert "nested deeper than 24" in refuse(source).message


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("facts.rules.exists_one(r, r.tier == 'a')", None),
        ("size(facts.rules.filter(r, r.tier == 'a')) == 1", None),
        ("facts.rules.map(r, r.tier) == ['a']", None),
        ("facts.owner.matches('x') || facts.rules[0].tier.matches('^a$')", True),
    ],
)
def test_6_all_macros_and_matches_work_for_rows_that_miss_something(
    ask: Ask, source: str, wanted: object
) -> None:
    assert ask(source, rules=[{"tier": "a"}, {}]).value is wanted


def test_7_minus_on_text_is_refused_and_on_odd_data_unknown(ask: Ask, refuse: Refuse) -> None:
    assert "'-' needs a number" in refuse("-facts.owner == 1").message
    assert ask("-facts.size_bytes == 1", size_bytes="x").value is None


def test_8_a_float_beyond_all_bounds_is_refused(refuse: Refuse) -> None:
    assert "too large" in refuse("1.0e999 > 1.0").message


@pytest.mark.parametrize("source", ["size() == 1", "'a'.startsWith()", "timestamp() < now"])
def test_9_a_wrong_number_of_arguments_is_refused(refuse: Refuse, source: str) -> None:
    assert "takes 1 argument, got 0" in refuse(source).message


def test_10_a_bool_is_no_number(ask: Ask, refuse: Refuse) -> None:
    assert "cannot compare bool with int" in refuse("facts.encrypted == 1").message
    assert ask("facts.size_bytes == 1", size_bytes=True).value is None


@pytest.mark.parametrize(
    "source", ["facts.owner && true", "facts.owner ? true : false", "1 || true"]
)
def test_11_only_bools_are_true_or_false(refuse: Refuse, source: str) -> None:
    assert "needs true or false" in refuse(source).message


def test_12_in_and_has_do_not_search_in_text(ask: Ask, refuse: Refuse) -> None:
    assert "'in' needs a list or a map" in refuse("'buck' in facts.owner").message
    assert "has no fields" in refuse("has(facts.owner.buck)").message
    assert ask("'buck' in facts.labels", labels="bucket").value is None
    assert ask("has(facts.labels.buck)", labels="bucket").value is None


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("1 / 2 == 0", True),
        ("-7 % 3 == -1", True),
        ("9223372036854775807 + 1 > 0", None),
        ("9223372036854775807 * facts.size_bytes > 0", None),
    ],
)
def test_13_whole_numbers_divide_and_overflow_as_in_cel(
    ask: Ask, source: str, wanted: object
) -> None:
    assert ask(source, size_bytes=2).value is wanted


def test_14_an_index_below_zero_is_unknown(ask: Ask) -> None:
    assert ask("facts.numbers[-1] == 3", numbers=[1, 2, 3]).value is None
    assert ask("facts.numbers[facts.size_bytes] == 3", numbers=[3], size_bytes=-1).value is None


def test_15_strings_cannot_be_built(refuse: Refuse) -> None:
    assert "build no strings" in refuse("facts.regions.map(a, a + a) == []").message


def test_text_that_looks_like_a_name_of_generated_code_stays_text(ask: Ask) -> None:
    for text in ("f1", "k2", "c1", "x_c0", "odd", "{name}", "{0}", "'); raise SystemExit #"):
        written = text.replace("'", "\\'")
        assert ask(f"facts.owner == '{written}'", owner=text).value is True
        assert ask(f"facts.owner.startsWith('{written}')", owner=text).value is True
