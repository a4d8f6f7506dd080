"""A simulated Azure tenant on loopback, and connections to it as the product would have them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.domain.collecting import Connection, Provider
from app.sandbox.azure_server import AzureServer


@pytest.fixture(scope="session")
def tenant() -> Iterator[AzureServer]:
    """One server for all tests of a process; `azure` cleans it between tests."""
    with AzureServer() as server:
        yield server


@pytest.fixture
def azure(tenant: AzureServer) -> Iterator[AzureServer]:
    """The tenant without faults, changes or counted calls."""
    tenant.faults.clear()
    tenant.calls.clear()
    tenant.restore()
    yield tenant
    tenant.faults.clear()
    tenant.restore()


@pytest.fixture
def azure_connection(azure: AzureServer) -> Callable[..., Connection]:
    """Builds a connection to the tenant; keywords replace or add settings."""

    return lambda **settings: azure_source(azure, **settings)


def azure_source(server: AzureServer, **settings: Any) -> Connection:
    """A connection to a simulated tenant; keywords replace or add settings."""
    config = {
        "credentials": {"mode": "static_token", "token": "env:SANDBOX_TOKEN"},
        "endpoint_url": server.endpoint,
        **settings,
    }
    return Connection(
        id="0",
        name="Azure",
        provider=Provider.AZURE,
        config=config,
        secret=lambda _: server.token,
        allow_private_endpoints=True,
        threads=4,
    )
