"""What is refused when a policy is saved, before any row is judged."""

import pytest

from app.policies.language import (
    BoolType,
    Field,
    IntType,
    ObjectType,
    Scope,
    TimestampType,
    check,
    check_program,
)
from tests.policies.language.conftest import SCOPE, Ask, Refuse


def test_an_unknown_fact_is_refused_with_the_likely_name(refuse: Refuse) -> None:
    error = refuse("facts.versionning_status == 'Enabled'")
    assert error.message == (
        "unknown fact 'versionning_status' of s3_bucket; did you mean 'versioning_status'?"
    )
    assert (error.line, error.column) == (1, 7)


def test_an_unlike_name_is_refused_with_the_list_of_names() -> None:
    scope = Scope(ObjectType({"b": Field(IntType()), "a": Field(IntType())}))
    with pytest.raises(Exception, match="unknown fact 'zzz'; there is a, b"):
        check("facts.zzz == 1", scope)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("resorce.name == 'x'", "unknown name 'resorce'; did you mean 'resource'?"),
        ("resource.knd == 'x'", "resource has no field 'knd'; did you mean 'kind'?"),
        ("params.day == 1", "params has no field 'day'; did you mean 'days'?"),
        ("facts.gpu.utl_percent > 1.0", "facts.gpu has no field 'utl_percent'; did you mean"),
        ("facts.rules.exists(r, r.tire == 'x')", "r has no field 'tire'; did you mean 'tier'?"),
        ("has(facts.versionning)", "unknown fact 'versionning' of s3_bucket"),
        ("facts.owner.name == 'x'", "facts.owner is string and has no fields"),
        ("now.year == 1", "now is timestamp and has no fields"),
        ("facts == null", "name one field, such as facts.x"),
        ("'owner' in resource", "name one field, such as resource.x"),
        ("facts.owner.matchez('x')", "unknown function 'matchez'; did you mean 'matches'?"),
        ("sizes(facts.owner) == 1", "unknown function 'sizes'; did you mean 'size'?"),
        ("int('1') == 1", "unknown function 'int'"),
        ("exists(facts.rules, r, true)", "write it as list.exists(x, ...)"),
        ("startsWith(facts.owner, 'a')", "write it as text.startsWith('...')"),
        ("size() == 1", "size() takes 1 argument, got 0"),
        ("size('a', 'b') == 1", "size() takes 1 argument, got 2"),
        ("'a'.startsWith()", "startsWith() takes 1 argument, got 0"),
        ("facts.rules.exists(true)", "exists() takes 2 arguments, got 1"),
        ("facts.rules.exists('r', true)", "takes a variable first"),
        ("facts.rules.exists(now, true)", "'now' is taken"),
        ("facts.rules.all(r, facts.rules.all(r, true))", "'r' is taken"),
        ("facts.owner == 1", "cannot compare string with int"),
        ("facts.encrypted == 1", "cannot compare bool with int"),
        ("facts.gpu == facts.gpu", "cannot compare object with object"),
        ("facts.regions == [1]", "cannot compare list of string with list of int"),
        ("facts.encrypted < true", "cannot order bool and bool"),
        ("facts.owner > 1", "cannot order string and int"),
        ("facts.size_bytes < null", "cannot order int and null"),
        ("facts.regions < facts.regions", "cannot order list of string"),
        ("-facts.owner == 1", "'-' needs a number; facts.owner is string"),
        ("!facts.owner", "'!' needs true or false; facts.owner is string"),
        ("facts.owner && true", "'&&' needs true or false; facts.owner is string"),
        ("1 || true", "'||' needs true or false; 1 is int"),
        ("null && true", "'&&' needs true or false; null is null"),
        ("facts.owner ? true : false", "'?' needs true or false; facts.owner is string"),
        ("(true ? 1 : 'a') == 1", "both branches need one type; they are int and string"),
        ("(true ? true : null) == true", "both branches need one type"),
        ("[1, 'a'][0] == 1", "items of one type; this is string, not int"),
        ("'own' in facts.owner", "'in' needs a list or a map; facts.owner is string"),
        ("1 in facts.regions", "cannot look for int in list of string"),
        ("1 in facts.labels", "the keys of a map are strings, not int"),
        ("facts.numbers['a'] == 1", "the key of facts.numbers is an int, not string"),
        ("facts.labels[0] == 'a'", "the key of facts.labels is a string, not int"),
        ("facts.gpu['model'] == 'a'", "write facts.gpu.x"),
        ("facts.owner[0] == 'a'", "facts.owner is string and has no [...]"),
        ("facts.owner + 'x' == 'y'", "policies build no strings or lists"),
        ("facts.regions + ['x'] == []", "policies build no strings or lists"),
        ("facts.size_bytes * 1.5 > 1.0", "write the whole number as a float, such as 2.0"),
        ("1.5 % 1.0 == 0.5", "no '%' for float and float"),
        ("now + now == now", "no '+' for timestamp and timestamp"),
        ("duration('1h') - now == now", "no '-' for duration and timestamp"),
        ("size(1) == 1", "size() takes a string, list or map; 1 is int"),
        ("size(facts.gpu) == 1", "size() takes a string, list or map; facts.gpu is object"),
        ("facts.size_bytes.startsWith('1')", "startsWith() needs strings; facts.size_bytes is int"),
        ("'a'.contains(1)", "contains() needs strings; 1 is int"),
        ("facts.owner.matches(facts.owner)", "matches() takes a literal pattern"),
        ("facts.owner.matches('(a')", "bad pattern: missing )"),
        ("timestamp('2026-13-01T00:00:00Z') < now", "is not a timestamp; write it as '2026-11-30"),
        ("timestamp('2026-01-01') < now", "'2026-01-01' is not a timestamp"),
        ("timestamp(1) < now", "timestamp() takes a string; 1 is int"),
        ("duration('1 day') < duration('2h')", "write it as '1h30m' or '30d'"),
        ("duration('99999999999999999999d') < duration('2h')", "is not a duration"),
        ("has(facts)", "has() takes a field, such as has(facts.name)"),
        ("has(facts.labels['a'])", "has() takes a field"),
        ("facts.owner", "this gives string, but true or false is needed"),
        ("null", "this gives null, but true or false is needed"),
        ("facts.rules.exists(r, r.days)", "needs true or false for each item, this is int"),
        ("facts.gpu.exists(k, true)", "works on lists and maps; facts.gpu is object"),
        ("facts.owner.all(c, true)", "works on lists and maps; facts.owner is string"),
    ],
)
def test_wrong_names_types_and_arguments_are_refused(
    refuse: Refuse, source: str, words: str
) -> None:
    assert words in refuse(source).message


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("facts.versioning_status == 'Enabeld'", 28),
        ("'Enabeld' != facts.versioning_status", 1),
        ("facts.versioning_status in ['Suspended', 'Enabeld']", 42),
        ("facts.versioning_status == (true ? 'Enabeld' : 'Suspended')", 36),
    ],
)
def test_a_word_that_a_fact_never_has_is_refused_with_the_likely_one(
    refuse: Refuse, source: str, column: int
) -> None:
    error = refuse(source)
    assert error.message == ("facts.versioning_status is never 'Enabeld'; did you mean 'Enabled'?")
    assert error.column == column


def test_the_documented_words_of_list_items_are_known_too(refuse: Refuse) -> None:
    assert (
        "facts.modes is never 'Cold'; did you mean 'Cool'?"
        in refuse("'Cold' in facts.modes").message
    )
    assert "m is never 'Hott'" in refuse("facts.modes.exists(m, m == 'Hott')").message


def test_literals_may_be_looked_for_in_literals(ask: Ask) -> None:
    assert ask("'a' in ['a', 'b'] && !('c' in ['a', 'b'])").value is True


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("[1, 2].all(x, x > 0)", "works on facts only"),
        ("facts.rules.filter(r, r.enabled).exists(r, true)", "works on facts only"),
        ("facts.rules.map(r, r.days).all(d, d > 0)", "works on facts only"),
        (
            "facts.rules.all(a, facts.rules.all(b, facts.rules.all(c, true)))",
            "at most 2 macros inside each other",
        ),
        (
            "facts.rules.all(a, facts.rules.all(b, a.tier in facts.regions))",
            "that is a third loop",
        ),
        (
            "facts.rules.all(a, facts.rules.all(b, a.actions == b.actions))",
            "that is a third loop",
        ),
        (
            " && ".join(f"facts.rules.all(r{n}, r{n}.enabled)" for n in range(17)),
            "at most 16 macros in one expression",
        ),
    ],
)
def test_work_is_bounded_before_a_policy_runs(refuse: Refuse, source: str, words: str) -> None:
    assert words in refuse(source).message


@pytest.mark.parametrize(
    "source",
    [
        "facts.rules.all(a, facts.rules.all(b, a.tier in ['x', b.tier]))",
        "facts.rules.all(a, facts.rules.all(b, a.tier in params.allowed))",
        "facts.rules.all(a, a.actions.exists(x, x == 'Delete'))",
        "facts.rules.all(a, a.tier in facts.regions)",
        "params.allowed.exists(x, x == resource.region_id)",
        "size(facts.rules.filter(r, r.enabled)) > 1",
        "'Cool' in facts.rules.map(r, r.tier)",
        "facts.rules[0].actions[0] == 'Delete'",
        "facts.owner == null || facts.rules == null || facts.gpu != null",
        "facts.size_bytes == 1.5 || facts.size_bytes < facts.share",
    ],
)
def test_these_are_accepted(source: str) -> None:
    assert check(source, SCOPE).type == BoolType()


def test_an_expression_of_another_type_can_be_asked_for() -> None:
    assert check("now - params.max_age", SCOPE, want="timestamp").type == TimestampType()
    assert check("facts.rules.map(r, r.days)", SCOPE, want=None).type.__str__() == "list of int"
    with pytest.raises(Exception, match="this gives bool, but int is needed"):
        check("true", SCOPE, want="int")


def test_a_program_knows_the_facts_that_either_expression_may_read() -> None:
    program = check_program(
        "has(facts.gpu) || false", "facts.rules.all(r, r.days > facts.size_bytes)", SCOPE
    )
    assert program.referenced_facts == {"gpu", "rules", "size_bytes"}
    assert program.assertion.referenced_facts == {"rules", "size_bytes"}


def test_an_empty_when_applies_always() -> None:
    assert check_program(None, "true", SCOPE).when is None
    assert check_program("  \n", "true", SCOPE).when is None
