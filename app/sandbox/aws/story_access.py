"""Doors and stores beside the buckets: access points, directory buckets, Storage Lens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.sandbox.aws.answers import Answerer, Json, Question, one_of, page_of
from app.sandbox.aws.errors import AwsRefusal, access_denied
from app.sandbox.aws.rules import EVERYTHING, NEW_BUCKET_ENCRYPTION, NEW_BUCKET_PUBLIC_BLOCK, rule
from app.sandbox.story import (
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    FRA,
    PDX,
    AwsAccount,
    created_at,
    mixed,
)

CONTROL_PLANE = PDX  # of multi-region access points, wherever the caller is at home
_OPEN_BLOCK = dict.fromkeys(NEW_BUCKET_PUBLIC_BLOCK, False)
SUFFIX = "--x-s3"  # of the name of every directory bucket
_VPC = "vpc-0cd16000000000001"


@dataclass(frozen=True, slots=True)
class Door:
    """An access point, a multi-region one, a directory bucket or a lens: what `case` says of it.

    `region` is where it is asked for; `answer` is its document in boto3's words.
    """

    name: str
    case: str
    account: AwsAccount
    region: str
    answer: Mapping[str, Any]

    @property
    def alias(self) -> str:
        """The name that S3 makes up for it."""
        return f"m{mixed(self.name):08x}.mrap"


POINTS = (
    Door(
        "ct-thorax-train",
        "access point of the thorax scans, bound to one network",
        AWS_RESEARCH,
        FRA,
        {
            "Bucket": "cierzo-ct-thorax-fra",
            "NetworkOrigin": "VPC",
            "VpcConfiguration": {"VpcId": _VPC},
            "PublicAccessBlockConfiguration": NEW_BUCKET_PUBLIC_BLOCK,
        },
    ),
    Door(
        "webtext-share",
        "access point on the internet with its public access block off",
        AWS_RESEARCH,
        FRA,
        {
            "Bucket": "cierzo-webtext-es-ca-gl-fra",
            "NetworkOrigin": "Internet",
            "PublicAccessBlockConfiguration": _OPEN_BLOCK,
        },
    ),
)
MULTI_REGION = (
    Door(
        "clinical-notes-anywhere",
        "multi-region access point over EU-only data in Frankfurt and a bucket in Oregon",
        AWS_RESEARCH,
        CONTROL_PLANE,
        {
            "Regions": [
                {"Bucket": "cierzo-clinical-notes-es-fra", "Region": FRA},
                {
                    "Bucket": "cierzo-multimodal-radiology-usw2",
                    "Region": PDX,
                    "BucketAccountId": AWS_TRAINING.account_id,
                },
            ],
        },
    ),
    Door(
        "clinical-notes-eu",
        "multi-region access point over Frankfurt and Ireland: it stays in the EU",
        AWS_RESEARCH,
        CONTROL_PLANE,
        {
            "Regions": [
                {"Bucket": "cierzo-clinical-notes-es-fra", "Region": FRA},
                {"Bucket": "cierzo-clinical-notes-es-dub", "Region": "eu-west-1"},
            ],
        },
    ),
)
DIRECTORY = (
    Door(
        "cierzo-scratch--usw2-az1--x-s3",
        "directory bucket: fast scratch in one zone of Oregon, emptied after 30 days",
        AWS_TRAINING,
        PDX,
        {"Rules": [rule("scratch", EVERYTHING, Expiration={"Days": 30})]},
    ),
)
LENSES = (
    Door(
        "cierzo-organization",
        "Storage Lens of the whole organization, exported daily",
        AWS_PLATFORM,
        "us-east-1",
        {
            "AccountLevel": {
                "ActivityMetrics": {"IsEnabled": True},
                "AdvancedCostOptimizationMetrics": {"IsEnabled": True},
                "BucketLevel": {},
            },
            "IsEnabled": True,
            "AwsOrg": {"Arn": "arn:aws:organizations::123456789012:organization/o-cierzo0000"},
            "DataExport": {
                "S3BucketDestination": {
                    "Format": "Parquet",
                    "OutputSchemaVersion": "V_1",
                    "AccountId": AWS_PLATFORM.account_id,
                    "Arn": "arn:aws:s3:::cierzo-billing-exports",
                    "Prefix": "lens",
                }
            },
        },
    ),
    Door(
        "cierzo-training-trial",
        "Storage Lens that was tried and switched off",
        AWS_TRAINING,
        PDX,
        {"AccountLevel": {"BucketLevel": {}}, "IsEnabled": False, "Include": {"Regions": [PDX]}},
    ),
)
CASES = (*POINTS, *MULTI_REGION, *DIRECTORY, *LENSES)


def _here(doors: tuple[Door, ...], question: Question) -> list[Door]:
    return [door for door in doors if question.is_at(door.account, door.region)]


def _named(doors: tuple[Door, ...], question: Question, name: object, code: str) -> Door:
    found = next((door for door in _here(doors, question) if door.name == name), None)
    if found is None:
        raise AwsRefusal(404, code, f"There is no {str(name)[:100]!r} here.")
    return found


def _own_account(question: Question) -> None:
    if question.params["AccountId"] != question.account_id:
        raise access_denied("S3 Control of another account")


def _list_points(question: Question) -> Json:
    _own_account(question)
    rows = [_point_row(door) for door in _here(POINTS, question)]
    return page_of(question, "AccessPointList", rows, most=1000)


def _point_row(door: Door) -> Json:
    shown = ("Bucket", "NetworkOrigin", "VpcConfiguration")
    return {
        "Name": door.name,
        "AccessPointArn": f"arn:aws:s3:{door.region}:{door.account.account_id}:accesspoint/"
        f"{door.name}",
        "BucketAccountId": door.account.account_id,
        **{member: door.answer[member] for member in shown if member in door.answer},
    }


def _get_point(question: Question) -> Json:
    door = _named(POINTS, question, question.params["Name"], "NoSuchAccessPoint")
    return {**_point_row(door), **door.answer, "CreationDate": created_at(door.name)}


def _point_policy(question: Question) -> Json:
    door = _named(POINTS, question, question.params["Name"], "NoSuchAccessPoint")
    if door.answer["NetworkOrigin"] == "VPC":
        raise AwsRefusal(404, "NoSuchAccessPointPolicy", "The access point has no policy.")
    return {"PolicyStatus": {"IsPublic": True}}


def _list_multi_region(question: Question) -> Json:
    _own_account(question)
    rows = [_multi_region_row(door) for door in _here(MULTI_REGION, question)]
    return page_of(question, "AccessPoints", rows)


def _multi_region_row(door: Door) -> Json:
    return {
        "Name": door.name,
        "Alias": door.alias,
        "CreatedAt": created_at(door.name),
        "PublicAccessBlock": NEW_BUCKET_PUBLIC_BLOCK,
        "Status": "READY",
        "Regions": [
            {"BucketAccountId": door.account.account_id, **row} for row in door.answer["Regions"]
        ],
    }


def _multi_region_policy(question: Question) -> Json:
    _named(MULTI_REGION, question, question.params["Name"], "NoSuchMultiRegionAccessPoint")
    return {"Established": {"IsPublic": False}}


def _list_lenses(question: Question) -> Json:
    _own_account(question)
    rows = [
        {
            "Id": door.name,
            "StorageLensArn": f"arn:aws:s3:{door.region}:{door.account.account_id}:storage-lens/"
            f"{door.name}",
            "HomeRegion": door.region,
            "IsEnabled": door.answer["IsEnabled"],
        }
        for door in LENSES
        if door.account.account_id == question.account_id
    ]
    return page_of(question, "StorageLensConfigurationList", rows)


def _get_lens(question: Question) -> Json:
    door = _named(LENSES, question, question.params["ConfigId"], "NoSuchConfiguration")
    return {"StorageLensConfiguration": {"Id": door.name, **door.answer}}


ANSWERS: dict[str, Answerer] = {
    "s3control.ListAccessPoints": _list_points,
    "s3control.GetAccessPoint": _get_point,
    "s3control.GetAccessPointPolicyStatus": _point_policy,
    "s3control.ListMultiRegionAccessPoints": _list_multi_region,
    "s3control.GetMultiRegionAccessPointPolicyStatus": _multi_region_policy,
    "s3control.ListStorageLensConfigurations": _list_lenses,
    "s3control.GetStorageLensConfiguration": _get_lens,
}


def list_directory_buckets(question: Question) -> Json:
    """`ListDirectoryBuckets` of a region."""
    rows = [
        {"Name": door.name, "CreationDate": created_at(door.name)}
        for door in _here(DIRECTORY, question)
    ]
    return page_of(
        question,
        "Buckets",
        rows,
        token="ContinuationToken",  # noqa: S106 - a parameter's name
        size="MaxDirectoryBuckets",
        most=1000,
    )


def directory_bucket(question: Question, bucket: str, action: str) -> Json:
    """A setting of a directory bucket; AwsRefusal for those of others and for other settings."""
    door = _named(DIRECTORY, question, bucket, "NoSuchBucket")
    results: dict[str, Json] = {
        "GetBucketEncryption": {"ServerSideEncryptionConfiguration": NEW_BUCKET_ENCRYPTION},
        "GetBucketLifecycleConfiguration": dict(door.answer),
    }
    return one_of(results, action, "NotImplemented", 501)
