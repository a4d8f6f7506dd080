"""Resolves references to secrets; the secrets themselves are never stored."""

import os
import stat
from pathlib import Path

from app.kit.errors import CollectorError

MAX_BYTES = 65_536
OWN_PREFIX = "ATALAYA_"
# Files that the kernel makes up: one shows the variables of this process, our own among them.
_KERNEL = tuple(map(Path, ("/proc", "/sys", "/dev")))


def resolve_secret(reference: str) -> str:
    """The value behind `env:NAME` or `file:/path` (without the newline at its end).

    CollectorError says which reference leads nowhere, and never what it held. Keys and tokens of
    clouds are one line of printable ASCII: anything else is some other file, and libraries for
    HTTP would repeat it in their complaint.
    """
    try:
        value = read_secret(reference).decode("ascii").rstrip("\r\n")
    except UnicodeDecodeError:
        value = "\n"
    if not value.isprintable():
        raise _missing(reference, "is not one line of plain ASCII text")
    if not value:
        raise _missing(reference, "is empty")
    return value


def read_secret(reference: str) -> bytes:
    """What the reference leads to as it is, such as a certificate; CollectorError without it."""
    kind, _, where = reference.partition(":")
    if kind == "env" and where and not where.startswith(OWN_PREFIX):
        value = os.environb.get(where.encode(), b"")
    elif kind == "file" and where.startswith("/"):
        value = _read(Path(where), reference)
    else:
        raise _missing(reference, "is not env:NAME or file:/path")
    if not value:
        raise _missing(reference, "is empty or not set for the process that reads it")
    return value


def _read(path: Path, reference: str) -> bytes:
    try:
        real = path.resolve(strict=True)
        if not stat.S_ISREG(real.stat().st_mode) or any(map(real.is_relative_to, _KERNEL)):
            raise _missing(reference, "is not a plain file")
        with real.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or "not a path"
        raise _missing(reference, f"cannot be read: {why}") from None
    if len(raw) > MAX_BYTES:
        raise _missing(reference, "is too large for a secret")
    return raw


def _missing(reference: str, why: str) -> CollectorError:
    return CollectorError(
        f"the secret {reference[:200]} {why}",
        code="SecretMissing",
        permanent=True,
        mend="set it for the worker and the web process, or change the connection",
    )
