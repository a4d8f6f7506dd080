"""The simulated EC2 in botocore's words: each account and region has its own, in pages."""

from typing import Any

import pytest
from botocore.exceptions import ClientError

from app.sandbox.aws import ec2, story_ebs, story_ec2
from app.sandbox.aws.answers import Question
from app.sandbox.story import AWS_PLATFORM, AWS_RESEARCH, AWS_TRAINING, FRA, PDX
from tests.sandbox.conftest import AwsWire
from tests.support.aws_shapes import check_shape

PLACES = ((AWS_RESEARCH, FRA), (AWS_TRAINING, PDX))


@pytest.mark.parametrize("operation", sorted(ec2.ANSWERS))
def test_every_answer_is_one_that_botocore_describes(operation: str) -> None:
    answer = ec2.ANSWERS[operation]
    service, _, action = operation.partition(".")
    rows = 0
    for account, region in PLACES:
        found = answer(Question(account.account_id, region, {}))
        check_shape(service, action, found)
        rows += len(next(iter(found.values()))) if action.startswith("Describe") else 1
    assert rows


def test_other_accounts_and_regions_hold_nothing(aws: AwsWire) -> None:
    for account, region in ((AWS_PLATFORM, FRA), (AWS_RESEARCH, PDX), (AWS_TRAINING, FRA)):
        client = aws.client("ec2", account, region_name=region)
        assert client.describe_instances()["Reservations"] == []
        assert client.describe_volumes()["Volumes"] == []
        assert client.get_ebs_encryption_by_default()["EbsEncryptionByDefault"] is False


def test_lists_come_in_pages_over_the_wire(aws: AwsWire) -> None:
    client = aws.client("ec2", AWS_TRAINING, region_name=PDX)
    pages = client.get_paginator("describe_instances").paginate(PaginationConfig={"PageSize": 3})
    ids = [
        machine["InstanceId"]
        for page in pages
        for launch in page["Reservations"]
        for machine in launch["Instances"]
    ]
    mine = [one for one in story_ec2.INSTANCES if one.account == AWS_TRAINING]
    assert ids == [one.document["InstanceId"] for one in mine]
    with pytest.raises(ClientError, match="ValidationException"):
        client.describe_instances(MaxResults=1001)


def test_what_belongs_together_has_the_same_ids() -> None:
    machines = {one.document["InstanceId"] for one in story_ec2.INSTANCES}
    reserved = {one.document["CapacityReservationId"] for one in story_ec2.RESERVATIONS}
    volumes = {one.document["VolumeId"] for one in story_ebs.VOLUMES}
    snapshots = {one.document["SnapshotId"] for one in story_ebs.SNAPSHOTS}
    for one in story_ec2.INSTANCES:
        assert one.document.get("CapacityReservationId") in reserved | {None}
    for one in story_ebs.VOLUMES:
        attached = {each["InstanceId"] for each in one.document["Attachments"]}
        assert attached <= machines
        assert one.document["SnapshotId"] in snapshots | {""}
    for one in story_ebs.IMAGES:
        disk: Any = one.document["BlockDeviceMappings"][0]["Ebs"]
        assert disk["SnapshotId"] in snapshots
    everything = (*story_ec2.HELD, *story_ebs.HELD)
    assert len({one.name for one in everything}) == len(everything)
    assert volumes
