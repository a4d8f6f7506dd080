"""Tries to sign in, in SQL: what the throttle counts."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, insert, or_, select
from sqlalchemy.orm import Session

from app.store.models.accounts import SignInAttemptRow


@dataclass(frozen=True, slots=True)
class AttemptCounts:
    """Tries since a cut-off: on this account, from this address, and by both together."""

    account: int
    address: int
    both: int


def count_attempts(
    session: Session, account_sha256: str, address: str, since: datetime
) -> AttemptCounts:
    """How often this account and this address were tried after `since`."""
    row = SignInAttemptRow
    on_account, from_address = row.account_sha256 == account_sha256, row.address == address

    def count(*conditions: ColumnElement[bool]) -> int:
        statement = select(func.count()).select_from(row).where(row.at > since, *conditions)
        return session.execute(statement).scalar_one()

    return AttemptCounts(count(on_account), count(from_address), count(on_account, from_address))


def add_attempt(session: Session, account_sha256: str, address: str, now: datetime) -> None:
    """Adds one try."""
    session.execute(
        insert(SignInAttemptRow).values(account_sha256=account_sha256, address=address, at=now)
    )


def forget_attempts(session: Session, account_sha256: str, address: str) -> None:
    """Forgets the tries of this address on this account, after the right password came."""
    row = SignInAttemptRow
    session.execute(delete(row).where(row.account_sha256 == account_sha256, row.address == address))


def forget_outside(session: Session, since: datetime, until: datetime) -> None:
    """Forgets what no longer counts, and what a clock that was ahead wrote."""
    at = SignInAttemptRow.at
    session.execute(delete(SignInAttemptRow).where(or_(at <= since, at > until)))
