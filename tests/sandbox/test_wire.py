"""The little HTTP server itself: connections, heads, ends."""

import http.client
import socket
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

import httpx2
import pytest

from app.sandbox.wire import LOOPBACK, Answer, LoopbackServer, Request, json_answer


def echo(request: Request) -> Answer:
    """Says what it understood."""
    return json_answer(
        {
            "method": request.method,
            "path": request.path,
            "query": request.query,
            "body": request.body.decode(),
            "base": request.base,
        }
    )


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    server = LoopbackServer(echo)
    server.start()
    yield server
    server.stop()


def test_a_request_arrives_whole(server: LoopbackServer) -> None:
    answer = httpx2.post(f"{server.endpoint}/a%20b/c?x=1&y&x=%C3%B1", content="ñandú")
    assert answer.json() == {
        "method": "POST",
        "path": "/a b/c",
        "query": [["x", "1"], ["y", ""], ["x", "ñ"]],
        "body": "ñandú",
        "base": server.endpoint,
    }


def test_a_connection_serves_many_requests(server: LoopbackServer) -> None:
    connection = http.client.HTTPConnection(LOOPBACK, server.server_port)
    ports = set()
    for _ in range(3):
        connection.request("GET", "/")
        connection.getresponse().read()
        ports.add(connection.sock.getsockname()[1])
    connection.close()
    assert len(ports) == 1


def test_head_has_the_length_and_no_body(server: LoopbackServer) -> None:
    answer = httpx2.head(f"{server.endpoint}/")
    assert int(answer.headers["content-length"]) > 0
    assert answer.content == b""


def test_the_servers_time_is_told_and_can_be_another() -> None:
    dates = iter([{}, {"Date": "Mon, 30 Nov 2026 00:00:00 GMT"}])
    server = LoopbackServer(lambda _: json_answer({}, headers=next(dates)))
    server.start()
    told = httpx2.get(server.endpoint).headers["date"]
    assert parsedate_to_datetime(told).tzinfo is not None
    assert httpx2.get(server.endpoint).headers["date"] == "Mon, 30 Nov 2026 00:00:00 GMT"
    server.stop()


def test_it_listens_on_loopback_only(server: LoopbackServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_taken_port_is_an_error(server: LoopbackServer) -> None:
    with pytest.raises(OSError, match="in use"):
        LoopbackServer(echo, server.server_port)


def test_stopping_ends_open_connections() -> None:
    server = LoopbackServer(echo)
    server.start()
    with socket.create_connection((LOOPBACK, server.server_port)) as idle:
        idle.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert idle.recv(65_536).startswith(b"HTTP/1.1 200")
        server.stop()
        assert idle.recv(1) == b""


def test_parameters_are_found_without_case() -> None:
    request = Request("GET", "/x?$skipToken=a%2Fb&Empty")
    assert request.parameter("$SKIPTOKEN") == "a/b"
    assert request.parameter("empty") == ""
    assert request.parameter("none") is None
