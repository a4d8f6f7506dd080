"""The collector against the sandbox's doors, directory buckets and lenses."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.domain.collecting import Cell, Connection
from app.domain.facts import ABSENT, Present
from app.domain.storage_exposure import BLOCK_SWITCHES
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import (
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    EXTERNAL_ID,
    FRA,
    PDX,
    ROLE_NAME,
    AwsAccount,
)
from tests.collectors.aws_s3_access.conftest import Sweep
from tests.support.aws_fixtures import aws_connection

KINDS = {"s3_access_point", "s3_directory_bucket", "s3_storage_lens_configuration"}
SCRATCH = "cierzo-scratch--usw2-az1--x-s3"


@pytest.fixture
def server() -> Iterator[AwsServer]:
    found = AwsServer(AwsEstate(scripted=()))
    found.start()
    yield found
    found.stop()


def cell(server: AwsServer, account: AwsAccount, region: str) -> Connection:
    key = {
        "mode": "access_key",
        "access_key_id": server.access_key_id,
        "secret_access_key": "env:AWS_SECRET",
    }
    made = aws_connection(
        server.endpoint,
        credentials=key,
        organization={"role_name": ROLE_NAME, "external_id": EXTERNAL_ID},
        cell=Cell("" if account == AWS_PLATFORM else account.account_id, region),
    )
    return replace(made, secret=lambda _: server.secret_access_key)


def test_access_points_have_their_network_and_their_switches(
    server: AwsServer, sweep: Sweep
) -> None:
    swept = sweep(cell(server, AWS_RESEARCH, FRA))
    bound, open_one = swept.point("ct-thorax-train"), swept.point("webtext-share")
    assert bound.network_origin == Present("VPC")
    assert bound.vpc_id == Present("vpc-0cd16000000000001")
    assert bound.public_access_block == Present(BLOCK_SWITCHES)
    assert bound.policy_is_public == ABSENT
    assert open_one.network_origin == Present("Internet")
    assert open_one.vpc_id == ABSENT
    assert open_one.public_access_block == Present(())
    assert open_one.policy_is_public == Present(value=True)
    assert open_one.account_public_access_block == ABSENT
    assert open_one.bucket_name == Present("cierzo-webtext-es-ca-gl-fra")
    assert swept.listings == dict.fromkeys(KINDS, "")
    seen = swept.seen["webtext-share"]
    account = AWS_RESEARCH.account_id
    assert seen.native_id == f"arn:aws:s3:{FRA}:{account}:accesspoint/webtext-share"
    assert (seen.sub_account_id, seen.region_id) == (account, FRA)
    assert seen.parent_native_id == "arn:aws:s3:::cierzo-webtext-es-ca-gl-fra"
    assert seen.created_at is not None


def test_a_directory_bucket_lies_in_the_zone_of_its_name(server: AwsServer, sweep: Sweep) -> None:
    swept = sweep(cell(server, AWS_TRAINING, PDX))
    facts = swept.directory(SCRATCH)
    assert facts.zone_id == Present("usw2-az1")
    assert facts.bucket_region == Present(PDX)
    assert facts.encryption_algorithm == Present("AES256")
    assert isinstance(facts.lifecycle_rules, Present)
    assert [rule.name for rule in facts.lifecycle_rules.value] == ["scratch"]
    seen = swept.seen[SCRATCH]
    assert seen.native_id == f"arn:aws:s3express:{PDX}:{AWS_TRAINING.account_id}:bucket/{SCRATCH}"
    assert seen.created_at is not None
    assert seen.immutable_id == f"{seen.native_id}@{seen.created_at.isoformat()}"


def test_a_lens_is_read_in_its_home_region_alone(server: AwsServer, sweep: Sweep) -> None:
    at_home = sweep(cell(server, AWS_PLATFORM, "us-east-1"))
    facts = at_home.lens("cierzo-organization")
    assert facts.lens_enabled == Present(value=True)
    assert facts.advanced_metrics == Present(("ActivityMetrics", "AdvancedCostOptimizationMetrics"))
    assert facts.export_bucket == Present("cierzo-billing-exports")
    assert facts.included_regions == ABSENT
    elsewhere = sweep(cell(server, AWS_PLATFORM, PDX))
    assert elsewhere.seen == {}
    assert elsewhere.listings == dict.fromkeys(KINDS, "")
    trial = sweep(cell(server, AWS_TRAINING, PDX)).lens("cierzo-training-trial")
    assert trial.lens_enabled == Present(value=False)
    assert trial.included_regions == Present((PDX,))


@pytest.mark.parametrize(
    ("operation", "kind"),
    [
        ("s3control.ListAccessPoints", "s3_access_point"),
        ("s3.ListDirectoryBuckets", "s3_directory_bucket"),
        ("s3control.ListStorageLensConfigurations", "s3_storage_lens_configuration"),
    ],
)
@pytest.mark.parametrize("denied", [True, False])
def test_a_list_that_is_refused_or_goes_in_circles_is_not_whole(
    operation: str, kind: str, denied: bool, server: AwsServer, sweep: Sweep
) -> None:
    server.faults.add(
        Fault(operation=operation, status=403, code="AccessDenied")
        if denied
        else Fault(operation=operation, effect=Effect.REPEATED_NEXT)
    )
    swept = sweep(cell(server, AWS_TRAINING, PDX))
    code = "AccessDenied" if denied else "RepeatedToken"
    assert swept.listings == dict.fromkeys(KINDS, "") | {kind: code}
