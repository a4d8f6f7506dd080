"""Fixtures around AWS on loopback; a conftest imports those it needs."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.domain.collecting import WHOLE, Cell, Connection, Provider
from tests.support.aws_wire import ACCESS_KEY_ID, AwsWire

MakeConnection = Callable[..., Connection]


def aws_connection(url: str, *, cell: Cell = WHOLE, **settings: Any) -> Connection:
    """A connection to an endpoint; keywords set single settings, `credentials` among them."""
    config = {
        "endpoint_url": url,
        "credentials": {
            "mode": "access_key",
            "access_key_id": ACCESS_KEY_ID,
            "secret_access_key": "env:AWS_SECRET",
        },
        **settings,
    }
    return Connection(
        id="c-1",
        name="aws",
        provider=Provider.AWS,
        config=config,
        secret=lambda _reference: "x",
        allow_private_endpoints=True,
        threads=4,
        cell=cell,
    )


@pytest.fixture(scope="session")
def aws_server() -> Iterator[AwsWire]:
    """A moto server of this test process."""
    server = AwsWire()
    yield server
    server.stop()


@pytest.fixture
def aws(aws_server: AwsWire) -> AwsWire:
    """The server, emptied."""
    aws_server.reset()
    return aws_server


@pytest.fixture
def connection(aws: AwsWire) -> MakeConnection:
    """Makes connections to the server."""
    return lambda **settings: aws_connection(aws.url, **settings)
