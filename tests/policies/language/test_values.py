"""What operations give, with the rules of CEL where Python has others."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.policies.language import Row
from app.policies.language.values import duration, text_of_duration, timestamp
from tests.policies.language.conftest import Ask

HUGE = 2**63 + 1


@pytest.mark.parametrize(
    "source",
    [
        "1 / 2 == 0 && 7 / 2 == 3 && -7 / 2 == -3 && 7 / -2 == -3",
        "-7 % 3 == -1 && 7 % -3 == 1 && 7 % 3 == 1",
        "1.0 / 2.0 == 0.5 && -(0.5) == -0.5",
        "duration('1h30m') == duration('90m') && duration('30d') == duration('720h')",
        "duration('1.5h') == duration('90m') && duration('-1h') < duration('0s')",
        "duration('1d12h') + duration('12h') == duration('2d')",
        "timestamp('2026-11-30T10:38:00+01:00') == now",
        "timestamp('2026-11-29T09:38:00Z') + duration('24h') == now",
        "now - timestamp('2026-11-29T09:38:00Z') == duration('24h')",
        "now - duration('1d') < now && duration('1d') + now > now",
        "timestamp(now) == now && duration(params.max_age) == params.max_age",
        "'bucket'.startsWith('buck') && 'bucket'.endsWith('ket') && 'bucket'.contains('cke')",
        "'prod-1'.matches('^[a-z]+-[0-9]$') && 'xaby'.matches('ab')",
        "[1, 2] == [1, 2] && [1, 2] != [2, 1] && [] == []",
        "null == null && facts.owner != null",
        "3 == 3.0 && 2 < 2.5 && 3 in [1, 3]",
    ],
)
def test_these_are_true(ask: Ask, source: str) -> None:
    assert ask(source, owner="x").value is True


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("facts.size_bytes / 0 == 1", "division by zero at 1:18"),
        ("facts.size_bytes % 0 == 1", "division by zero at 1:18"),
        ("facts.share / 0.0 > 1.0", "division by zero at 1:13"),
        ("9223372036854775807 + 1 > 0", "the result at 1:21 is out of range"),
        ("-9223372036854775808 - 1 < 0", "the result at 1:22 is out of range"),
        ("4611686018427387904 * 2 > 0", "the result at 1:21 is out of range"),
        ("-9223372036854775808 / -1 > 0", "the result at 1:22 is out of range"),
        ("-(-9223372036854775808) > 0", "the result at 1:1 is out of range"),
        ("1e308 * 10.0 > 1.0", "the result at 1:7 is out of range"),
        ("now + duration('3650000d') > now", "the result at 1:5 is out of range"),
        ("facts.numbers[-1] == 3", "facts.numbers[-1] is absent"),
        ("facts.numbers[3] == 3", "facts.numbers[3] is absent"),
        ("facts.numbers[facts.size_bytes] == 3", "facts.numbers[facts.size_bytes] is absent"),
        ("facts.labels['a'] == 'x'", "facts.labels['a'] is absent"),
        ("facts.labels.a == 'x'", "facts.labels.a is absent"),
        ("timestamp(facts.owner) < now", "facts.owner is not a timestamp"),
        ("duration(facts.owner) < params.max_age", "facts.owner is not a duration"),
    ],
)
def test_what_cannot_be_computed_is_unknown(ask: Ask, source: str, reason: str) -> None:
    row = {"size_bytes": 7, "share": 1.0, "numbers": [1, 2, 3], "labels": {"b": "x"}, "owner": "x"}
    assert ask(source, **row) == (None, (reason,))


def test_whole_numbers_of_facts_have_any_size_and_never_pass_through_floats(ask: Ask) -> None:
    assert ask("facts.size_bytes > 9223372036854775807", size_bytes=HUGE).value is True
    assert ask("facts.size_bytes in facts.numbers", size_bytes=HUGE, numbers=[2**63]).value is False
    assert ask("facts.size_bytes == 9007199254740993", size_bytes=2**53).value is False
    assert ask("facts.size_bytes < 9007199254740992.0", size_bytes=2**53 - 1).value is True


def test_a_whole_number_in_a_float_fact_is_a_float(ask: Ask) -> None:
    assert ask("facts.share / 2.0 == 3.5", share=7).value is True
    assert ask("facts.share == 9007199254740992.0", share=2**53 + 1).value is True


def test_instants_are_compared_as_instants_not_as_text(ask: Ask) -> None:
    source = "facts.last_access_at < timestamp('2026-11-30T00:30:00Z')"
    assert ask(source, last_access_at="2026-11-30T01:00:00+02:00").value is True
    assert ask(source, last_access_at="2026-11-30T00:29:59.999999999Z").value is True
    assert ask(source, last_access_at=datetime(2026, 11, 30, tzinfo=UTC)).value is True
    assert ask(source, last_access_at="2026-11-29T23:30:00-02:00").value is False


@pytest.mark.parametrize("stored", ["2026-11-30", "soon", 7, datetime(2026, 1, 1)])  # noqa: DTZ001 - a naive one is the point
def test_an_instant_without_a_zone_or_form_is_unknown(ask: Ask, stored: object) -> None:
    outcome = ask("facts.last_access_at < now", last_access_at=stored)
    assert outcome == (None, ("facts.last_access_at is not a timestamp",))


def test_durations_of_facts_are_read_from_text(ask: Ask) -> None:
    assert ask("facts.grace < params.max_age", grace="29d23h").value is True
    assert ask("facts.grace < params.max_age", grace=timedelta(days=31)).value is False
    assert ask("facts.grace < params.max_age", grace="x").reasons == (
        "facts.grace is not a duration",
    )


def test_true_is_not_one(ask: Ask) -> None:
    assert ask("facts.encrypted == true", encrypted=1) == (None, ("facts.encrypted is not a bool",))
    assert ask("facts.size_bytes == 1", size_bytes=True) == (
        None,
        ("facts.size_bytes is not an int",),
    )
    assert ask("1 in facts.numbers", numbers=[True]) == (
        None,
        ("facts.numbers[0] is not an int",),
    )
    assert ask("facts.rules.exists(r, r.days == 1)", rules=[{"days": True}]).value is None


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("facts.owner == null", True),
        ("facts.owner != null", False),
        ("facts.owner == 'x'", False),
        ("facts.owner in ['x']", False),
        ("has(facts.owner)", False),
        ("facts.owner < 'x'", None),
        ("facts.owner.startsWith('x')", None),
        ("size(facts.owner) == 0", None),
        ("facts.owner in facts.labels", None),
        ("facts.labels[facts.owner] == 'x'", None),
    ],
)
def test_null_is_equal_to_null_only_and_has_no_order(ask: Ask, source: str, wanted: object) -> None:
    assert ask(source, owner=None, labels={}).value is wanted


def test_a_null_bool_is_neither_true_nor_false_but_may_be_asked_for(ask: Ask) -> None:
    assert ask("facts.encrypted == null", encrypted=None).value is True
    assert ask("facts.encrypted == false || false", encrypted=None).value is False
    assert ask("facts.encrypted || false", encrypted=None).value is None
    assert ask("facts.rules.exists(r, r.enabled == null)", rules=[{"enabled": None}]).value is True


def test_a_null_is_named_where_a_value_is_needed(ask: Ask) -> None:
    assert ask("facts.encrypted", encrypted=None).reasons == ("facts.encrypted is null",)
    assert ask("!facts.encrypted", encrypted=None).reasons == ("facts.encrypted is null",)
    assert ask("facts.rules.all(r, r.days > 1)", rules=[{"days": None}]).reasons == (
        "facts.rules[0].days is null",
    )
    assert ask("facts.regions.all(r, true)", regions=None).reasons == ("facts.regions is null",)
    assert ask("'a' in facts.regions", regions=None).reasons == ("facts.regions is null",)
    assert ask("facts.gpu.model == 'x'", gpu=None).reasons == ("facts.gpu is null",)


def test_facts_of_another_type_than_published_are_unknown(ask: Ask) -> None:
    assert ask("facts.owner == 'x'", owner=5).reasons == ("facts.owner is not a string",)
    assert ask("facts.gpu.model == 'x'", gpu="x").reasons == ("facts.gpu is not an object",)
    assert ask("'x' in facts.labels", labels=["x"]).reasons == (
        "facts.labels is not a map of string",
    )
    assert ask("facts.share > 1.0", share=float("nan")).reasons == ("facts.share is not a float",)


def test_a_word_outside_the_documented_ones_is_still_read(ask: Ask) -> None:
    assert ask("facts.versioning_status == 'Enabled'", versioning_status="New").value is False


MACROS = {"rules": [{"tier": "a", "days": 1, "enabled": True}, {"tier": "b", "days": 5}]}


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("facts.rules.exists(r, r.days > 4)", True),
        ("facts.rules.exists(r, r.days > 9)", False),
        ("facts.rules.exists(r, r.enabled)", True),
        ("facts.rules.exists(r, !r.enabled)", None),
        ("facts.rules.all(r, r.days > 0)", True),
        ("facts.rules.all(r, r.days > 1)", False),
        ("facts.rules.all(r, r.enabled)", None),
        ("facts.rules.all(r, !r.enabled)", False),
        ("facts.rules.exists_one(r, r.days == 5)", True),
        ("facts.rules.exists_one(r, r.days > 0)", False),
        ("facts.rules.exists_one(r, r.enabled)", None),
        ("size(facts.rules.filter(r, r.days > 1)) == 1", True),
        ("facts.rules.filter(r, r.days > 1)[0].tier == 'b'", True),
        ("size(facts.rules.filter(r, r.enabled)) == 1", None),
        ("facts.rules.map(r, r.tier) == ['a', 'b']", True),
        ("facts.rules.map(r, r.days * 2)[1] == 10", True),
        ("'b' in facts.rules.map(r, r.tier)", True),
        ("facts.rules.map(r, r.enabled)[0]", None),
    ],
)
def test_macros_go_through_lists(ask: Ask, source: str, wanted: object) -> None:
    assert ask(source, **MACROS).value is wanted


@pytest.mark.parametrize(
    "source",
    ["facts.rules.all(r, r.days > 0)", "!facts.rules.exists(r, true)", "size(facts.rules) == 0"],
)
def test_an_empty_list_has_nothing_against_it(ask: Ask, source: str) -> None:
    assert ask(source, rules=[]).value is True


def test_macros_go_through_the_keys_of_maps(ask: Ask, row: Callable[..., Row]) -> None:
    tagged = row(resource={"tags": {"env": "prod", "owner": "ml"}})
    assert ask("resource.tags.exists(t, t == 'env')", tagged).value is True
    assert ask("resource.tags.all(t, t.size() > 3)", tagged).value is False
    assert ask("resource.tags.all(t, resource.tags[t] != '')", tagged).value is True
    assert ask("resource.tags.exists(t, t.matches('^own'))", tagged).value is True


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1h30m", timedelta(hours=1, minutes=30)),
        ("-1.5s", timedelta(seconds=-1.5)),
        ("30d", timedelta(days=30)),
        ("1500us", timedelta(microseconds=1500)),
        ("2ms999ns", timedelta(milliseconds=2)),
    ],
)
def test_durations_are_read_to_the_microsecond(text: str, wanted: timedelta) -> None:
    assert duration(text) == wanted


@pytest.mark.parametrize("text", ["", "-", "1", "h", "1h 2m", "1h2", "--1h", "1e3s", "1w", "1.h"])
def test_other_text_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="not a duration"):
        duration(text)


@pytest.mark.parametrize("text", ["0s", "1m30s", "1d12h", "-1h30m", "1s500ms"])
def test_a_duration_is_written_as_it_is_read(text: str) -> None:
    found = duration(text)
    assert found is not None
    assert text_of_duration(found) == text


def test_instants_are_brought_to_utc() -> None:
    there = datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))
    assert timestamp(there) == datetime(2026, 1, 1, tzinfo=UTC)
    assert str(timestamp("2026-01-01t01:00:00+01:00")) == "2026-01-01 00:00:00+00:00"
