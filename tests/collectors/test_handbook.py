"""The worked example of docs/collectors.md is a collector that works."""

import sys
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import boto3
import pytest

from app.domain.collecting import Collector, ListingDone, ResourceSeen, ScopeReport
from app.domain.facts import ABSENT, Present, fact_names
from tests.support.aws_fixtures import MakeConnection, aws, aws_server, connection
from tests.support.aws_wire import ACCESS_KEY_ID, ACCOUNT, AwsWire
from tests.support.handbook_text import ROOT, blocks

__all__ = ["aws", "aws_server", "connection"]
REGION = "eu-west-1"
SCOPE = f"{ACCOUNT}/{REGION}"
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The block of the page as a module."""
    (block,) = [block for block in blocks(ROOT / "docs/collectors.md") if block.runs]
    module = ModuleType("worked_example")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(block.text, block.page, "exec"), module.__dict__)  # noqa: S102 - our own page
    return module


@pytest.fixture
def client(aws: AwsWire) -> Any:
    """Somebody who makes file systems."""
    return boto3.client(
        "efs",
        region_name=REGION,
        endpoint_url=aws.url,
        aws_access_key_id=ACCESS_KEY_ID,
        aws_secret_access_key="x",
    )


def test_it_reads_file_systems_to_the_end_of_the_list(
    example: Any, client: Any, connection: MakeConnection
) -> None:
    client.create_file_system(CreationToken="a", Encrypted=True, KmsKeyId="key")
    client.create_file_system(CreationToken="b", Tags=[{"Key": "Name", "Value": "scratch"}])
    found = list(example.COLLECTOR.collect(connection(regions=[REGION]), NOW))
    seen = [one for one in found if isinstance(one, ResourceSeen)]
    facts = [(one.facts.encrypted, one.facts.key_id) for one in seen]  # type: ignore[attr-defined]
    assert sorted(facts, key=str) == [(Present(False), ABSENT), (Present(True), Present("key"))]
    assert "scratch" in {one.name for one in seen}
    assert ListingDone("efs_file_system", SCOPE, complete=True) in found
    assert ScopeReport(SCOPE, example.LIST, asked=1, answered=1) in found


def test_it_is_declared_as_any_other(example: Any, connection: MakeConnection) -> None:
    assert isinstance(example.COLLECTOR, Collector)
    fed = {name for operation in example.COLLECTOR.operations for name in operation.feeds}
    assert fed == set(fact_names(example.FileSystemFacts))
    assert example.identity(connection()).scopes == (ACCOUNT,)


def test_without_the_right_the_list_is_not_whole(
    example: Any, connection: MakeConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = example.AwsClients.call

    def denied(clients: Any, service: str, operation: str, region: str, **params: object) -> Any:
        if service == "efs":
            raise example.CallFailedError("no", code="AccessDenied", denied=True)
        return call(clients, service, operation, region, **params)

    monkeypatch.setattr(example.AwsClients, "call", denied)
    found = list(example.COLLECTOR.collect(connection(regions=[REGION]), NOW))
    assert found[0] == ListingDone("efs_file_system", SCOPE, complete=False, code="AccessDenied")
    assert [one.denied for one in found if isinstance(one, ScopeReport)] == [1]
