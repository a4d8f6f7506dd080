"""An HTTP transport that connects only to addresses the endpoint guard has just allowed."""

from collections.abc import Iterable

import httpcore2
import httpx2
from typing_extensions import override

from app.clouds.endpoints import EndpointRefusedError, Resolver, allowed_addresses, system_resolver


class _GuardedBackend(httpcore2.SyncBackend):
    """Resolves a host itself and connects to that very address, so no second answer counts.

    The TLS layer above still checks the certificate against the host's name.
    """

    def __init__(self, *, allow_private: bool, resolve: Resolver) -> None:
        self._allow_private, self._resolve = allow_private, resolve

    @override
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """A connection to the first address that answers; ConnectError when none may or does."""
        fault: Exception = httpcore2.ConnectError(f"{host} has no address")
        for address in self._addresses(host, port):
            try:
                return super().connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                fault = error
        raise fault

    def _addresses(self, host: str, port: int) -> tuple[str, ...]:
        try:
            return allowed_addresses(
                host, port, allow_private=self._allow_private, resolve=self._resolve
            )
        except (EndpointRefusedError, OSError) as error:
            raise httpcore2.ConnectError(str(error)) from error


class GuardedTransport(httpx2.HTTPTransport):
    """`httpx2.Client(transport=GuardedTransport(allow_private=False))`; no proxies, no retries."""

    def __init__(
        self,
        *,
        allow_private: bool,
        connections: int = 16,
        resolve: Resolver = system_resolver,
    ) -> None:
        super().__init__()
        self._pool.close()
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context(),
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=30,
            network_backend=_GuardedBackend(allow_private=allow_private, resolve=resolve),
        )
