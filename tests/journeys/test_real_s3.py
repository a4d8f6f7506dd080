"""What moto itself answers, unmended, and recorded answers of S3's shapes, on the whole way."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.aws_wire import ACCESS_KEY_ID, AwsWire, Fault
from tests.support.journeys import Installation, Journey, checks_on

RECORDED = Path(__file__).parents[1] / "collectors/aws_s3/payloads/moto_recorded_answers.json"
SIX = [
    "s3:GetBucketLocation",
    "s3:GetBucketVersioning",
    "s3:GetBucketLifecycleConfiguration",
    "s3:GetBucketReplication",
    "s3:GetBucketEncryption",
    "s3:GetBucketTagging",
]
PASS, FAIL, UNKNOWN = "compliant", "non_compliant", "unknown"


def config(url: str, **more: Any) -> dict[str, Any]:
    credentials = {
        "mode": "access_key",
        "access_key_id": ACCESS_KEY_ID,
        "secret_access_key": "env:MOTO_SECRET",
    }
    return {"endpoint_url": url, "credentials": credentials, **more}


@pytest.fixture(scope="module")
def moto() -> Iterator[AwsWire]:
    """A moto server without anything between."""
    server = AwsWire()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def filled(installation_of_module: Installation, moto: AwsWire) -> Installation:
    """Two connections: what was recorded, then what moto says of buckets made here."""
    answers = json.loads(RECORDED.read_text("utf-8"))
    recorded = [
        Fault(one["bucket"], one["question"], "GET", one["status"], one["body"]) for one in answers
    ]
    with installation_of_module.open() as journey, pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOTO_SECRET", "x")
        moto.reset()
        moto.faults = recorded
        sweep = journey.sweep(journey.connect("recorded", "aws", config(moto.url, operations=SIX)))
        assert (sweep["state"], sweep["code"]) == ("partial", "AccessDenied")
        moto.faults = []
        make_buckets(moto)
        sweep = journey.sweep(journey.connect("moto", "aws", config(moto.url)))
        # it answers two questions with a list of objects, which is no "none"
        assert (sweep["state"], sweep["code"]) == ("partial", "MalformedAnswer")
    return installation_of_module


def make_buckets(moto: AwsWire) -> None:
    moto.bucket("plain-use1", "us-east-1")
    kept = moto.bucket("kept-euw1", "eu-west-1")
    kept.put_bucket_versioning(Bucket="kept-euw1", VersioningConfiguration={"Status": "Enabled"})
    kept.put_bucket_lifecycle_configuration(
        Bucket="kept-euw1",
        LifecycleConfiguration={
            "Rules": [
                {
                    "ID": "cool",
                    "Status": "Enabled",
                    "Filter": {"Prefix": ""},
                    "Transitions": [{"Days": 21, "StorageClass": "STANDARD_IA"}],
                }
            ]
        },
    )
    switches = ("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets")
    kept.put_public_access_block(
        Bucket="kept-euw1", PublicAccessBlockConfiguration=dict.fromkeys(switches, True)
    )
    kept.put_bucket_encryption(
        Bucket="kept-euw1",
        ServerSideEncryptionConfiguration={
            "Rules": [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]
        },
    )
    copied = moto.bucket("copied-euw1", "eu-west-1")
    for name, client in (("copied-euw1", copied), ("plain-use1", moto.client("s3", "us-east-1"))):
        client.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    copied.put_bucket_replication(
        Bucket="copied-euw1",
        ReplicationConfiguration={
            "Role": "arn:aws:iam::123456789012:role/replication",
            "Rules": [
                {
                    "ID": "out",
                    "Status": "Enabled",
                    "Priority": 1,
                    "Filter": {"Prefix": ""},
                    "DeleteMarkerReplication": {"Status": "Disabled"},
                    "Destination": {"Bucket": "arn:aws:s3:::plain-use1"},
                }
            ],
        },
    )


@pytest.fixture
def read(filled: Installation) -> Iterator[Journey]:
    """The buckets, to be looked at."""
    with filled.open() as journey:
        yield journey


# By policy: cools, guard, encryption, replication, soft delete, versioning.
ORDER = (
    "data-cools-in-time",
    "destructive-rule-guard",
    "encryption-at-rest",
    "replication-region-allowed",
    "soft-delete-on",
    "versioning-on",
)
OF_RECORDED = {
    "acme-training-data-usw2": (PASS, PASS, PASS, UNKNOWN, PASS, PASS),  # copied to who knows where
    "acme-labels-noversion": (FAIL, PASS, FAIL, PASS, FAIL, FAIL),
    "acme-raw-disabled-rule": (FAIL, PASS, FAIL, PASS, PASS, PASS),
    "acme-raw-early": (PASS, PASS, FAIL, PASS, PASS, PASS),
    "acme-raw-partial": (FAIL, PASS, FAIL, PASS, PASS, PASS),
    "acme-versions-killed": (FAIL, PASS, FAIL, PASS, FAIL, PASS),
    "acme-suspended": (PASS, PASS, FAIL, PASS, FAIL, FAIL),
    "acme-checkpoints": (FAIL, PASS, FAIL, PASS, PASS, PASS),
    "acme-worm-evidence": (FAIL, PASS, FAIL, PASS, PASS, PASS),
    "acme-legacy-us-east-1": (FAIL, PASS, FAIL, PASS, FAIL, FAIL),
    "cnq-hub-9f3a2c-qps-0": (FAIL, PASS, FAIL, PASS, FAIL, FAIL),
    "acme-fill-0000": (FAIL, PASS, PASS, PASS, FAIL, FAIL),
    # Its rules are denied; that its versions are suspended decides the last two all the same.
    "acme-fill-0003": (UNKNOWN, UNKNOWN, FAIL, PASS, FAIL, FAIL),
}
OF_MOTO = {
    "plain-use1": (FAIL, PASS, FAIL, PASS, PASS, PASS),  # moto encrypts nothing by itself
    "kept-euw1": (PASS, PASS, PASS, PASS, PASS, PASS),
    "copied-euw1": (FAIL, PASS, FAIL, FAIL, PASS, PASS),
}


def test_every_bucket_has_the_right_verdicts_in_api_and_page(read: Journey) -> None:
    expected = {**OF_RECORDED, **OF_MOTO}
    ids = {name: row["id"] for name, row in read.resources().items() if name in expected}
    told = {name: read.verdicts(each) for name, each in ids.items()}
    drawn = {name: checks_on(read.page(f"/storage/{each}")) for name, each in ids.items()}
    assert {name: tuple(row[one] for one in ORDER) for name, row in told.items()} == expected
    assert drawn == told


def test_what_the_connection_leaves_out_is_unknown_and_no_breach(read: Journey) -> None:
    left_out = {"public-access-blocked", "inventory-configured"}
    verdicts = read.verdicts(read.resource("acme-raw-early")["id"])
    assert {verdicts[policy] for policy in left_out} == {UNKNOWN}
    findings = [one for one in read.findings() if one["policy_id"] in left_out]
    assert {one["resource_name"] for one in findings} == set(OF_MOTO)


def test_locations_are_read_in_all_their_spellings(read: Journey) -> None:
    listed = read.resources()
    assert listed["acme-legacy-us-east-1"]["region_id"] == "us-east-1"
    assert listed["acme-training-data-usw2"]["region_id"] == "us-west-2"
    assert listed["plain-use1"]["region_id"] == "us-east-1"


def test_the_denied_cell_is_told_where_rights_are_missing(read: Journey) -> None:
    connection = next(one for one in read.every("/connections") if one["name"] == "recorded")
    rows = read.every(f"/connections/{connection['id']}/permissions")
    (denied,) = [row for row in rows if row["result"] == "denied"]
    assert denied["permission"] == "s3:GetLifecycleConfiguration"
    assert denied["affected"] == 1
    assert "s3:GetLifecycleConfiguration" in read.words(f"/connections/{connection['id']}")
