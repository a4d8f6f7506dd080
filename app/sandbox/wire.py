"""A small HTTP/1.1 server on loopback: requests in, answers out, connections kept alive."""

import contextlib
import json
import socket
import socketserver
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote

from typing_extensions import override

LOOPBACK = "127.0.0.1"
JSON_TYPE = "application/json; charset=utf-8"
XML_TYPE = "application/xml"


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request; `target` is as sent in the request line, header names are lower-case."""

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def path(self) -> str:
        """The decoded path without the query."""
        return unquote(self.raw_path)

    @property
    def raw_path(self) -> str:
        """The path exactly as it was sent, which is what signatures are made over."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> list[tuple[str, str]]:
        """Decoded name and value pairs in the order sent; valueless names have an empty value."""
        return parse_qsl(self.target.partition("?")[2], keep_blank_values=True)

    @property
    def base(self) -> str:
        """This server's own address as the client wrote it, for links in answers."""
        return "http://" + self.headers.get("host", LOOPBACK)

    def parameter(self, name: str) -> str | None:
        """The first value of a query parameter; names compare without case, as ARM does."""
        wanted = name.lower()
        return next((value for key, value in self.query if key.lower() == wanted), None)

    def json(self) -> Any:  # noqa: ANN401 - JSON is whatever the caller sent
        """The body as JSON; ValueError when it is none."""
        return json.loads(self.body or b"null")


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP answer; `cut_bytes` leaves so many bytes unsent, `dropped` sends nothing at all."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut_bytes: int = 0
    dropped: bool = False

    def with_headers(self, headers: Mapping[str, str]) -> "Answer":
        """The same answer with more headers; later ones win."""
        return replace(self, headers={**self.headers, **headers})


def json_answer(
    document: object, status: int = 200, headers: Mapping[str, str] | None = None
) -> Answer:
    """An answer with a JSON body."""
    body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return Answer(status, body, {"Content-Type": JSON_TYPE, **(headers or {})})


def xml_answer(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """An answer with an XML body."""
    return Answer(status, text.encode(), {"Content-Type": XML_TYPE, **(headers or {})})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a small answer must not wait for the client's delayed ACK
    server: "LoopbackServer"

    def serve(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else b""
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(self.server.handle(Request(self.command, self.path, headers, body)))

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = serve  # noqa: N815 - http.server's names

    def _send(self, answer: Answer) -> None:
        if answer.dropped:
            self.close_connection = True
            return
        self.send_response_only(answer.status)
        for name, value in ({"Date": self.date_time_string()} | dict(answer.headers)).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        if answer.cut_bytes:
            self.send_header("Connection", "close")
        body = b"" if self.command == "HEAD" else answer.body[: len(answer.body) - answer.cut_bytes]
        head = b"".join(self._headers_buffer)  # sent with the body, in one packet
        self._headers_buffer: list[bytes] = []
        self.wfile.write(head + b"\r\n" + body)

    @override
    def log_message(self, format: str, *args: object) -> None:
        """Silent: the ledger of calls is the log of this server."""


class LoopbackServer(ThreadingHTTPServer):
    """Serves one handler function on 127.0.0.1 in threads of its own; port 0 takes a free one."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, handle: Callable[[Request], Answer], port: int = 0) -> None:
        self.handle = handle
        self._connections: set[socket.socket] = set()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        super().__init__((LOOPBACK, port), _Handler)

    @property
    def endpoint(self) -> str:
        """The base address without a trailing slash."""
        return f"http://{LOOPBACK}:{self.server_port}"

    @override
    def server_bind(self) -> None:
        """Binds without asking a resolver for this machine's name, which can take seconds."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, self.server_address[1]

    @override
    def process_request(self, request: Any, client_address: Any) -> None:
        """Remembers the connection, so that stopping ends it."""
        self._connections.add(request)
        super().process_request(request, client_address)

    @override
    def shutdown_request(self, request: Any) -> None:
        """Forgets a connection that has ended."""
        self._connections.discard(request)
        super().shutdown_request(request)

    @override
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no error of ours; anything else is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def start(self) -> None:
        """Begins to answer, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the server and every connection that is still open."""
        if self._thread.is_alive():  # shutdown() would wait for ever for a loop that never ran
            self.shutdown()
        self.server_close()
        for connection in tuple(self._connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
