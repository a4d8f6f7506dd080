"""F12, collector half: a copy in another account is a copy, wherever it lies, also if denied."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_s3 import COLLECTOR
from app.domain.collecting import ResourceSeen
from app.domain.facts import Present
from app.domain.storage import ReplicationRule, S3BucketFacts
from tests.support.aws_fixtures import MakeConnection, aws, aws_server, connection
from tests.support.aws_wire import AwsWire, Fault, refusal

__all__ = ["aws", "aws_server", "connection"]

INPUT = json.loads(
    (Path(__file__).parent / "inputs" / "f12_cross_account_replication.json").read_text("utf-8")
)
SOURCE, FOREIGN = INPUT["source"]["bucket"], "dr-copy-b"


def document(replication: dict[str, Any]) -> str:
    rules = "".join(
        f"<Rule><ID>{rule['ID']}</ID><Status>{rule['Status']}</Status>"
        f"<Priority>{rule['Priority']}</Priority>"
        f"<Filter><Prefix>{rule['Filter']['Prefix']}</Prefix></Filter><Destination>"
        + "".join(f"<{key}>{value}</{key}>" for key, value in rule["Destination"].items())
        + "</Destination></Rule>"
        for rule in replication["Rules"]
    )
    return (
        '<ReplicationConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
        f"<Role>{replication['Role']}</Role>{rules}</ReplicationConfiguration>"
    )


def foreign(variant: dict[str, Any]) -> list[Fault]:
    """What another account's bucket says of its place, to both ways of asking."""
    if "Error" in variant:
        return [refusal(variant["Error"]["Code"], 403, bucket=FOREIGN)]
    region = variant["LocationConstraint"] or "us-east-1"
    told = {"x-amz-bucket-region": region}
    return [refusal("AccessDenied", 403, bucket=FOREIGN, method="HEAD", headers=told)]


def rules_of(
    aws: AwsWire, connection: MakeConnection, now: datetime, faults: list[Fault]
) -> dict[str, ReplicationRule]:
    aws.bucket(SOURCE, INPUT["source"]["region"])
    for bucket, region in INPUT["known_locations"].items():
        aws.bucket(bucket, region)
    body = document(INPUT["replication"])
    aws.faults = [Fault(bucket=SOURCE, question="replication", status=200, body=body), *faults]
    seen = [one for one in COLLECTOR.collect(connection(), now) if isinstance(one, ResourceSeen)]
    facts = next(one.facts for one in seen if one.name == SOURCE)
    assert isinstance(facts, S3BucketFacts)
    assert isinstance(facts.replication_rules, Present)
    return {rule.name: rule for rule in facts.replication_rules.value}


@pytest.mark.parametrize(
    ("variant", "region", "code"),
    [
        ("denied", None, "AccessDenied"),
        ("virginia", "us-east-1", ""),
        ("frankfurt", "eu-central-1", ""),
    ],
)
def test_the_place_of_a_foreign_copy_is_known_or_openly_unknown(
    variant: str,
    region: str | None,
    code: str,
    aws: AwsWire,
    connection: MakeConnection,
    now: datetime,
) -> None:
    faults = foreign(INPUT["variants_for_dr_copy_b"][variant])
    rules = rules_of(aws, connection, now, faults)
    assert rules["dr"].destination == FOREIGN
    assert rules["dr"].destination_account_id == "222222222222"
    assert (rules["dr"].destination_region_id, rules["dr"].destination_code) == (region, code)


def test_a_denied_foreign_copy_costs_no_other_rule(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    rules = rules_of(aws, connection, now, foreign(INPUT["variants_for_dr_copy_b"]["denied"]))
    assert rules["mirror"].destination_region_id == "eu-central-1"
    assert rules["mirror"].destination_account_id is None
    assert (rules["logs"].prefix, rules["logs"].destination_region_id) == ("logs/", "us-east-1")


def test_a_foreign_bucket_that_is_gone_says_so(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    rules = rules_of(aws, connection, now, [refusal("NoSuchBucket", 404, bucket=FOREIGN)])
    assert (rules["dr"].destination_region_id, rules["dr"].destination_code) == (
        None,
        "NoSuchBucket",
    )


def test_a_place_that_only_the_location_tells_is_found_as_well(
    aws: AwsWire, connection: MakeConnection, now: datetime
) -> None:
    body = "<LocationConstraint>EU</LocationConstraint>"
    told = [
        refusal("AccessDenied", 403, bucket=FOREIGN, method="HEAD"),
        Fault(bucket=FOREIGN, question="location", status=200, body=body),
    ]
    assert rules_of(aws, connection, now, told)["dr"].destination_region_id == "eu-west-1"
