"""Whatever stands in an answer about access points: facts of their own types come out, or none."""

import json
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.aws_s3_access import mapping as regional
from app.collectors.aws_s3_multi_region import mapping as multi
from app.collectors.aws_s3_words import account_public_access_block
from app.domain.access_points import S3AccessPointFacts, S3MultiRegionAccessPointFacts
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import ABSENT, FactDocument
from app.domain.replies import Parse, Reply, understood
from app.domain.storage_lens import S3StorageLensFacts
from tests.collectors.test_hostile_answers import spoiled

NOW = datetime(2026, 12, 1, tzinfo=UTC)
SWITCHES = {"BlockPublicAcls": True}
STATUS = {"IsPublic": True}
ON = {"IsEnabled": True}
LENS = {
    "IsEnabled": True,
    "AccountLevel": {"ActivityMetrics": ON, "BucketLevel": {"PrefixLevel": {"StorageMetrics": ON}}},
    "AwsOrg": {"Arn": "arn:o"},
    "Include": {"Regions": ["eu-west-1"], "Buckets": ["arn:aws:s3:::b"]},
    "DataExport": {
        "S3BucketDestination": {"Arn": "arn:aws:s3:::b", "AccountId": "1", "Format": "CSV"}
    },
}
POINT = {
    "NetworkOrigin": "VPC",
    "VpcConfiguration": {"VpcId": "vpc-1"},
    "Bucket": "b",
    "BucketAccountId": "1",
}
MULTI = {
    "Status": "READY",
    "Alias": "a.mrap",
    "Regions": [{"Bucket": "b", "Region": "eu-west-1", "BucketAccountId": "1"}],
    "PublicAccessBlock": SWITCHES,
}
BLOCK = {"PublicAccessBlockConfiguration": SWITCHES}
CASES: list[tuple[type[FactDocument], Parse, Any]] = [
    (S3AccessPointFacts, regional.listed_point, POINT),
    (S3AccessPointFacts, regional.point, BLOCK),
    (S3AccessPointFacts, regional.policy_status, {"PolicyStatus": STATUS}),
    (S3AccessPointFacts, account_public_access_block, BLOCK),
    (S3StorageLensFacts, regional.listed_lens, {"HomeRegion": "eu-west-1"}),
    (S3StorageLensFacts, regional.lens, {"StorageLensConfiguration": LENS}),
    (S3MultiRegionAccessPointFacts, multi.listed, MULTI),
    (S3MultiRegionAccessPointFacts, multi.policy_status, {"Established": STATUS}),
]


@pytest.mark.parametrize(("kind", "parse", "answer"), CASES, ids=map(str, range(8)))
def test_no_answer_breaks_what_follows(kind: Any, parse: Parse, answer: Any) -> None:
    feeds = tuple(parse(answer))
    empty = {one.name: ABSENT for one in fields(kind)}
    for document in spoiled(answer):
        _, found = understood(Reply(Outcome.ANSWERED, document), feeds, typed(kind, parse))
        facts = kind(**(empty | found))
        assert json.dumps(to_fact_set(facts, *derive(facts, NOW)).to_json(), allow_nan=False)
