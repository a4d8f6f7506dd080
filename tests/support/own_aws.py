"""An AWS account of a test's own: the sandbox's server without its story, and a way to fill it."""

from collections.abc import Callable
from typing import Any

import boto3
from botocore.config import Config

from app.sandbox.aws_server import AwsServer

Json = dict[str, Any]
REGION = "eu-central-1"


def client(server: AwsServer, region: str = REGION) -> Any:
    """A boto3 client of S3 for the owner of the account."""
    make: Callable[..., Any] = boto3.client
    return make(
        "s3",
        endpoint_url=server.endpoint,
        region_name=region,
        aws_access_key_id=server.access_key_id,
        aws_secret_access_key=server.secret_access_key,
        config=Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}),
    )


def make_bucket(server: AwsServer, name: str, region: str = REGION) -> Any:
    """A new bucket; a client of its region."""
    s3 = client(server, region)
    where = {"CreateBucketConfiguration": {"LocationConstraint": region}}
    s3.create_bucket(Bucket=name, **({} if region == "us-east-1" else where))
    return s3


def settings(server: AwsServer, **more: Any) -> Json:
    """The settings of a connection to one region, or those of `regions`; none are all.

    The variable OWN_AWS_SECRET has to hold the secret.
    """
    credentials = {
        "mode": "access_key",
        "access_key_id": server.access_key_id,
        "secret_access_key": "env:OWN_AWS_SECRET",
    }
    settings = {"endpoint_url": server.endpoint, "regions": [REGION], "credentials": credentials}
    return settings | more
