"""F10: no location is Virginia, EU is Ireland, and a refused answer is neither."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_s3.mapping import location
from app.domain.collecting import Provider
from app.domain.compliance import Verdict
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.regions import s3_region_id
from app.domain.storage_places import region_ids, regions_verdict, rest_places

INPUT = json.loads(
    (Path(__file__).parent / "inputs" / "f10_bucket_locations.json").read_text("utf-8")
)
ANSWERS = INPUT["get_bucket_location"]


def region(answer: Any) -> Fact[str]:
    """What the collector makes of the answer or the error."""
    if "Error" in answer:
        return Unreadable(answer["Error"]["Code"])
    return Present(location(answer)["bucket_region"])


def judged(answer: Any, allowed: list[str]) -> tuple[str | None, Verdict]:
    places = rest_places(Provider.AWS, region(answer), (), ABSENT)
    assert isinstance(places, Present)
    return region_ids(places.value)[0], regions_verdict(places, allowed)


def test_regions_and_verdicts() -> None:
    found = {name: judged(answer, INPUT["allowed_regions"]) for name, answer in ANSWERS.items()}
    assert found == {
        "b-null": ("us-east-1", Verdict.NON_COMPLIANT),
        "b-empty": ("us-east-1", Verdict.NON_COMPLIANT),
        "b-eu": ("eu-west-1", Verdict.COMPLIANT),
        "b-ireland": ("eu-west-1", Verdict.COMPLIANT),
        "b-oregon": ("us-west-2", Verdict.NON_COMPLIANT),
        "b-denied": (None, Verdict.UNKNOWN),
    }


@pytest.mark.parametrize(
    ("constraint", "allowed", "expected"),
    [
        (None, ["us-east-1"], Verdict.COMPLIANT),
        ("EU", ["us-east-1"], Verdict.NON_COMPLIANT),
        ("eu-central-1", ["eu-west-1", "eu-central-1"], Verdict.COMPLIANT),
        ("eu-newland-9", ["eu-west-1"], Verdict.UNKNOWN),
        ("eu-newland-9", ["eu-newland-9"], Verdict.UNKNOWN),
        ("eu-west-1", [], Verdict.NON_COMPLIANT),
    ],
)
def test_the_whole_kind(constraint: str | None, allowed: list[str], expected: Verdict) -> None:
    assert judged({"LocationConstraint": constraint}, allowed)[1] is expected


@pytest.mark.parametrize("code", ["AccessDenied", "AllAccessDisabled", "InternalError", "Timeout"])
def test_any_error_is_unknown_even_where_virginia_is_allowed(code: str) -> None:
    answer = {"Error": {"Code": code}}
    assert judged(answer, ["us-east-1"]) == (None, Verdict.UNKNOWN)


@pytest.mark.parametrize("answer", [one for one in ANSWERS.values() if "Error" not in one])
def test_collector_and_domain_agree_on_the_old_words(answer: Any) -> None:
    assert region(answer) == Present(s3_region_id(answer["LocationConstraint"]))
