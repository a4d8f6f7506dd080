"""Fills the simulated AWS over its own wire with boto3, as a customer would have done."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config

from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws.keys import ACCESS_KEY_ID, SECRET_ACCESS_KEY, seeder_role
from app.sandbox.aws.model import Bucket, Json
from app.sandbox.story import AwsAccount

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sts.type_defs import CredentialsTypeDef

_THREADS = 6


@dataclass(frozen=True, slots=True)
class Seeded:
    """What a seeding did: buckets made now, and those that were there already."""

    created: int
    kept: int


class Seeder:
    """Makes every scripted bucket that is missing; a second run changes nothing."""

    def __init__(self, endpoint: str, estate: AwsEstate) -> None:
        self._endpoint = endpoint
        self._estate = estate
        self._session = boto3.Session(ACCESS_KEY_ID, SECRET_ACCESS_KEY, region_name="us-east-1")
        self._clients: dict[tuple[str, str], S3Client] = {}
        self._lock = threading.Lock()
        self._credentials: dict[str, CredentialsTypeDef] = {}

    def run(self) -> Seeded:
        """Seeds all accounts in parallel; raises whatever boto3 raises."""
        accounts = {bucket.account for bucket in self._estate.scripted}
        self._credentials = {a.account_id: self._assume(a) for a in accounts}
        there = {name for account in accounts for name in self._listed(account)}
        missing = [bucket for bucket in self._estate.scripted if bucket.name not in there]
        with ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(self._make, missing))
        return Seeded(len(missing), len(self._estate.scripted) - len(missing))

    def _assume(self, account: AwsAccount) -> "CredentialsTypeDef":
        sts = self._session.client("sts", endpoint_url=self._endpoint)
        role = seeder_role(account)
        return sts.assume_role(RoleArn=role, RoleSessionName="seed")["Credentials"]

    def _listed(self, account: AwsAccount) -> list[str]:
        """The first page of names: scripted ones sort before all invented ones."""
        page = self._client(account, "us-east-1").list_buckets(MaxBuckets=1000)
        return [row["Name"] for row in page["Buckets"]]

    def _client(self, account: AwsAccount, region: str) -> "S3Client":
        """One client per account and region; making them is slow and not thread-safe."""
        with self._lock:
            key = (account.account_id, region)
            if key not in self._clients:
                credentials = self._credentials[account.account_id]
                self._clients[key] = self._session.client(
                    "s3",
                    region_name=region,
                    endpoint_url=self._endpoint,
                    aws_access_key_id=credentials["AccessKeyId"],
                    aws_secret_access_key=credentials["SecretAccessKey"],
                    aws_session_token=credentials["SessionToken"],
                    config=Config(
                        max_pool_connections=_THREADS,
                        retries={"total_max_attempts": 1},
                        s3={"addressing_style": "path"},
                    ),
                )
            return self._clients[key]

    def _make(self, bucket: Bucket) -> None:
        client: Any = self._client(bucket.account, bucket.region)  # requests are plain documents
        client.create_bucket(**_creation(bucket))
        for step in _steps(client, bucket):
            step()


def _creation(bucket: Bucket) -> Json:
    request: Json = {"Bucket": bucket.name}
    if bucket.location:
        request["CreateBucketConfiguration"] = {"LocationConstraint": bucket.location}
    if bucket.object_lock:
        request["ObjectLockEnabledForBucket"] = True
    return request


def _steps(client: Any, bucket: Bucket) -> list[Callable[[], object]]:  # noqa: ANN401 - boto3 builds its methods at run time
    """The calls that give a new bucket its settings, versioning before what needs it."""
    name = bucket.name
    settings: list[tuple[object, Callable[..., object], Json]] = [
        (
            bucket.versioning,
            client.put_bucket_versioning,
            {"VersioningConfiguration": {"Status": bucket.versioning}},
        ),
        (bucket.tags, client.put_bucket_tagging, {"Tagging": {"TagSet": bucket.tag_set}}),
        (bucket.rules, client.put_bucket_lifecycle_configuration, _lifecycle(bucket)),
        (
            bucket.replication,
            client.put_bucket_replication,
            {"ReplicationConfiguration": bucket.replication},
        ),
        (bucket.policy, client.put_bucket_policy, {"Policy": json.dumps(bucket.policy)}),
        (
            bucket.object_lock,
            client.put_object_lock_configuration,
            {"ObjectLockConfiguration": bucket.object_lock},
        ),
    ]
    steps = [partial(call, Bucket=name, **more) for wanted, call, more in settings if wanted]
    return [
        *steps,
        *_encryption(client, bucket),
        *_exposure(client, bucket),
        *_reports(client, bucket),
    ]


def _lifecycle(bucket: Bucket) -> Json:
    size = bucket.minimum_size
    return {
        "LifecycleConfiguration": {"Rules": list(bucket.rules or ())},
        **({"TransitionDefaultMinimumObjectSize": size} if size else {}),
    }


def _encryption(client: Any, bucket: Bucket) -> list[Callable[[], object]]:  # noqa: ANN401 - see _steps
    if bucket.encryption == "removed":
        return [partial(client.delete_bucket_encryption, Bucket=bucket.name)]
    if bucket.encryption is None:
        return []
    settings = {"ServerSideEncryptionConfiguration": bucket.encryption}
    return [partial(client.put_bucket_encryption, Bucket=bucket.name, **settings)]


def _exposure(client: Any, bucket: Bucket) -> list[Callable[[], object]]:  # noqa: ANN401 - see _steps
    if bucket.public_block == "removed":
        return [partial(client.delete_public_access_block, Bucket=bucket.name)]
    if bucket.public_block is None:
        return []
    settings = {"PublicAccessBlockConfiguration": bucket.public_block}
    return [partial(client.put_public_access_block, Bucket=bucket.name, **settings)]


def _reports(client: Any, bucket: Bucket) -> list[Callable[[], object]]:  # noqa: ANN401 - see _steps
    return [
        partial(
            client.put_bucket_inventory_configuration,
            Bucket=bucket.name,
            Id=report["Id"],
            InventoryConfiguration=report,
        )
        for report in bucket.inventory
    ]
