"""Six facts of 24 buckets of a seeded estate, as a moto server once answered them over the wire."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_s3 import COLLECTOR
from app.domain.collecting import ListingDone, ResourceSeen
from app.domain.facts import ABSENT, Present, Unreadable, fact_names
from app.domain.storage import RuleEffect, RuleSubject, S3BucketFacts
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import AwsWire, Fault

RECORDED = Path(__file__).parent / "payloads" / "moto_recorded_answers.json"
SIX = [
    "s3:GetBucketLocation",
    "s3:GetBucketVersioning",
    "s3:GetBucketLifecycleConfiguration",
    "s3:GetBucketReplication",
    "s3:GetBucketEncryption",
    "s3:GetBucketTagging",
]
LEFT_OUT = Unreadable("SkippedByConfiguration")


@pytest.fixture
def observations(aws: AwsWire, connection: MakeConnection, now: datetime) -> list[Any]:
    answers = json.loads(RECORDED.read_text("utf-8"))
    aws.faults = [
        Fault(one["bucket"], one["question"], "GET", one["status"], one["body"]) for one in answers
    ]
    return list(COLLECTOR.collect(connection(operations=SIX), now))


@pytest.fixture
def facts(observations: list[Any]) -> dict[str, S3BucketFacts]:
    found = {}
    for one in observations:
        if isinstance(one, ResourceSeen):
            assert isinstance(one.facts, S3BucketFacts)
            found[one.name] = one.facts
    return found


def test_the_whole_estate_is_read_and_the_list_is_complete(
    observations: list[Any], facts: dict[str, S3BucketFacts]
) -> None:
    assert len(facts) == 24
    assert all(one.complete for one in observations if isinstance(one, ListingDone))


def test_one_cell_of_all_was_denied(facts: dict[str, S3BucketFacts]) -> None:
    unreadable = {
        (bucket, name, fact.code)
        for bucket, one in facts.items()
        for name in fact_names(S3BucketFacts)
        if isinstance(fact := getattr(one, name), Unreadable) and fact != LEFT_OUT
    }
    assert unreadable == {
        ("acme-fill-0003", "lifecycle_rules", "AccessDenied"),
        ("acme-fill-0003", "transition_default_minimum_object_size", "AccessDenied"),
    }


def test_the_old_bucket_without_a_constraint_lies_in_virginia(
    facts: dict[str, S3BucketFacts],
) -> None:
    assert facts["acme-legacy-us-east-1"].bucket_region == Present("us-east-1")
    assert facts["acme-training-data-usw2"].bucket_region == Present("us-west-2")


def test_versioning_in_its_three_states(facts: dict[str, S3BucketFacts]) -> None:
    assert facts["acme-training-data-usw2"].versioning_status == Present("Enabled")
    assert facts["acme-suspended"].versioning_status == Present("Suspended")
    assert facts["acme-labels-noversion"].versioning_status is ABSENT


Effect = tuple[str, bool, tuple[str, ...], RuleEffect, float | None]


def effects(facts: S3BucketFacts) -> list[Effect]:
    assert isinstance(facts.lifecycle_rules, Present)
    return [
        (rule.name, rule.enabled, rule.prefixes, action.effect, action.after_days)
        for rule in facts.lifecycle_rules.value
        for action in rule.actions
        if action.subject is RuleSubject.CURRENT
    ]


def test_lifecycle_rules_keep_what_tells_them_apart(facts: dict[str, S3BucketFacts]) -> None:
    move, delete = RuleEffect.TRANSITION, RuleEffect.DELETE
    assert effects(facts["acme-training-data-usw2"])[:3] == [
        ("tier", True, (), move, 30.0),
        ("tier", True, (), move, 90.0),
        ("tier", True, (), move, 270.0),
    ]
    assert effects(facts["acme-raw-disabled-rule"]) == [("tier", False, (), move, 30.0)]
    assert effects(facts["acme-raw-early"]) == [("early", True, (), move, 7.0)]
    assert effects(facts["acme-raw-partial"]) == [("only-raw", True, ("raw/",), move, 30.0)]
    assert effects(facts["acme-versions-killed"]) == []
    assert effects(facts["acme-checkpoints"]) == [("ckpt-expire", True, ("ckpt/",), delete, 14.0)]
    rules = facts["acme-checkpoints"].lifecycle_rules
    assert isinstance(rules, Present)
    assert rules.value[0].tags == {"keep": "no"}


def test_replication_leads_out_of_the_account_to_an_unseen_bucket(
    facts: dict[str, S3BucketFacts],
) -> None:
    rules = facts["acme-training-data-usw2"].replication_rules
    assert isinstance(rules, Present)
    (rule,) = rules.value
    assert rule.destination == "acme-training-data-euw1"
    assert rule.destination_account_id == "334219428547"
    assert (rule.destination_region_id, rule.storage_class) == (None, "STANDARD_IA")
    assert rule.destination_code


def test_encryption_and_tags(facts: dict[str, S3BucketFacts]) -> None:
    assert facts["acme-training-data-usw2"].encryption_algorithm == Present("aws:kms")
    assert facts["acme-labels-noversion"].encryption_algorithm is ABSENT
    tags = facts["acme-checkpoints"].bucket_tags
    assert isinstance(tags, Present)
    assert tags.value["data-class"] == "checkpoint"
    assert facts["acme-fill-0000"].bucket_tags is ABSENT
