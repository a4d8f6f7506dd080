"""Text of strangers made storable: what Postgres refuses is replaced, what is too long is cut."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
DIGEST_CHARACTERS = 16
# Postgres holds no NUL in text or jsonb; a surrogate on its own is no character (UTF-8 has none).
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# The controls of ISO 6429 but tab, line feed and carriage return; ESC and CSI steer terminals.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def clean_text(value: str, limit_bytes: int | None = None) -> str:
    """The text with U+FFFD for what cannot be stored, in at most `limit_bytes` of UTF-8.

    What is cut ends in `~` and 16 hex digits of the sha256 of the whole, so that two long texts
    with one beginning stay two.
    """
    text = value if value.isprintable() else _UNSTORABLE.sub(REPLACEMENT, value)
    if limit_bytes is None or len(text) * 4 <= limit_bytes:
        return text
    raw = text.encode()
    if len(raw) <= limit_bytes:
        return text
    mark = "~" + hashlib.sha256(raw).hexdigest()[:DIGEST_CHARACTERS]
    return raw[: limit_bytes - len(mark)].decode(errors="ignore") + mark


def printable(value: str) -> str:
    """The text with visible escapes for what would steer a terminal or reorder a line."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in value)


def without_controls(value: str) -> str:
    """The text with U+FFFD for each control character; tabs and ends of lines stay."""
    return _CONTROLS.sub(REPLACEMENT, value)


def clean_json(document: Any) -> Any:  # noqa: ANN401 - JSON is of many types
    """The same for every text and key of a JSON document; nothing is cut."""
    if isinstance(document, str):
        return clean_text(document)
    if isinstance(document, Mapping):
        return {clean_text(str(key)): clean_json(value) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [clean_json(value) for value in document]
    return document
