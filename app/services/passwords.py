"""Passwords: what is accepted, how it is hashed, and a comparison that takes the same time."""

import threading

import argon2
from argon2.exceptions import InvalidHashError, VerificationError

from app.kit.errors import InvalidInputError

SHORTEST = 12
LONGEST = 1000  # longer ones only cost time
# RFC 9106's second choice: 64 MiB, three passes. Four at once bound the memory to 256 MiB.
_hasher = argon2.PasswordHasher()
_turns = threading.BoundedSemaphore(4)
# Compared with when there is no account, so that both cases take the same time: the hash of 24
# random bytes that were thrown away.
NOBODY = (
    "$argon2id$v=19$m=65536,t=3,p=4$eDH6tLa2qwaJvUi6AXVjwA$Q7tLOh9QBPlAyf/K"
    "W9Ygc+bLF289bmLT9N1Zk/lmz4M"
)


def hash_new(password: str, email: str) -> str:
    """The argon2id hash of a new password; InvalidInputError says what is wrong with it."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise InvalidInputError(
            f"the password has {len(password)} characters",
            mend=f"choose {SHORTEST} to {LONGEST} characters; a sentence is easy to keep",
        )
    if password.strip().casefold() == email.casefold():
        raise InvalidInputError("the password is the e-mail address", mend="choose another one")
    with _turns:
        return _hasher.hash(password)


def is_right(password_hash: str | None, password: str) -> bool:
    """Whether the password fits. Without a hash it works as long and says no."""
    with _turns:
        try:
            _hasher.verify(password_hash or NOBODY, password[:LONGEST])
        except (VerificationError, InvalidHashError):
            return False
    return password_hash is not None
