"""Reading what is not there makes an answer unknown and says why; logic may absorb it."""

from collections.abc import Callable

import pytest

from app.policies.language import Row
from tests.policies.language.conftest import Ask

MakeRow = Callable[..., Row]


@pytest.fixture
def half(row: MakeRow) -> Row:
    """A row with one fact of each sort."""
    return row(
        size_bytes=5,
        gpu={"util_percent": None},
        rules=[{"tier": "a"}, {"tier": "b", "days": 3}],
        absent=frozenset({"owner"}),
        unreadable={"versioning_status": "AccessDenied"},
    )


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("facts.owner == 'x'", "facts.owner is absent"),
        (
            "facts.versioning_status == 'Enabled'",
            "facts.versioning_status could not be read: AccessDenied",
        ),
        ("facts.encrypted", "facts.encrypted was not collected"),
        ("facts.gpu.model == 'x'", "facts.gpu.model is absent"),
        ("facts.gpu.util_percent > 1.0", "facts.gpu.util_percent is null"),
        ("facts.rules.all(r, r.days > 1)", "facts.rules[0].days is absent"),
        ("facts.rules[0].days > 1", "facts.rules[0].days is absent"),
        ("resource.created_at < now", "resource.created_at is absent"),
        ("resource.tags.env == 'prod'", "resource.tags.env is absent"),
        ("facts.owner == null", "facts.owner is absent"),
        ("size(facts.labels) == 0", "facts.labels was not collected"),
    ],
)
def test_the_missing_fact_is_named_with_the_reason(
    ask: Ask, half: Row, source: str, reason: str
) -> None:
    assert ask(source, half) == (None, (reason,))


def test_an_object_says_by_its_code_why_a_part_of_it_is_not_known(ask: Ask, row: MakeRow) -> None:
    rows = row(rules=[{"tier": "a", "code": "Denied"}], labels={"code": "red"})
    reason = "facts.rules[0].days could not be read: Denied"
    assert ask("facts.rules.all(r, r.days > 1)", rows) == (None, (reason,))
    assert ask("facts.rules[0].days > 1", rows) == (None, (reason,))
    # a map's keys are somebody's own words
    reason = "facts.labels.shade is absent"
    assert ask("facts.labels.shade == 'x'", rows) == (None, (reason,))


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("has(facts.size_bytes)", True),
        ("has(facts.owner)", False),
        ("has(facts.versioning_status)", None),
        ("has(facts.encrypted)", None),
        ("has(facts.gpu)", True),
        ("has(facts.gpu.model)", False),
        ("has(facts.gpu.util_percent)", False),
        ("has(facts.rules)", True),
        ("has(facts.labels.a)", None),
        ("has(resource.created_at)", False),
        ("has(resource.name)", True),
        ("has(resource.tags.env)", False),
        ("has(params.days)", True),
        ("facts.rules.exists(r, has(r.days))", True),
        ("facts.rules.all(r, has(r.days))", False),
    ],
)
def test_has_tells_present_from_absent_and_does_not_guess(
    ask: Ask, half: Row, source: str, wanted: object
) -> None:
    assert ask(source, half).value is wanted


def test_has_names_what_it_could_not_ask(ask: Ask, half: Row) -> None:
    assert ask("has(facts.versioning_status)", half).reasons == (
        "facts.versioning_status could not be read: AccessDenied",
    )
    assert ask("has(facts.encrypted)", half).reasons == ("facts.encrypted was not collected",)


MISSING = "facts.encrypted"


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (f"{MISSING} && false", False),
        (f"false && {MISSING}", False),
        (f"{MISSING} && true", None),
        (f"true && {MISSING}", None),
        (f"{MISSING} || true", True),
        (f"true || {MISSING}", True),
        (f"{MISSING} || false", None),
        (f"{MISSING} || facts.owner == 'x' || true", True),
        (f"!{MISSING}", None),
        (f"!({MISSING} && false)", True),
        (f"{MISSING} ? true : true", None),
        (f"true ? true : {MISSING}", True),
        (f"false ? {MISSING} : false", False),
        (f"({MISSING} || true) && ({MISSING} && false)", False),
        ("facts.rules.exists(r, r.days > 1)", True),
        ("facts.rules.exists(r, r.days > 9)", None),
        ("facts.rules.all(r, r.days > 9)", False),
        ("facts.rules.all(r, r.days > 1)", None),
        (f"facts.rules.exists(r, {MISSING} || r.tier == 'b')", True),
        ("facts.labels.exists(k, true) || true", True),
        ("facts.labels.all(k, true) && false", False),
    ],
)
def test_and_or_exists_and_all_absorb_what_cannot_change_the_answer(
    ask: Ask, half: Row, source: str, wanted: object
) -> None:
    assert ask(source, half).value is wanted


def test_the_reasons_of_all_unknown_branches_are_told_in_order_and_once(
    ask: Ask, half: Row
) -> None:
    source = "facts.owner == 'x' && facts.encrypted && (facts.owner == 'y' || facts.share > 1.0)"
    assert ask(source, half).reasons == (
        "facts.owner is absent",
        "facts.encrypted was not collected",
        "facts.share was not collected",
    )


def test_at_most_five_reasons_are_told(ask: Ask, row: MakeRow) -> None:
    found = ask("facts.rules.all(r, r.enabled)", row(rules=[{}] * 9))
    assert found.reasons == tuple(f"facts.rules[{n}].enabled is absent" for n in range(5))


def test_an_absorbed_unknown_leaves_no_reason(ask: Ask, half: Row) -> None:
    assert ask(f"{MISSING} || true", half).reasons == ()
