"""Both simulated clouds on loopback, and clients that speak to them as the product would."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import boto3
import httpx2
import pytest
from botocore.config import Config

from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws_server import AwsServer
from app.sandbox.azure_server import AzureServer
from app.sandbox.story import EXTERNAL_ID, AwsAccount

WIRE = Path(__file__).parent / "wire"
INVENTED_TOO = 120


@pytest.fixture
def wire() -> Callable[[str], Any]:
    """Reads a recorded answer of the real Azure by its file name."""
    return lambda name: json.loads((WIRE / name).read_text(encoding="utf-8"))


@dataclass
class AzureWire:
    """The server and a client that carries its token."""

    server: AzureServer
    http: httpx2.Client

    def get(self, path: str, **parameters: str) -> httpx2.Response:
        """`GET` with the api-version that every ARM call carries."""
        return self.http.get(path, params={"api-version": "2023-05-01", **parameters})

    def account(self, name: str, below: str = "", **parameters: str) -> httpx2.Response:
        """`GET` of something below a storage account."""
        account = self.server.estate.named(name)
        assert account is not None
        return self.get(account.resource_id + below, **parameters)

    def graph(self, query: str, **options: Any) -> httpx2.Response:
        """One page of a Resource Graph query."""
        body = {"query": query, "options": {"resultFormat": "objectArray", **options}}
        path = "/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01"
        return self.http.post(path, json=body)


@pytest.fixture(scope="module")
def azure_server() -> Iterator[AzureServer]:
    with AzureServer() as server:
        yield server


@pytest.fixture
def azure(azure_server: AzureServer) -> Iterator[AzureWire]:
    """The story's Azure without faults and with an empty ledger."""
    azure_server.faults.clear()
    azure_server.calls.clear()
    headers = {"Authorization": f"Bearer {azure_server.token}"}
    with httpx2.Client(base_url=azure_server.endpoint, headers=headers) as http:
        yield AzureWire(azure_server, http)
    azure_server.estate.restore()


@dataclass
class AwsWire:
    """The server and what makes boto3 clients for it; roles are assumed once per account."""

    server: AwsServer
    issued: dict[str, dict[str, str]] = field(default_factory=dict)

    def client(self, service: str, account: AwsAccount | None = None, **more: Any) -> Any:
        """A client of the platform account, or of another after assuming its role."""
        once = Config(retries={"total_max_attempts": 1}, connect_timeout=5, read_timeout=5)
        keys = self._keys(account) if account else self._own_keys()
        settings = {"region_name": "eu-central-1", "config": once, **keys, **more}
        make: Callable[..., Any] = boto3.client
        return make(service, endpoint_url=self.server.endpoint, **settings)

    def _own_keys(self) -> dict[str, str]:
        return {
            "aws_access_key_id": self.server.access_key_id,
            "aws_secret_access_key": self.server.secret_access_key,
        }

    def _keys(self, account: AwsAccount) -> dict[str, str]:
        if account.account_id not in self.issued:
            credentials = self.client("sts").assume_role(
                RoleArn=account.role_arn, RoleSessionName="test", ExternalId=EXTERNAL_ID
            )["Credentials"]
            self.issued[account.account_id] = {
                "aws_access_key_id": credentials["AccessKeyId"],
                "aws_secret_access_key": credentials["SecretAccessKey"],
                "aws_session_token": credentials["SessionToken"],
            }
        return self.issued[account.account_id]


@pytest.fixture(scope="module")
def seeded_aws() -> Iterator[AwsWire]:
    with AwsServer(AwsEstate(buckets=INVENTED_TOO)) as server:
        yield AwsWire(server)


@pytest.fixture
def aws(seeded_aws: AwsWire) -> AwsWire:
    """The story's AWS without faults and with an empty ledger."""
    seeded_aws.server.faults.clear()
    seeded_aws.server.calls.clear()
    return seeded_aws
