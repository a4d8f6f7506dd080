"""Answers of the real Azure, replayed on loopback byte for byte where they were recorded."""

import json
import threading
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote, urlsplit

from typing_extensions import override

WIRE = Path(__file__).parents[1] / "collectors" / "azure_blob" / "wire"
GRAPH = "/providers/Microsoft.ResourceGraph/resources"
# What Resource Graph keeps of an account's document.
COLUMNS = ("id", "name", "type", "kind", "location", "tags", "sku", "properties")
Json = dict[str, Any]


def recorded(name: str) -> Any:
    """A file of answers, such as `recorded.storage.accounts.list`."""
    return json.loads((WIRE / f"{name}.json").read_text("utf-8"))


def graph_row(account: Json) -> Json:
    """The row that Resource Graph has of an account: its document, flatter and in lower case."""
    parts = account["id"].split("/")
    row = {column: account.get(column) for column in COLUMNS}
    return row | {
        "type": account["type"].lower(),
        "subscriptionId": parts[2],
        "resourceGroup": parts[4].lower(),
    }


class ReplayArm:
    """Resource Manager and Resource Graph of some accounts; a context manager.

    `answers` are (status, document) by path in lower case. What nobody recorded is an empty list
    where Azure lists, and 404 elsewhere.
    """

    def __init__(self, accounts: Iterable[Json]) -> None:
        self.accounts = list(accounts)
        self.answers: dict[str, tuple[int, Any]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever)
        self.endpoint = f"http://127.0.0.1:{self._server.server_port}"

    def set(self, account: Json, below: str, document: Any, status: int = 200) -> None:
        """Answers a path below an account."""
        self.answers[f"{account['id']}/{below}".lower()] = (status, document)

    def config(self) -> Json:
        """The settings of a connection that reads it."""
        credentials = {"mode": "static_token", "token": "env:REPLAY_TOKEN"}
        return {"endpoint_url": self.endpoint, "credentials": credentials}

    def answer(self, path: str, body: str = "") -> tuple[int, Any]:
        """Status and document of a path; `body` is what was sent with it."""
        found = self.answers.get(path.lower())
        if found is not None:
            return found
        if path == "/subscriptions":
            return 200, {"value": [_subscription(one) for one in self._subscriptions()]}
        if path == GRAPH:
            rows = [graph_row(one) for one in self.accounts if one["type"].lower() in body.lower()]
            return 200, {"totalRecords": len(rows), "count": len(rows), "data": rows}
        if path.endswith("/providers/Microsoft.Storage/storageAccounts"):
            subscription = path.split("/")[2]
            return 200, {"value": [a for a in self.accounts if subscription in a["id"]]}
        if path.endswith(("Policies", "/containers", "/encryptionScopes")):
            return 200, {"value": []}
        own = [_expanded(one) for one in self.accounts if one["id"].lower() == path.lower()]
        missing = {"error": {"code": "ResourceNotFound", "message": path}}
        return (200, own[0]) if own else (404, missing)

    def _subscriptions(self) -> list[str]:
        return sorted({account["id"].split("/")[2] for account in self.accounts})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        replay = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                status, document = replay.answer(unquote(urlsplit(self.path).path), sent)
                body = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET  # noqa: N815 - the same

            @override
            def log_message(self, *_: object) -> None:
                """Says nothing."""

        return Handler

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def _expanded(account: Json) -> Json:
    """An account with what the published answer says of its geo-redundant copy."""
    properties = recorded("storage.account.get")["properties"]
    stats = properties["geoReplicationStats"]
    return {**account, "properties": {**account["properties"], "geoReplicationStats": stats}}


def _subscription(subscription: str) -> Json:
    return {
        "id": f"/subscriptions/{subscription}",
        "subscriptionId": subscription,
        "displayName": "replayed",
        "state": "Enabled",
        "tenantId": "00000000-0000-0000-0000-000000000003",
    }
