"""The real moto behind the layer, called in this process through its WSGI door."""

import io
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.test import run_wsgi_app

from app.sandbox.wire import LOOPBACK, Answer, Request

_OWN_HEADERS = frozenset({"content-length", "connection", "server", "date"})


class Backend:
    """A moto server without a socket of its own; its state is the process's, as moto keeps it."""

    def __init__(self) -> None:
        self._app: Callable[..., Iterable[bytes]] = DomainDispatcherApplication(create_backend_app)
        self._writes = threading.Lock()

    def ask(self, request: Request) -> Answer:
        """Moto's answer; writes go one by one, for moto does not guard its own tables."""
        if request.method in ("GET", "HEAD"):
            return self._ask(request)
        with self._writes:
            return self._ask(request)

    def reset(self) -> None:
        """Forgets everything moto holds."""
        self.ask(Request("POST", "/moto-api/reset"))

    def _ask(self, request: Request) -> Answer:
        body, status, headers = run_wsgi_app(self._app, _environ(request), buffered=True)
        kept = {name: value for name, value in headers if name.lower() not in _OWN_HEADERS}
        return Answer(int(status.partition(" ")[0]), b"".join(body), kept)


def _environ(request: Request) -> dict[str, Any]:
    """The request in the form of PEP 3333."""
    host = request.headers.get("host", LOOPBACK)
    headers = {
        "HTTP_" + name.upper().replace("-", "_"): value for name, value in request.headers.items()
    }
    return {
        **headers,
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": request.path.encode().decode("latin-1"),
        "QUERY_STRING": request.target.partition("?")[2],
        "RAW_URI": request.target,
        "REQUEST_URI": request.target,
        "CONTENT_TYPE": request.headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(request.body)),
        "SERVER_NAME": host.partition(":")[0],
        "SERVER_PORT": host.partition(":")[2] or "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(request.body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
