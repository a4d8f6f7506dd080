"""Signing in with a password: what is thrown at it, and how often."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Engine, func, select

from app.domain.access import SYSTEM
from app.kit.errors import NotSignedInError, TooManyRequestsError
from app.services import accounts, signing_in
from app.services.accounts import OpenSession
from app.store.models.accounts import SignInAttemptRow
from app.store.session import transaction

PASSWORD = "a long walk on the wall"
EMAIL = "ana@example.org"


@pytest.fixture(autouse=True)
def ana(installation: Engine, now: datetime) -> None:
    del installation
    with transaction() as session:
        user = accounts.create_user(session, access=SYSTEM, email=EMAIL, name="Ana", now=now)
        accounts.set_password(session, user=user, password=PASSWORD, now=now)


def attempt(
    now: datetime, password: str = PASSWORD, *, email: str = EMAIL, address: str = "198.51.100.7"
) -> OpenSession:
    return signing_in.sign_in(transaction, email=email, password=password, address=address, now=now)


def test_the_right_password_opens_a_session(now: datetime) -> None:
    opened = attempt(now, email="  ANA@example.org ")
    with transaction() as session:
        assert accounts.session_of(session, opened.token, now) is not None
        assert session.scalar(select(func.count()).select_from(SignInAttemptRow)) == 0


def test_a_wrong_password_and_an_unknown_account_are_told_alike(now: datetime) -> None:
    with pytest.raises(NotSignedInError) as wrong:
        attempt(now, "not this one, no")
    with pytest.raises(NotSignedInError) as unknown:
        attempt(now, email="nobody@example.org")
    assert (wrong.value.detail, wrong.value.mend) == (unknown.value.detail, unknown.value.mend)


def test_after_five_tries_even_the_right_password_waits(now: datetime) -> None:
    for _ in range(signing_in.TRIES_BOTH):
        with pytest.raises(NotSignedInError):
            attempt(now, "wrong wrong wrong")
    with pytest.raises(TooManyRequestsError):
        attempt(now)
    assert attempt(now, address="203.0.113.9").user.email == EMAIL
    assert attempt(now + signing_in.WINDOW + timedelta(seconds=1)).user.email == EMAIL


def test_tries_of_a_clock_that_was_ahead_lock_nobody_out(now: datetime) -> None:
    for _ in range(signing_in.TRIES_BOTH):
        with pytest.raises(NotSignedInError):
            attempt(now + timedelta(days=400), "wrong wrong wrong")
    assert attempt(now).user.email == EMAIL


def test_one_address_cannot_go_through_many_accounts(now: datetime) -> None:
    for number in range(signing_in.TRIES_ADDRESS):
        with transaction() as session:
            signing_in._count_try(session, f"{number:064d}", "198.51.100.7", now)
    with pytest.raises(TooManyRequestsError):
        attempt(now)


def test_many_addresses_cannot_go_through_one_account(now: datetime) -> None:
    account = signing_in._account_key(EMAIL)
    for number in range(signing_in.TRIES_ACCOUNT):
        with transaction() as session:
            signing_in._count_try(session, account, f"203.0.113.{number}", now)
    with pytest.raises(TooManyRequestsError):
        attempt(now)


def test_a_race_gets_no_more_guesses(now: datetime, dialect: str) -> None:
    def guess(_: int) -> str:
        try:
            attempt(now, "wrong wrong wrong")
        except (NotSignedInError, TooManyRequestsError) as error:
            return type(error).__name__
        return "in"

    with ThreadPoolExecutor(8) as pool:
        ends = list(pool.map(guess, range(12)))
    assert "in" not in ends
    if dialect == "sqlite":  # writers queue up; on Postgres a few may count at the same time
        assert ends.count("NotSignedInError") == signing_in.TRIES_BOTH
    with pytest.raises(TooManyRequestsError):
        attempt(now)


def test_a_closed_account_stays_out_with_the_right_password(now: datetime) -> None:
    with transaction() as session:
        accounts.disable_user(session, access=SYSTEM, email=EMAIL, now=now)
    with pytest.raises(NotSignedInError):
        attempt(now)
