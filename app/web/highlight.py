"""Colours for JSON and YAML, as spans around escaped text; numbers lines and marks faults."""

import json
import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

EMPTY = Markup("")
_JSON = re.compile(
    r'(?P<k>"(?:[^"\\]|\\.)*"(?=\s*:))|(?P<s>"(?:[^"\\]|\\.)*")'
    r"|(?P<n>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)"
)
_YAML_LINE = re.compile(r"^(?P<indent>\s*(?:- )*)(?P<key>[\w.-]+)(?P<colon>:)(?P<rest>\s.*|)$")
_NUMBER = re.compile(r"\s*-?\d+(\.\d+)?\s*")


def to_json(value: Any) -> Markup:
    """A JSON document, indented and coloured."""
    return _colour(json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True))


def _colour(text: str) -> Markup:
    parts, end = [], 0
    for found in _JSON.finditer(text):
        parts.append(escape(text[end : found.start()]))
        parts.append(_span(found.lastgroup or "", found[0]))
        end = found.end()
    parts.append(escape(text[end:]))
    return EMPTY.join(parts)


def _span(kind: str, text: str) -> Markup:
    return Markup('<span class="{}">{}</span>').format(kind, text)


def yaml_lines(text: str, faults: Mapping[int, str] | None = None) -> Markup:
    """YAML source, coloured line by line; lines in `faults` (from 1) are marked."""
    lines = [
        Markup('<mark class="bad">{}</mark>').format(_yaml(line))
        if number in (faults or {})
        else _yaml(line)
        for number, line in enumerate(text.splitlines(), 1)
    ]
    return Markup("\n").join(lines)


def _yaml(line: str) -> Markup:
    if line.lstrip().startswith("#"):
        return _span("c", line)
    found = _YAML_LINE.match(line)
    if found is None:
        return _value(line)
    head = Markup("{}{}{}").format(found["indent"], _span("k", found["key"]), found["colon"])
    return head + _value(found["rest"])


def _value(text: str) -> Markup:
    if not text.strip() or text.strip() in {"|", ">", ">-", "|-", "-"}:
        return escape(text)
    return _span("n" if _NUMBER.fullmatch(text) else "s", text)


def line_numbers(text: str) -> str:
    """`1` to the last line, one a line."""
    return "\n".join(str(number + 1) for number in range(len(text.splitlines())))
