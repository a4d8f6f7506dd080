"""The file that tells others how to reach the sandbox, written when all of it answers."""

import json
import os
from pathlib import Path
from typing import Any

from app.sandbox.aws_server import AwsServer
from app.sandbox.azure.tokens import CLIENT_ID, CLIENT_SECRET
from app.sandbox.azure_server import AzureServer
from app.sandbox.story import (
    AWS_ACCOUNTS,
    AWS_PLATFORM,
    AWS_REGIONS,
    COMPANY,
    EXTERNAL_ID,
    ROLE_NAME,
    SUBSCRIPTIONS,
    TENANT_ID,
    AwsAccount,
)
from app.sandbox.story_jobs import JOBS


def document(path: Path, aws: AwsServer, azure: AzureServer) -> dict[str, Any]:
    """What the ready file holds; the secrets also have files of their own beside it."""
    return {
        "company": COMPANY,
        "pid": os.getpid(),
        "aws_endpoint": aws.endpoint,
        "azure_endpoint": azure.endpoint,
        "azure_blob_endpoint": azure.endpoint,
        "tenant_id": TENANT_ID,
        "subscriptions": [
            {"subscription_id": each.subscription_id, "display_name": each.display_name}
            for each in SUBSCRIPTIONS
        ],
        "aws_accounts": [_account(account) for account in AWS_ACCOUNTS],
        "aws_role_name": ROLE_NAME,
        "aws_external_id": EXTERNAL_ID,
        "aws_regions": list(AWS_REGIONS),
        "credentials": _credentials(path, aws),
        "token": azure.token,
        "jobs": [job.document() for job in JOBS],
        "buckets": aws.estate.size,
        "storage_accounts": azure.estate.size,
    }


def _account(account: AwsAccount) -> dict[str, str]:
    return {
        "account_id": account.account_id,
        "name": account.name,
        "role_arn": account.role_arn,
        "external_id": EXTERNAL_ID,
    }


def _credentials(path: Path, aws: AwsServer) -> dict[str, Any]:
    return {
        "aws": {
            "account_id": AWS_PLATFORM.account_id,
            "access_key_id": aws.access_key_id,
            "secret_access_key": aws.secret_access_key,
            "secret_access_key_file": str(_beside(path, "aws-secret")),
        },
        "azure": {
            "mode": "static_token",
            "token_file": str(_beside(path, "azure-token")),
            "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET,
        },
    }


def write(path: Path, aws: AwsServer, azure: AzureServer) -> None:
    """Writes the secrets and then, in one step, the ready file; only the owner may read them."""
    content = document(path, aws, azure)
    _beside(path, "").parent.mkdir(mode=0o700, exist_ok=True)
    _write_private(_beside(path, "aws-secret"), aws.secret_access_key)
    _write_private(_beside(path, "azure-token"), azure.token)
    _write_private(path, json.dumps(content, indent=2) + "\n")


def _beside(path: Path, ending: str) -> Path:
    """Where the product's own home keeps secrets, when the ready file lies in that home."""
    return path.resolve().parent / "secrets" / f"{path.stem}.{ending}"


def _write_private(path: Path, text: str) -> None:
    """Writes a file that appears whole or not at all, mode 0600."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    half.unlink(missing_ok=True)
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    half.replace(path)
