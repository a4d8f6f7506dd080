"""A real Valkey for tests, started with the very command of the product."""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import redis

from app.kit.valkey import private_server
from tests.support.postgres import end_with_parent


class TestValkey:
    """One server for a test session; `url` is Celery's, `client` is redis-py's."""

    __test__ = False

    def __init__(self) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="atalaya-valkey-"))
        server = private_server(self._home)
        self.url = server.url
        self._process = subprocess.Popen(
            server.command,
            stdout=subprocess.DEVNULL,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - nothing runs threads at this point
        )
        self.client = redis.Redis(unix_socket_path=str(server.socket))
        self._wait()

    def _wait(self) -> None:
        while True:
            try:
                self.client.ping()
            except redis.RedisError:
                if self._process.poll() is not None:
                    raise RuntimeError("Valkey ended at once") from None
                time.sleep(0.02)
            else:
                return

    def flush(self) -> None:
        """Forgets everything, so that tests do not see each other's messages."""
        self.client.flushall()

    def stop(self) -> None:
        """Ends the server and removes its files."""
        self.client.close()
        self._process.terminate()
        self._process.wait()
        shutil.rmtree(self._home)
