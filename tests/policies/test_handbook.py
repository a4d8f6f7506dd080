"""The examples of docs/policies.md do what the page says."""

import re
from typing import Any

import pytest
import yaml

from app.domain.facts import FactSet
from app.kit.errors import InvalidInputError
from app.policies.cases import NOW
from app.policies.language import PolicySyntaxError, Row, Scope, check, evaluate
from app.policies.registry import parse
from app.policies.schema import facts_of
from tests.support.handbook_text import ROOT, blocks

MARKED = [block for block in blocks(ROOT / "docs/policies.md") if block.runs]
(WORKED,) = [block.text for block in MARKED if block.language == "yaml"]
VALUES, FAULTS = [
    [re.split(r" {2,}|(?<=\]) (?=\w+$)", line) for line in block.lines()]
    for block in MARKED
    if block.language == "text"
]
SCOPE = Scope(facts=facts_of("s3_bucket"), kind="s3_bucket")
WORDS = {True: "true", False: "false", None: "unknown"}


def known(words: str) -> FactSet:
    """What a row of the page takes for known."""
    if words == "nothing":
        return FactSet({}, frozenset(), {})
    name, _, state = words.partition(" ")
    if ":" in words:
        present: dict[str, Any] = yaml.safe_load(words)
        return FactSet(present, frozenset(), {})
    if state == "absent":
        return FactSet({}, frozenset({name}), {})
    assert state == "unreadable"
    return FactSet({}, frozenset(), {name: "AccessDenied"})


@pytest.mark.parametrize(("source", "words", "value"), VALUES)
def test_a_condition_has_the_value_that_the_page_says(source: str, words: str, value: str) -> None:
    facts = known(words)
    row = Row({}, facts.present, facts.absent, facts.unreadable)
    assert WORDS[evaluate(check(source, SCOPE), row, {}, NOW).value] == value


@pytest.mark.parametrize(("source", "message"), FAULTS)
def test_a_fault_is_told_in_the_words_of_the_page(source: str, message: str) -> None:
    with pytest.raises(PolicySyntaxError) as refused:
        check(source, SCOPE)
    assert refused.value.detail == message


def test_the_worked_example_is_in_order_and_passes_its_tests() -> None:
    policy = parse(WORKED, where="docs/policies.md")
    assert {test.expect.value for test in policy.tests} == {
        "compliant",
        "non_compliant",
        "unknown",
        "not_applicable",
    }


def test_its_tests_would_notice_a_mistake() -> None:
    wrong = WORKED.replace(">= params.min_days", "> params.min_days")
    with pytest.raises(InvalidInputError, match="locked for long enough"):
        parse(wrong, where="docs/policies.md")
