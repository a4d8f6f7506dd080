"""Signing in with a password: throttled per account and address, and alike for unknown accounts.

The try is counted before the password is looked at, in a transaction of its own: neither a race
nor a failing request gets more guesses.
"""

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app.kit.errors import NotSignedInError, TooManyRequestsError
from app.services import accounts, passwords
from app.services.accounts import OpenSession
from app.store.queries import accounts as people
from app.store.queries import sign_in_attempts
from app.store.queries.sign_in_attempts import AttemptCounts

Transaction = Callable[[], AbstractContextManager[Session]]
WINDOW = timedelta(minutes=15)
TRIES_BOTH = 5
TRIES_ADDRESS = 30
TRIES_ACCOUNT = 50  # from many addresses; higher, so that strangers cannot easily lock someone out
ADDRESS_LENGTH = 64


def sign_in(
    transaction: Transaction, *, email: str, password: str, address: str, now: datetime
) -> OpenSession:
    """Opens a session for the right password.

    NotSignedInError says no more than that it did not fit; TooManyRequestsError comes after
    5 tries in 15 minutes of one address on one account (30 of an address, 50 on an account).
    """
    account, address = _account_key(email), address[:ADDRESS_LENGTH]
    with transaction() as session:
        _count_try(session, account, address, now)
        password_hash = people.password_hash_of(session, email.strip())
    if not passwords.is_right(password_hash, password):
        raise NotSignedInError(
            "this e-mail and password do not fit together",
            mend="type them again, or ask for a sign-in link",
        )
    with transaction() as session:
        sign_in_attempts.forget_attempts(session, account, address)
        user = people.user_by_email(session, email.strip())
        if user is None or user.disabled_at is not None:
            raise NotSignedInError("this account was closed", mend="ask an administrator")
        return accounts.open_session(session, user, now)


def _account_key(email: str) -> str:
    return hashlib.sha256(email.strip().casefold().encode()).hexdigest()


def _count_try(session: Session, account: str, address: str, now: datetime) -> None:
    since = now - WINDOW
    sign_in_attempts.forget_outside(session, since, now + WINDOW)
    if _too_many(sign_in_attempts.count_attempts(session, account, address, since)):
        raise TooManyRequestsError(
            "too many tries to sign in", mend="wait 15 minutes, or use a sign-in link"
        )
    sign_in_attempts.add_attempt(session, account, address, now)


def _too_many(counts: AttemptCounts) -> bool:
    return (
        counts.both >= TRIES_BOTH
        or counts.address >= TRIES_ADDRESS
        or counts.account >= TRIES_ACCOUNT
    )
