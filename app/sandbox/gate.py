"""What stands before each simulated cloud: the call ledger, the faults and the admin paths."""

import threading
import time
from collections import Counter
from dataclasses import asdict, replace
from typing import Protocol

from app.kit.errors import AtalayaError, InvalidInputError
from app.sandbox.faults import Effect, Fault, Faults, parse
from app.sandbox.wire import Answer, Request, json_answer

ADMIN = "/_sandbox/"
BROKEN = b"<html><body>502 upstream went away"


class Service(Protocol):
    """One simulated cloud as the gate sees it."""

    def operation(self, request: Request) -> str:
        """The name of the call in the ledger, such as `arm.storageAccounts.get`."""

    def answer(self, request: Request) -> Answer:
        """The right answer."""

    def refusal(self, request: Request, fault: Fault) -> Answer:
        """An error answer in this cloud's own words for the fault's status, code and message."""

    def bend_next(self, request: Request, answer: Answer, effect: Effect) -> Answer:
        """The answer with a link or token of the next page that leads astray."""

    def admin(self, request: Request) -> Answer | None:
        """The answer to an admin path of this service alone; None when there is no such path."""


class Calls:
    """How often each operation was asked for since the last reset."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()

    def add(self, operation: str) -> None:
        """Counts one call."""
        with self._lock:
            self._counts[operation] += 1

    def clear(self) -> None:
        """Forgets all calls."""
        with self._lock:
            self._counts.clear()

    def counts(self) -> dict[str, int]:
        """`{operation: calls}` in name order."""
        with self._lock:
            return dict(sorted(self._counts.items()))


class Gate:
    """Counts each call, spoils it when a fault says so, and serves the admin paths."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.faults = Faults()
        self.calls = Calls()

    def __call__(self, request: Request) -> Answer:
        """The answer to one request."""
        if request.path.startswith(ADMIN):
            return self._admin(request)
        operation = self.service.operation(request)
        self.calls.add(operation)
        fault = self.faults.take(request, operation)
        return self._suffer(request, fault) if fault else self.service.answer(request)

    def _suffer(self, request: Request, fault: Fault) -> Answer:
        if fault.delay_ms:
            time.sleep(fault.delay_ms / 1000)
        if fault.effect is Effect.DISCONNECT:
            return Answer(0, dropped=True)
        respond = self.service.refusal(request, fault) if fault.status else None
        answer = (respond or self.service.answer(request)).with_headers(fault.headers)
        if fault.body is not None:
            answer = replace(answer, body=fault.body.encode())
        return self._bent(request, answer, fault.effect)

    def _bent(self, request: Request, answer: Answer, effect: Effect | None) -> Answer:
        match effect:
            case Effect.TRUNCATED:
                return replace(answer, cut_bytes=(len(answer.body) + 1) // 2)
            case Effect.MALFORMED:
                return replace(answer, body=BROKEN)
            case Effect.REPEATED_NEXT | Effect.FOREIGN_NEXT:
                return self.service.bend_next(request, answer, effect)
            case _:
                return answer

    def _admin(self, request: Request) -> Answer:
        """`/_sandbox/faults` and `/_sandbox/calls`, then whatever the service adds."""
        match request.path.removeprefix(ADMIN), request.method:
            case "calls", "GET":
                counts = self.calls.counts()
                return json_answer({"total": sum(counts.values()), "counts": counts})
            case "calls", "DELETE":
                self.calls.clear()
            case "faults", "GET":
                return json_answer([asdict(fault) for fault in self.faults.listed()])
            case "faults", "DELETE":
                self.faults.clear()
            case "faults", "POST":
                return self._added(request)
            case _:
                return self.service.admin(request) or unknown_admin(request)
        return Answer(204)

    def _added(self, request: Request) -> Answer:
        try:
            faults = parse(_json(request))
        except AtalayaError as error:
            return problem(error)
        self.faults.add(*faults)
        return json_answer({"added": len(faults)}, status=201)


def _json(request: Request) -> object:
    try:
        document: object = request.json()
    except ValueError as error:
        raise InvalidInputError(f"The body is not JSON: {error}") from error
    return document


def problem(error: AtalayaError) -> Answer:
    """What an admin path answers to bad input."""
    document = {"title": error.title, "detail": error.detail, "errors": list(error.errors)}
    return json_answer(document | ({"mend": error.mend} if error.mend else {}), error.status)


def unknown_admin(request: Request) -> Answer:
    """There is no such admin path."""
    return json_answer({"title": "Not found", "detail": f"{request.method} {request.path}"}, 404)
