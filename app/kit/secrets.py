"""Resolves references to secrets; the secrets themselves are never stored."""

import os
from pathlib import Path

from app.kit.errors import CollectorError

MAX_BYTES = 65_536
OWN_PREFIX = "ATALAYA_"


def resolve_secret(reference: str) -> str:
    """The value behind `env:NAME` or `file:/path` (without the newline at its end).

    CollectorError says which reference leads nowhere, and never what it held.
    """
    kind, _, where = reference.partition(":")
    if kind == "env" and where and not where.startswith(OWN_PREFIX):
        value = os.environ.get(where, "")  # noqa: TID251 - the connection names the variable
    elif kind == "file" and where.startswith("/"):
        value = _read(Path(where), reference)
    else:
        raise _missing(reference, "is not env:NAME or file:/path")
    if not value:
        raise _missing(reference, "is empty or not set for the process that reads it")
    return value


def _read(path: Path, reference: str) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _missing(reference, f"cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise _missing(reference, "is too large for a secret")
    try:
        return raw.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        raise _missing(reference, "is not UTF-8 text") from None


def _missing(reference: str, why: str) -> CollectorError:
    return CollectorError(
        f"the secret {reference[:200]} {why}",
        code="SecretMissing",
        permanent=True,
        mend="set it for the worker and the web process, or change the connection",
    )
