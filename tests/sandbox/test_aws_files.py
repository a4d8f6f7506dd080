"""File systems of the story: answers in botocore's shapes, for the account and region asked."""

from typing import Any

import pytest

from app.sandbox.aws import datasync, efs, file_parts, fsx
from app.sandbox.aws.answers import Question
from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.story_datasync import TASKS
from app.sandbox.aws.story_efs import FILE_SYSTEMS as EFS
from app.sandbox.aws.story_fsx import FILE_SYSTEMS as FSX
from app.sandbox.story import AWS_RESEARCH, AWS_TRAINING, FRA, PDX
from tests.support.aws_shapes import check_shape

ANSWERS = {**fsx.ANSWERS, **efs.ANSWERS, **datasync.ANSWERS, **file_parts.ANSWERS}
HERE = {(one.account.account_id, one.region) for one in (*FSX, *EFS)}
ONE = EFS[0]
TASK = TASKS[0]
ABOUT_ONE = {
    "efs.DescribeLifecycleConfiguration",
    "efs.DescribeBackupPolicy",
    "kms.DescribeKey",
    "datasync.DescribeTask",
    "datasync.DescribeTaskExecution",
    "datasync.ListTagsForResource",
}


def question(operation: str, account_id: str, region: str) -> Question:
    """A call that has an answer, with what it must be asked with."""
    key = file_parts.key_arn(AWS_RESEARCH, FRA, own=True)
    subnet = file_parts.subnet(region, "a")
    params: dict[str, dict[str, Any]] = {
        "efs.DescribeLifecycleConfiguration": {"FileSystemId": ONE.file_system_id},
        "efs.DescribeBackupPolicy": {"FileSystemId": ONE.file_system_id},
        "kms.DescribeKey": {"KeyId": key},
        "datasync.DescribeTask": {"TaskArn": TASK.arn},
        "datasync.DescribeTaskExecution": {"TaskExecutionArn": TASK.run_arn},
        "datasync.ListTagsForResource": {"ResourceArn": TASK.arn},
        "ec2.DescribeSubnets": {"Filters": [{"Name": "subnet-id", "Values": [subnet]}]},
    }
    return Question(account_id, region, params.get(operation, {}))


@pytest.mark.parametrize("operation", sorted(ANSWERS))
def test_every_answer_is_one_that_botocore_describes(operation: str) -> None:
    service, _, action = operation.partition(".")
    about_one = operation in ABOUT_ONE
    for account_id, region in [(AWS_RESEARCH.account_id, FRA)] if about_one else sorted(HERE):
        check_shape(service, action, ANSWERS[operation](question(operation, account_id, region)))


@pytest.mark.parametrize("operation", sorted(ABOUT_ONE))
def test_what_is_not_here_is_refused(operation: str) -> None:
    with pytest.raises(AwsRefusal):
        ANSWERS[operation](question(operation, AWS_TRAINING.account_id, PDX))


@pytest.mark.parametrize("operation", sorted(set(ANSWERS) - ABOUT_ONE - {"ec2.DescribeSubnets"}))
def test_every_list_has_rows_somewhere_and_none_elsewhere(operation: str) -> None:
    found = [ANSWERS[operation](question(operation, *place)) for place in HERE]
    assert any(rows for answer in found for rows in answer.values())
    elsewhere = ANSWERS[operation](question(operation, AWS_TRAINING.account_id, "sa-east-1"))
    assert not any(elsewhere.values())


def test_lists_come_in_pages() -> None:
    asked = Question(AWS_RESEARCH.account_id, FRA, {"MaxResults": 2})
    first = ANSWERS["fsx.DescribeFileSystems"](asked)
    asked = Question(AWS_RESEARCH.account_id, FRA, {"MaxResults": 2, "NextToken": "2"})
    second = ANSWERS["fsx.DescribeFileSystems"](asked)
    assert len(first["FileSystems"]) == 2
    assert first["NextToken"] == "2"
    assert second["FileSystems"][0] not in first["FileSystems"]


def test_the_linked_buckets_are_those_of_the_story() -> None:
    buckets = {
        link["DataRepositoryPath"].split("/")[2]
        for one in FSX
        if (one.account, one.region) == (AWS_TRAINING, PDX)
        for link in one.links
    }
    assert buckets == {"cierzo-ckpt-usw2", "cierzo-webtext-es-ca-gl-usw2"}
