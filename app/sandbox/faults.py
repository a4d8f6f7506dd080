"""Faults on request: which calls go wrong, how often and in which way."""

import re
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

from app.kit.errors import InvalidInputError
from app.sandbox.wire import Request


class Effect(StrEnum):
    """What happens to an answer on its way out, beside its status."""

    TRUNCATED = "truncated"  # the body stops half way and the connection closes
    MALFORMED = "malformed"  # the body is neither JSON nor XML
    DISCONNECT = "disconnect"  # the connection closes without an answer
    REPEATED_NEXT = "repeated_next"  # the link or token of the next page leads to this page again
    FOREIGN_NEXT = "foreign_next"  # the link of the next page names another host


@dataclass(frozen=True, slots=True)
class Fault:
    """One rule: calls that match `method`, `operation` and `path` go wrong `times` times.

    `path` is a regular expression searched in the decoded path and query; `operation` is a name of
    the call ledger; `after` lets that many matching calls pass first; `times` None means always.
    Without `status` the real answer is given, late (`delay_ms`) or bent (`effect`, `headers`).
    """

    path: str = ""
    method: str = ""
    operation: str = ""
    after: int = 0
    times: int | None = None
    status: int = 0
    code: str = ""
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    delay_ms: int = 0
    effect: Effect | None = None

    def matches(self, request: Request, operation: str) -> bool:
        """Whether this rule is about that call, whatever its counters say."""
        return (
            self.method in ("", request.method)
            and self.operation in ("", operation)
            and re.search(self.path, unquote(request.target)) is not None
        )


class Faults:
    """The rules in force, newest first; safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rules: list[Fault] = []
        self._seen: Counter[int] = Counter()

    def add(self, *faults: Fault) -> None:
        """Puts rules in force, before older ones."""
        with self._lock:
            self._rules[:0] = faults

    def clear(self) -> None:
        """Lifts every rule."""
        with self._lock:
            self._rules.clear()
            self._seen.clear()

    def listed(self) -> list[Fault]:
        """The rules in force, newest first."""
        with self._lock:
            return list(self._rules)

    def take(self, request: Request, operation: str) -> Fault | None:
        """The rule that spoils this call, counted as used; None when it goes well."""
        with self._lock:
            for fault in self._rules:
                if fault.matches(request, operation) and self._due(fault):
                    return fault
        return None

    def _due(self, fault: Fault) -> bool:
        """Counts a matching call and says whether it falls into the rule's window."""
        self._seen[id(fault)] += 1
        order = self._seen[id(fault)] - fault.after
        return order > 0 and (fault.times is None or order <= fault.times)


def parse(document: object) -> list[Fault]:
    """Reads a JSON list of rules; InvalidInputError names every wrong field and changes nothing."""
    if not isinstance(document, list):
        raise InvalidInputError(
            "A list of faults is wanted.", mend='Send [{"path": "...", "status": 429}].'
        )
    errors: list[dict[str, str]] = []
    faults = [fault for n, entry in enumerate(document) if (fault := _one(n, entry, errors))]
    if errors:
        raise InvalidInputError("The faults were not accepted.", errors=tuple(errors))
    return faults


_KINDS: dict[str, type | tuple[type, ...]] = {
    "path": str,
    "method": str,
    "operation": str,
    "after": int,
    "times": (int, type(None)),
    "status": int,
    "code": str,
    "message": str,
    "headers": dict,
    "body": (str, type(None)),
    "delay_ms": int,
    "effect": (str, type(None)),
}


def _one(number: int, entry: object, errors: list[dict[str, str]]) -> Fault | None:
    """One rule of the list, or None with what is wrong added to `errors`."""
    if not isinstance(entry, dict):
        errors.append({"where": f"[{number}]", "what": "an object is wanted"})
        return None
    wrong = [
        {"where": f"[{number}].{name}", "what": what}
        for name, value in entry.items()
        if (what := _fault_of(name, value))
    ]
    errors.extend(wrong)
    if wrong:
        return None
    values: dict[str, Any] = dict(entry)
    if values.get("effect"):
        values["effect"] = Effect(values["effect"])
    return Fault(**values)


def _fault_of(name: str, value: object) -> str:
    """What is wrong with one field; empty when nothing is."""
    if name not in _KINDS:
        return f"unknown field; known are {', '.join(_KINDS)}"
    if not isinstance(value, _KINDS[name]) or isinstance(value, bool):
        return "the value has the wrong type"
    if isinstance(value, int) and value < 0:
        return "the number is negative"
    return _fault_of_value(name, value)


def _fault_of_value(name: str, value: object) -> str:
    if name == "path" and not _compiles(str(value)):
        return "not a regular expression"
    if name == "status" and value not in {0, *HTTPStatus}:
        return "not an HTTP status"
    if name == "effect" and value not in {None, *Effect}:
        return f"unknown effect; known are {', '.join(Effect)}"
    return ""


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True
