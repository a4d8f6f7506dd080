"""What FSx and EFS share: keys, networks and tags, and what KMS and EC2 say about them."""

from typing import Any

from app.sandbox.aws.answers import Answerer, Json, Question, one_of, page_of
from app.sandbox.aws.rules import kms
from app.sandbox.aws.story_efs import FILE_SYSTEMS as EFS
from app.sandbox.aws.story_fsx import FILE_SYSTEMS as FSX
from app.sandbox.story import AwsAccount, mixed

_MOST_SUBNETS = 1000


def subnets(question: Question) -> Json:
    """`ec2:DescribeSubnets` by the filter subnet-id."""
    filters = {one["Name"]: one["Values"] for one in question.params.get("Filters", ())}
    wanted = filters.get("subnet-id", [])
    rows = [
        {
            "SubnetId": subnet,
            "AvailabilityZone": question.region + subnet[-1],
            "VpcId": vpc(question.region),
            "OwnerId": question.account_id,
            "State": "available",
        }
        for subnet in wanted
        if subnet in _subnets_at(question)
    ]
    return page_of(question, "Subnets", rows, most=_MOST_SUBNETS)


def key(question: Question) -> Json:
    """`kms:DescribeKey`; AwsRefusal for keys that no file system of the region has."""
    rows = {
        arn: {
            "AWSAccountId": question.account_id,
            "KeyId": arn.rpartition("/")[2],
            "Arn": arn,
            "Enabled": True,
            "KeyState": "Enabled",
            "KeyUsage": "ENCRYPT_DECRYPT",
            "KeyManager": manager,
        }
        for arn, manager in _keys_at(question).items()
    }
    return {"KeyMetadata": one_of(rows, question.params["KeyId"], "NotFoundException")}


def _keys_at(question: Question) -> dict[str, str]:
    """Every account has a key of its own and one of AWS in the regions of its file systems."""
    here = [one.account for one in (*FSX, *EFS) if question.is_at(one.account, question.region)]
    return {
        key_arn(account, question.region, own): "CUSTOMER" if own else "AWS"
        for account in here
        for own in (True, False)
    }


def key_arn(account: AwsAccount, region: str, own: bool) -> str:  # noqa: FBT001 - whose key it is
    """The key of an account in a region: its own, or that of AWS."""
    if not own:
        key_id = f"{mixed(account.account_id + region):08x}-0000-4000-8000-00000000a775"
        return f"arn:aws:kms:{region}:{account.account_id}:key/{key_id}"
    rule: dict[str, Any] = kms(account, region)["Rules"][0]["ApplyServerSideEncryptionByDefault"]
    return str(rule["KMSMasterKeyID"])


def vpc(region: str) -> str:
    """The network of a region."""
    return f"vpc-0{mixed(region):08x}"


def subnet(region: str, zone: str) -> str:
    """The subnet of a zone, which its last letter names."""
    return f"subnet-0{mixed('files ' + region):08x}000000{zone}"


def tags(name: str, tags: dict[str, str] | None) -> list[dict[str, str]]:
    """Tags as AWS lists them, the name first."""
    named = {"Name": name, **(tags or {})}
    return [{"Key": key, "Value": value} for key, value in named.items()]


def _subnets_at(question: Question) -> set[str]:
    return {subnet(question.region, zone) for zone in "abc"}


ANSWERS: dict[str, Answerer] = {"ec2.DescribeSubnets": subnets, "kms.DescribeKey": key}
