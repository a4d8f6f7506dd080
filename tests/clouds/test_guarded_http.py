import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest
from typing_extensions import override

from app.clouds.guarded_http import GuardedTransport


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = self.headers["Host"].encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @override
    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_connects_to_the_judged_address_under_the_original_name(port: int) -> None:
    transport = GuardedTransport(allow_private=True, resolve=lambda _h, _p: ("127.0.0.1",))
    with httpx2.Client(transport=transport) as client:
        assert client.get(f"http://store.example:{port}/").text == f"store.example:{port}"


def test_a_name_that_now_leads_inside_is_not_called(port: int) -> None:
    transport = GuardedTransport(allow_private=False, resolve=lambda _h, _p: ("127.0.0.1",))
    with httpx2.Client(transport=transport) as client, pytest.raises(httpx2.ConnectError) as raised:
        client.get(f"http://store.example:{port}/")
    assert "refused" in str(raised.value)


def test_a_rebinding_name_is_resolved_once_per_connection(port: int) -> None:
    answers = iter([("127.0.0.1",), ("169.254.169.254",)])
    transport = GuardedTransport(allow_private=True, resolve=lambda _h, _p: next(answers))
    with httpx2.Client(transport=transport) as client:
        assert client.get(f"http://store.example:{port}/").status_code == 200
    assert next(answers) == ("169.254.169.254",)


def test_the_next_address_is_tried_when_the_first_does_not_answer(port: int) -> None:
    transport = GuardedTransport(allow_private=True, resolve=lambda _h, _p: ("::1", "127.0.0.1"))
    with httpx2.Client(transport=transport) as client:
        assert client.get(f"http://store.example:{port}/").status_code == 200


def test_a_name_without_addresses_is_a_connection_error() -> None:
    transport = GuardedTransport(allow_private=False, resolve=lambda _h, _p: ())
    with httpx2.Client(transport=transport) as client, pytest.raises(httpx2.ConnectError):
        client.get("http://store.example/")
