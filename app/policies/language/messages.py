"""Message templates of policies: plain text with placeholders such as `{facts.name}`."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta

from app.policies.language.errors import PolicySyntaxError, did_you_mean
from app.policies.language.expression import Row
from app.policies.language.types import MapType, ObjectType, Scope, Type
from app.policies.language.values import text_of_duration

MAX_TEMPLATE_CHARACTERS = 1000
MAX_MESSAGE_CHARACTERS = 500
MISSING = "unknown"

_ROOTS = ("facts", "resource", "params")
# Facts that are moments are stored as text in UTC.
_STORED_MOMENT = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,6})?\+00:00")
_PLACEHOLDER = re.compile(r"\{((?:facts|resource|params)(?:\.[A-Za-z_][A-Za-z0-9_]*)+)\}")


def check_message(template: str, scope: Scope) -> None:
    """Refuses a template that is too long or names what the scope does not have.

    PolicySyntaxError with line, column, caret and the likely name.
    """
    if len(template) > MAX_TEMPLATE_CHARACTERS:
        message = f"a message longer than {MAX_TEMPLATE_CHARACTERS} characters"
        raise PolicySyntaxError(message, template, MAX_TEMPLATE_CHARACTERS)
    for match in _PLACEHOLDER.finditer(template):
        _check_path(template, match.start() + 1, match[1].split("."), scope)
    brace = re.search(r"[{}]", _PLACEHOLDER.sub(lambda match: " " * len(match[0]), template))
    if brace:
        message = "braces only hold a name, such as {facts.x}, {resource.name} or {params.x}"
        raise PolicySyntaxError(message, template, brace.start())


def _check_path(template: str, offset: int, path: Sequence[str], scope: Scope) -> None:
    found: Type = scope.roots()[path[0]]
    for depth, name in enumerate(path[1:], start=1):
        if isinstance(found, MapType):
            found = found.value
            continue
        fields = found.fields if isinstance(found, ObjectType) else {}
        if name not in fields:
            holder = ".".join(path[:depth])
            message = f"{holder} has no field {name!r}{did_you_mean(name, fields)}"
            raise PolicySyntaxError(message, template, offset + len(holder) + 1)
        found = fields[name].type


def render_message(template: str, row: Row, params: Mapping[str, object]) -> str:
    """The message for one row: plain text on one line, at most 500 characters.

    What is missing or null is called `unknown`. Values are never read as templates; whoever
    puts the text into HTML escapes it there.
    """
    roots = {"facts": row.present, "resource": row.resource, "params": params}
    text = _PLACEHOLDER.sub(lambda match: _text(_value(roots, match[1].split("."))), template)
    if len(text) <= MAX_MESSAGE_CHARACTERS:
        return text
    return text[: MAX_MESSAGE_CHARACTERS - 1] + "…"


def placeholders(template: str) -> Iterator[str]:
    """The dotted paths that a template shows, in order."""
    return (match[1] for match in _PLACEHOLDER.finditer(template))


def _value(roots: Mapping[str, object], path: Sequence[str]) -> object:
    found: object = roots
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _text(value: object) -> str:
    return _one_line(_plain(value))


def _plain(value: object) -> str:  # noqa: PLR0911 - one line for each type
    match value:
        case None:
            return MISSING
        case bool():
            return "true" if value else "false"
        case datetime():
            return _moment(value)
        case timedelta():
            return text_of_duration(value)
        case str() if _STORED_MOMENT.fullmatch(value):
            return _stored_moment(value)
        case str():
            return value[:MAX_MESSAGE_CHARACTERS]
        case Mapping():
            return ", ".join(f"{key}={_plain(value[key])}" for key in list(value)[:_FEW])
    return _listed(value) if isinstance(value, Sequence) else str(value)


def _stored_moment(value: str) -> str:
    try:
        return _moment(datetime.fromisoformat(value))
    except ValueError:  # text that only looks like a moment, such as the 31st of February
        return value


def _moment(value: datetime) -> str:
    """A day, or a minute of it, in UTC: 2025-03-23, or 2025-03-23 14:05 UTC."""
    at = value.astimezone(UTC)
    return f"{at:%Y-%m-%d}" if at.time() == time.min else f"{at:%Y-%m-%d %H:%M} UTC"


_FEW = 20


def _listed(items: Sequence[object]) -> str:
    more = ", …" if len(items) > _FEW else ""
    return ", ".join(_plain(item) for item in items[:_FEW]) + more


def _one_line(text: str) -> str:
    """Control and direction-changing characters become spaces: a name cannot break a line."""
    return "".join(
        " " if unicodedata.category(char)[0] == "C" else char
        for char in text[:MAX_MESSAGE_CHARACTERS]
    )
