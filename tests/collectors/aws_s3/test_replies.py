from collections.abc import Mapping
from typing import Any

import pytest

from app.collectors.aws_s3 import mapping
from app.collectors.aws_s3.operations import BY_NAME, PARSERS
from app.domain.collecting import Outcome
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.replies import SKIPPED, UNEXPECTED, Reply, understood

# Without rows these say "none"; whose answer it is was found out before.
LISTS = {
    "s3:ListBucketInventoryConfigurations": "InventoryConfigurationList",
    "s3:ListBucketIntelligentTieringConfigurations": "IntelligentTieringConfigurationList",
}


def parse(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"a": answer["x"], "b": None}


def test_an_answer_fills_its_facts_and_states_what_is_none() -> None:
    reply, facts = understood(Reply(Outcome.ANSWERED, {"x": 0}), ("a", "b"), parse)
    assert facts == {"a": Present(0), "b": ABSENT}
    assert reply.outcome is Outcome.ANSWERED


def test_a_stated_absence_makes_all_its_facts_absent() -> None:
    _, facts = understood(Reply(Outcome.ABSENT, code="NoSuchTagSet"), ("a", "b"), parse)
    assert facts == {"a": ABSENT, "b": ABSENT}


@pytest.mark.parametrize("outcome", [Outcome.DENIED, Outcome.FAILED, Outcome.SKIPPED])
def test_no_reply_leaves_its_facts_unreadable_with_the_code(outcome: Outcome) -> None:
    _, facts = understood(Reply(outcome, code="AccessDenied"), ("a", "b"), parse)
    assert facts == dict.fromkeys(("a", "b"), Unreadable("AccessDenied"))


def test_what_was_left_out_on_purpose_is_unreadable_too() -> None:
    _, facts = understood(SKIPPED, ("a",), parse)
    assert facts == {"a": Unreadable("SkippedByConfiguration")}


@pytest.mark.parametrize("operation", [name for name in PARSERS if "Versioning" not in name])
@pytest.mark.parametrize("answer", [{}, {"Rules": 5}, {"Unheard": "of"}, {"TagSet": [None]}])
def test_an_answer_of_unknown_shape_is_never_a_value(
    operation: str, answer: dict[str, Any]
) -> None:
    answer = {LISTS[operation]: [answer]} if operation in LISTS else answer
    feeds = BY_NAME[operation].feeds
    reply, facts = understood(Reply(Outcome.ANSWERED, answer), feeds, PARSERS[operation])
    assert (reply.outcome, reply.code) == (Outcome.FAILED, UNEXPECTED)
    assert facts == dict.fromkeys(feeds, Unreadable(UNEXPECTED))


def test_an_empty_location_answer_is_never_virginia() -> None:
    _, facts = understood(Reply(Outcome.ANSWERED, {}), ("bucket_region",), mapping.location)
    assert facts == {"bucket_region": Unreadable(UNEXPECTED)}
