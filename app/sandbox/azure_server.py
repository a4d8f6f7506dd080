"""The simulated Azure on a loopback port: start it, point a connection at it, stop it."""

from collections.abc import Sequence
from typing import Self

from app.sandbox.azure.chapters import CHAPTERS
from app.sandbox.azure.estate import AzureEstate
from app.sandbox.azure.held import Chapter
from app.sandbox.azure.service import AzureService
from app.sandbox.azure.tokens import STATIC_TOKEN
from app.sandbox.gate import Gate
from app.sandbox.wire import LoopbackServer


class AzureServer:
    """ARM, Resource Graph, Blob and sign-in of the estate; a context manager, or start and stop.

    `endpoint` serves all four; `token` is a bearer token that never expires.
    """

    def __init__(
        self,
        estate: AzureEstate | None = None,
        port: int = 0,
        chapters: Sequence[Chapter] = CHAPTERS,
    ) -> None:
        self.estate = estate or AzureEstate()
        service = AzureService(self.estate, chapters)
        self.held, self.gate = service.held, Gate(service)
        self.faults, self.calls = self.gate.faults, self.gate.calls
        self.token = STATIC_TOKEN
        self._server = LoopbackServer(self.gate, port)

    @property
    def endpoint(self) -> str:
        """The base address, without a trailing slash."""
        return self._server.endpoint

    def restore(self) -> None:
        """Undoes every change of the estate."""
        self.estate.restore()
        self.held.restore()

    def start(self) -> None:
        """Begins to answer."""
        self._server.start()

    def stop(self) -> None:
        """Ends the server and its connections."""
        self._server.stop()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
