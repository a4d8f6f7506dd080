"""Identifiers that sort by creation (UUID version 7, RFC 9562) and digests of documents."""

import hashlib
import json
import os
import threading
import time
import uuid

import orjson

_lock = threading.Lock()
_last = 0
_VERSION_7 = 0x7
_VARIANT = 0b10


def uuid7() -> uuid.UUID:
    """A UUID that ascends within this process, also inside one millisecond."""
    global _last  # noqa: PLW0603 - the counter is the point of this function
    with _lock:
        random_bits = int.from_bytes(os.urandom(10), "big") & ((1 << 74) - 1)
        fresh = (time.time_ns() // 1_000_000) << 74 | random_bits
        _last = value = max(fresh, _last + 1 + int.from_bytes(os.urandom(4), "big"))
    ms, high, low = value >> 74, value >> 62 & 0xFFF, value & ((1 << 62) - 1)
    return uuid.UUID(int=ms << 80 | _VERSION_7 << 76 | high << 64 | _VARIANT << 62 | low)


def digest(document: object) -> str:
    """Hex sha256 of a JSON document in canonical form (sorted keys, no spaces)."""
    try:
        text = orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    except orjson.JSONEncodeError:  # integers beyond 64 bits, which orjson cannot write
        text = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(text).hexdigest()
