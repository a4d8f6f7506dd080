"""A policy comes in whole, checked and passing its own tests, or not at all."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.compliance import Pillar, PolicyMode, Severity
from app.kit.errors import InvalidInputError
from app.policies import registry
from app.policies.policy import complete_params
from app.policies.registry import parse
from tests.support.policies import document, policy, text


def refused(source: str) -> tuple[dict[str, str], ...]:
    with pytest.raises(InvalidInputError) as caught:
        parse(source, where="mine")
    assert caught.value.errors
    first = caught.value.errors[0]
    assert caught.value.detail.startswith(f"mine:{first['where']}: {first['what']}")
    assert caught.value.mend
    return caught.value.errors


def whats(**fields: Any) -> list[str]:
    return [fault["what"] for fault in refused(text(**fields))]


def test_a_finding_is_called_by_the_breach_else_by_the_title() -> None:
    assert policy().breach == policy().title
    assert policy(breach="Versions are lost").breach == "Versions are lost"


def test_a_whole_policy_is_read() -> None:
    found = policy(
        mode="report",
        when="facts.holds_objects",
        tests=document()["tests"]
        and [
            {
                "name": "on",
                "facts": {"versioning_on": True, "holds_objects": True},
                "expect": "compliant",
            }
        ],
    )
    assert (found.id, found.severity, found.pillar) == (
        "keeps-versions",
        Severity.HIGH,
        Pillar.REPRODUCIBILITY,
    )
    assert (found.mode, found.when, found.assertion) == (
        PolicyMode.REPORT,
        "facts.holds_objects",
        "facts.versioning_on",
    )
    assert (found.message, found.remedy) == (
        "{resource.name} keeps no versions.",
        "Turn versioning on.",
    )


def test_the_version_follows_the_text() -> None:
    assert len(policy().version) == 12
    assert policy().version == policy().version
    assert policy().version != policy(why="Another reason.").version


@pytest.mark.parametrize("field", [name for name in document() if name != "tests"])
def test_each_field_must_be_there(field: str) -> None:
    assert f"the field {field!r} is missing" in whats(**{field: None})


def test_a_policy_brings_tests() -> None:
    assert whats(tests=None) == ["the field 'tests' is missing"]
    assert whats(tests=[]) == ["tests must be a list with at least one entry"]


def days(**fields: Any) -> dict[str, Any]:
    return {"type": "int", "default": 5, "doc": "d"} | fields


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"severty": "high"}, "unknown field 'severty'; did you mean 'severity'?"),
        ({"id": "Keeps Versions"}, "id must be lower-case words such as data-cools"),
        ({"id": "../../etc/passwd"}, "id must be lower-case words such as data-cools"),
        ({"id": "x" * 101}, "id must have between 1 and 100 characters"),
        ({"title": ""}, "title must have between 1 and 200 characters"),
        ({"title": 7}, "title must be text; put it in quotes"),
        ({"title": ["a"]}, "title must be text; put it in quotes"),
        ({"severity": "fatal"}, "severity must be one of informational, low,"),
        ({"pillar": "beauty"}, "pillar must be one of cost, reproducibility,"),
        ({"mode": "maybe"}, "mode must be one of enforce, report, off"),
        ({"applies_to": ["s3_buckt"]}, "unknown kind 's3_buckt'; did you mean 's3_bucket'?"),
        ({"applies_to": "s3_bucket"}, "applies_to must be a list with at least one entry"),
        ({"applies_to": [1]}, "applies_to must be a list of texts"),
        ({"assert": True}, "a condition must be text; put it in quotes"),
        ({"assert": "facts.versionning_on"}, "did you mean 'versioning_on'?"),
        ({"assert": "facts.sku_name == 'x'"}, "unknown fact 'sku_name' of s3_bucket"),
        ({"assert": "facts.versioning_status"}, "true or false is needed"),
        ({"assert": "facts.versioning_on &&"}, "unexpected"),
        ({"when": "facts.nothing"}, "unknown fact 'nothing'"),
        ({"message": "{facts.nothing}"}, "facts has no field 'nothing'"),
        ({"message": "{ hello"}, "braces only hold a name"),
        ({"message": 5}, "message must be a list with at least one entry"),
        (
            {"remedy": [{"text": "a", "when": "facts.versioning_on"}]},
            "must have no condition, or some get none",
        ),
        ({"remedy": [{"text": "a", "kind": "azure"}]}, "'azure' is not in applies_to"),
        ({"message": [{"text": "a", "cli": "rm"}]}, "unknown field 'cli'"),
        ({"params": {"Days": days()}}, "a param's name is lower-case"),
        ({"params": {"days": days(type="whole")}}, "type must be one of int, float, bool"),
        ({"params": {"days": days(default="x")}}, "does not fit: days takes an int, not 'x'"),
        ({"params": {"days": days(minimum=6)}}, "does not fit: days must be at least 6, not 5"),
        ({"params": {"days": days(minimum="six")}}, "minimum must be a number"),
        ({"params": {"days": 5}}, "expected fields such as type: ..."),
        ({"params": [1]}, "params must have fields, such as name: value"),
    ],
)
def test_a_wrong_field_says_what_is_wrong(fields: dict[str, Any], what: str) -> None:
    assert any(what in one for one in whats(**fields)), whats(**fields)


def case(**fields: Any) -> list[dict[str, Any]]:
    known = {"name": "on", "facts": {"versioning_on": True}, "expect": "compliant"}
    return [{key: value for key, value in (known | fields).items() if value is not None}]


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"expect": "fine"}, "expect must be one of compliant, non_compliant,"),
        ({"name": None}, "the field 'name' is missing"),
        ({"kind": "azure_storage_account"}, "'azure_storage_account' is not in applies_to"),
        ({"facts": {"versioning": True}}, "unknown name 'versioning'; did you mean"),
        ({"facts": {"versioning_on": "yes"}}, "versioning_on is not a bool"),
        ({"absent": ["versioning"]}, "unknown name 'versioning'"),
        ({"unreadable": {"versioning": "X"}}, "unknown name 'versioning'"),
        ({"resource": {"nam": "x"}}, "unknown name 'nam'; did you mean 'name'?"),
        ({"params": {"days": 3}}, "no such param"),
        ({"expect": "non_compliant"}, "the test 'on' gives compliant, expected non_compliant"),
        ({"facts": {}}, "gives unknown because facts.versioning_on was not collected"),
        ({"remedy_has": "magic"}, "the test 'on' its remedy lacks 'magic'"),
        ({"remedy_lacks": "VERSIONING"}, "the test 'on' its remedy must not say 'VERSIONING'"),
    ],
)
def test_a_wrong_test_is_refused(fields: dict[str, Any], what: str) -> None:
    assert any(what in one for one in whats(tests=case(**fields)))


def test_a_wrong_message_in_a_test_is_told() -> None:
    told = whats(
        tests=case(facts={"versioning_on": False}, expect="non_compliant", message="Other.")
    )
    assert told == [
        "the test 'on' says 'example keeps no versions.', expected 'Other.'",
    ]


def test_all_faults_are_told_at_once_each_with_its_place() -> None:
    source = """\
id: keeps-versions
title: Versions are kept
why: To go back.
source: A book.
severity: fatal
pillar: reproducibility
area: storage
applies_to: [s3_bucket]
assert: |
  facts.versioning_on
  && facts.versionning_on
message: "{resource.nam} keeps none."
remedy: Turn it on.
tests:
  - name: "on"
    facts: {versioning_on: true}
    expect: compliant
"""
    assert [fault["where"] for fault in refused(source)] == ["5:11", "11:12", "12:21"]


@pytest.mark.parametrize(
    "source",
    ["", "- a\n- b", "just words", "5", "null", "a: *b", "{" * 5000, "x" * 100_000, "\x00"],
)
def test_what_is_no_policy_is_refused(source: str) -> None:
    refused(source)


@pytest.mark.parametrize(
    "assertion",
    [
        "facts.versioning_on && " * 300 + "true",
        "(" * 200 + "facts.versioning_on" + ")" * 200,
        "facts.bucket_tags.x.matches('(a+)+$')" + " " * 5000,
    ],
)
def test_hostile_expressions_are_refused(assertion: str) -> None:
    refused(text(**{"assert": assertion}))


class TestParams:
    found = policy(
        params={
            "days": {"type": "float", "default": 30, "minimum": 0, "maximum": 90, "doc": "d"},
            "zones": {"type": "list of string", "default": [], "doc": "d"},
            "strict": {"type": "bool", "default": False, "doc": "d"},
        }
    )

    def test_defaults_fill_what_is_not_given(self) -> None:
        assert complete_params(self.found, {"days": 7}) == {
            "days": 7,
            "zones": [],
            "strict": False,
        }

    @pytest.mark.parametrize(
        ("given", "what"),
        [
            ({"dayz": 1}, "no such param; did you mean 'days'?"),
            ({"days": "7"}, "days takes a float, not '7'"),
            ({"days": True}, "days takes a float, not True"),
            ({"days": -1}, "days must be at least 0, not -1"),
            ({"days": 91}, "days must be at most 90, not 91"),
            ({"days": None}, "days takes a float, not None"),
            ({"days": float("nan")}, "days takes a float, not nan"),
            ({"zones": "EU"}, "zones takes a list of string, not 'EU'"),
            ({"zones": [1]}, "zones takes a list of string, not [1]"),
            ({"zones": ["x" * 501]}, "zones is too long"),
            ({"zones": ["x"] * 201}, "zones is too long"),
            ({"strict": 1}, "strict takes a bool, not 1"),
        ],
    )
    def test_wrong_ones_are_refused(self, given: dict[str, Any], what: str) -> None:
        with pytest.raises(InvalidInputError) as caught:
            complete_params(self.found, given)
        (fault,) = caught.value.errors
        assert what in fault["what"]
        assert fault["where"] == f"params.{next(iter(given))}"
        assert caught.value.mend == "the params of keeps-versions are days, zones, strict"


class TestFiles:
    @pytest.fixture
    def room(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
        monkeypatch.setattr(registry, "_ROOM", tmp_path)
        registry.built_in.cache_clear()
        (tmp_path / "storage").mkdir()
        yield tmp_path / "storage"
        registry.built_in.cache_clear()

    def test_are_found_by_their_path(self, room: Path) -> None:
        (room / "keeps-versions.yaml").write_text(text(), encoding="utf-8")
        assert list(registry.built_in()) == ["keeps-versions"]

    @pytest.mark.parametrize("fields", [{"id": "other"}, {"area": "compute"}])
    def test_must_be_called_as_they_say(self, room: Path, fields: dict[str, str]) -> None:
        (room / "keeps-versions.yaml").write_text(text(**fields), encoding="utf-8")
        with pytest.raises(InvalidInputError, match="those of the path"):
            registry.built_in()


WORDS = "id: tests: - { } [ ] ' \" | > &a *a !!x facts.versioning_on true 1 : # ? --- é <<: %YAML"
PIECES = st.sampled_from([*WORDS.split(), " ", "\n", "  ", "\t", "\x00", ": "])


@settings(deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join)))
def test_no_text_breaks_the_reader(source: str) -> None:
    with pytest.raises(InvalidInputError):
        parse(source, where="mine")


@settings(deadline=None)
@given(st.data())
def test_no_small_change_breaks_the_reader(data: st.DataObject) -> None:
    whole = text()
    at = data.draw(st.integers(0, len(whole)))
    piece = data.draw(PIECES)
    cut = data.draw(st.integers(0, 3))
    with suppress(InvalidInputError):
        assert parse(whole[:at] + piece + whole[at + cut :], where="mine").programs
