"""The simulated AWS on a loopback port: start it, seed it, point a connection at it, stop it."""

from typing import Self

from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws.keys import ACCESS_KEY_ID, SECRET_ACCESS_KEY
from app.sandbox.aws.seed import Seeded, Seeder
from app.sandbox.aws.service import AwsService
from app.sandbox.gate import Gate
from app.sandbox.wire import LoopbackServer


class AwsServer:
    """S3, STS and Organizations of the estate; a context manager (seeded), or start, seed, stop.

    Moto keeps its buckets per process: one server at a time in one process.
    """

    access_key_id = ACCESS_KEY_ID
    secret_access_key = SECRET_ACCESS_KEY

    def __init__(self, estate: AwsEstate | None = None, port: int = 0) -> None:
        self.estate = estate or AwsEstate()
        self.service = AwsService(self.estate)
        self.gate = Gate(self.service)
        self.faults, self.calls = self.gate.faults, self.gate.calls
        self._server = LoopbackServer(self.gate, port)

    @property
    def endpoint(self) -> str:
        """The base address, without a trailing slash."""
        return self._server.endpoint

    def start(self) -> None:
        """Begins to answer, with empty accounts."""
        self.service.reset()
        self._server.start()

    def seed(self) -> Seeded:
        """Makes the scripted buckets that are missing, then forgets the calls that took."""
        seeded = Seeder(self.endpoint, self.estate).run()
        self.calls.clear()
        return seeded

    def stop(self) -> None:
        """Ends the server and its connections."""
        self._server.stop()

    def __enter__(self) -> Self:
        self.start()
        self.seed()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
