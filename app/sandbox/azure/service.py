"""The simulated Azure as one service: who may ask, which handler answers, how errors read."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from xml.sax.saxutils import escape

from typing_extensions import override

from app.kit.errors import AtalayaError, InvalidInputError
from app.sandbox.azure import arm, blob, login, routes, tokens
from app.sandbox.azure.chapters import CHAPTERS
from app.sandbox.azure.estate import AzureEstate, Change
from app.sandbox.azure.graph import Graph
from app.sandbox.azure.held import Chapter, Held, operation_of
from app.sandbox.azure.monitor import Monitor
from app.sandbox.azure.refusal import Refusal
from app.sandbox.faults import Effect, Fault
from app.sandbox.gate import Service, problem
from app.sandbox.wire import Answer, Request, json_answer

# What a token must be for, by the family of an operation; the rest is Resource Manager's.
_AUDIENCES = {"blob": "storage", "monitor": "metrics"}
FOREIGN = "https://azure.example.invalid"


class AzureService(Service):
    """ARM, Resource Graph, Azure Monitor, Blob and sign-in on one port."""

    def __init__(self, estate: AzureEstate, chapters: Sequence[Chapter] = CHAPTERS) -> None:
        self.estate = estate
        self.held = Held(chapters)
        self._arm = arm.Arm(estate)
        self._graph = Graph(estate, self.held)
        self._monitor = Monitor(estate, self.held)

    @override
    def operation(self, request: Request) -> str:
        found = routes.find(request)[0]
        is_arm = found == "unknown" and request.path.lower().startswith("/subscriptions/")
        return operation_of(request) if is_arm else found

    @override
    def answer(self, request: Request) -> Answer:
        operation, names = routes.find(request)
        try:
            return self._answer(request, operation, names)
        except Refusal as refusal:
            return refusal.as_xml() if operation.startswith("blob.") else refusal.as_json()

    def _answer(self, request: Request, operation: str, names: dict[str, str]) -> Answer:
        family = operation.partition(".")[0]
        if family == "login":
            return _login(request, operation, names)
        audience = _AUDIENCES.get(family, "arm")
        tokens.check(request.headers.get("authorization"), audience)
        if family == "blob":
            return self._blob(request, names)
        if not request.parameter("api-version"):
            message = "The api-version query parameter (?api-version=) is required."
            raise Refusal(400, "MissingApiVersionParameter", message)
        if operation == "unknown":
            answer = self.held.answer(request)
            if answer is not None:
                return answer
            message = f"No handler for {request.method} {request.path}."
            raise Refusal(404, "InvalidResourceType", message)
        if operation == "monitor.metrics.batch":
            return self._monitor.batch(request, names["region"], names["subscription"])
        return self._of_subscription(request, operation, names)

    def _of_subscription(self, request: Request, operation: str, names: dict[str, str]) -> Answer:
        match operation:
            case "arm.subscriptions.list":
                return self._arm.subscriptions()
            case "arm.locations.list":
                return self._arm.locations(names["subscription"])
            case "arm.storageAccounts.list":
                return self._arm.accounts(request, names["subscription"])
            case "arm.graph.query":
                return self._query(request)
            case "arm.metricDefinitions.list":
                return self._monitor.definitions(request, names["resource"])
        return self._of_account(request, operation, names)

    def _query(self, request: Request) -> Answer:
        try:
            return self._graph.answer(request)
        except json.JSONDecodeError as error:
            raise Refusal(400, "BadRequest", "The request body is not JSON.") from error

    def _of_account(self, request: Request, operation: str, names: dict[str, str]) -> Answer:
        account = self._arm.find(operation, names)
        match operation:
            case "arm.storageAccounts.get":
                return self._arm.account(request, account)
            case "arm.containers.list":
                return arm.containers(request, account)
            case "arm.objectReplicationPolicies.get":
                return arm.object_replication(account, names["policy"])
            case "arm.immutabilityPolicies.get":
                return arm.immutability_policy(account, names["container"])
        return _SIMPLE[operation](account)

    def _blob(self, request: Request, names: dict[str, str]) -> Answer:
        account = self.estate.named(names["account"])
        if account is None or not account.has_blobs:
            raise Refusal(404, "ResourceNotFound", "The specified resource does not exist.")
        if "arm.blobServices.get" in account.denied:
            message = "This request is not authorized to perform this operation."
            raise Refusal(403, "AuthorizationPermissionMismatch", message)
        if "container" in names:
            return blob.list_blobs(request, account, names["container"])
        return blob.list_containers(request, account)

    @override
    def refusal(self, request: Request, fault: Fault) -> Answer:
        code = fault.code or str(fault.status)
        refusal = Refusal(fault.status, code, fault.message or "Injected by the sandbox.")
        is_blob = self.operation(request).startswith("blob.")
        return refusal.as_xml() if is_blob else refusal.as_json()

    @override
    def bend_next(self, request: Request, answer: Answer, effect: Effect) -> Answer:
        if not answer.body.startswith(b"{"):
            return replace(answer, body=_repeated_marker(request, answer.body))
        document = json.loads(answer.body)
        if "data" in document:
            asked = request.json().get("options", {}).get("$skipToken")
            document["$skipToken"] = asked or "eyJmcm9tIjogMH0="
        else:
            own = request.base + request.target
            foreign = FOREIGN + request.target
            document["nextLink"] = foreign if effect is Effect.FOREIGN_NEXT else own
        return replace(answer, body=json.dumps(document).encode())

    @override
    def admin(self, request: Request) -> Answer | None:
        """`/_sandbox/accounts`: POST deletes accounts or makes them again, DELETE undoes it."""
        if request.path != "/_sandbox/accounts":
            return None
        if request.method == "DELETE":
            self.estate.restore()
            self.held.restore()
        elif request.method == "POST":
            try:
                self.estate.change(*_changes(request))
            except AtalayaError as error:
                return problem(error)
        else:
            return None
        self._graph.forget()
        return json_answer({"living": sum(1 for _ in self.estate.places())})


_SIMPLE = {
    "arm.blobServices.get": arm.blob_service,
    "arm.managementPolicies.get": arm.management_policy,
    "arm.inventoryPolicies.get": arm.inventory_policy,
    "arm.inventoryPolicies.list": arm.inventory_policies,
    "arm.objectReplicationPolicies.list": arm.object_replications,
    "arm.encryptionScopes.list": arm.encryption_scopes,
}


def _repeated_marker(request: Request, body: bytes) -> bytes:
    """A blob list whose next page is this page; a first page with a real one leads there."""
    marker = request.parameter("marker")
    if not marker and b"<NextMarker />" not in body:
        return body
    again = f"<NextMarker>{escape(marker or blob.FROM_START)}</NextMarker>".encode()
    return re.sub(rb"<NextMarker ?/>|<NextMarker>.*</NextMarker>", lambda _: again, body)


def _login(request: Request, operation: str, names: dict[str, str]) -> Answer:
    match operation:
        case "login.token":
            return login.token(request, names["tenant"])
        case "login.openid":
            return login.openid(request, names["tenant"])
        case _:
            return login.discovery(request)


def _changes(request: Request) -> list[Change]:
    """Reads `[{"account", "made_again_at": null or an ISO instant}]`."""
    try:
        return [
            Change(
                str(entry["account"]),
                datetime.fromisoformat(entry["made_again_at"])
                if entry.get("made_again_at")
                else None,
            )
            for entry in request.json()
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"The changes were not understood: {error!r}"
        mend = 'Send [{"account": "name", "made_again_at": "2026-03-02T09:00:00Z"}].'
        raise InvalidInputError(what, mend=mend) from error
