"""People, passwords, links and sessions on both databases."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access, Scope
from app.kit.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    NotSignedInError,
)
from app.services import accounts, passwords
from app.store.models.accounts import AuditEventRow, SessionRow, SignInLinkRow, UserRow
from app.store.queries import accounts as people
from app.store.queries.accounts import UserItem

ADDRESS = "http://127.0.0.1:8000"
PASSWORD = "a long walk on the wall"


def token_of(link: str) -> str:
    return link.split("token=")[1]


@pytest.fixture
def ana(session: Session, now: datetime) -> UserItem:
    return accounts.create_user(
        session, access=SYSTEM, email="Ana@Example.org", name="Ana", now=now
    )


def test_the_first_link_makes_an_administrator_with_every_scope(
    session: Session, now: datetime
) -> None:
    link = accounts.first_sign_in_link(session, now, ADDRESS)
    assert link is not None
    assert link.startswith(ADDRESS + "/login/link?token=")
    user = accounts.consume_link(session, token_of(link), now)
    assert user.scopes == frozenset(Scope)
    assert not user.has_password


def test_the_first_link_is_for_the_same_person_until_somebody_has_a_password(
    session: Session, now: datetime
) -> None:
    first = accounts.first_sign_in_link(session, now, ADDRESS) or ""
    second = accounts.first_sign_in_link(session, now, ADDRESS) or ""
    user = accounts.peek_link(session, token_of(first), now)
    assert accounts.peek_link(session, token_of(second), now).id == user.id
    accounts.set_password(session, user=user, password=PASSWORD, now=now)
    assert accounts.first_sign_in_link(session, now, ADDRESS) is None


def test_addresses_are_one_whatever_their_letter_case(session: Session, ana: UserItem) -> None:
    assert ana.email == "ana@example.org"
    with pytest.raises(ConflictError):
        accounts.create_user(
            session, access=SYSTEM, email="ANA@example.ORG", name="Other", now=ana.created_at
        )


@pytest.mark.parametrize(
    ("email", "name"),
    [
        ("ana", "Ana"),
        ("a@b@c", "Ana"),
        ("a na@b", "Ana"),
        ("a\x00@b", "Ana"),
        ("x" * 181 + "@b", "Ana"),
        ("", "Ana"),
        ("ana@b", ""),
        ("ana@b", "x" * 1_000_000),
        ("ana@b", "A\x00na"),
    ],
)
def test_bad_addresses_and_names_are_refused(
    session: Session, now: datetime, email: str, name: str
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        accounts.create_user(session, access=SYSTEM, email=email, name=name, now=now)
    assert caught.value.mend
    assert session.scalars(select(UserRow)).first() is None


def test_making_accounts_needs_a_scope(session: Session, now: datetime) -> None:
    guest = Access(actor="guest", scopes=frozenset({Scope.RESOURCES_READ}))
    with pytest.raises(ForbiddenError):
        accounts.create_user(session, access=guest, email="b@b", name="B", now=now)


def test_looking_at_a_link_does_not_use_it_up(
    session: Session, ana: UserItem, now: datetime
) -> None:
    token = token_of(accounts.make_link(session, ana.email, now, ADDRESS))
    assert accounts.peek_link(session, token, now).id == ana.id
    assert accounts.peek_link(session, token, now).id == ana.id
    assert accounts.consume_link(session, token, now).id == ana.id
    with pytest.raises(NotSignedInError):
        accounts.consume_link(session, token, now)
    with pytest.raises(NotSignedInError):
        accounts.peek_link(session, token, now)


def test_a_link_ends_after_a_day(session: Session, ana: UserItem, now: datetime) -> None:
    token = token_of(accounts.make_link(session, ana.email, now, ADDRESS))
    with pytest.raises(NotSignedInError):
        accounts.consume_link(session, token, now + timedelta(hours=24))
    just_before = now + timedelta(hours=23, minutes=59)
    assert accounts.consume_link(session, token, just_before).id == ana.id


def test_only_the_hash_of_a_link_and_of_a_session_is_stored(
    session: Session, ana: UserItem, now: datetime
) -> None:
    link = token_of(accounts.make_link(session, ana.email, now, ADDRESS))
    opened = accounts.open_session(session, ana, now)
    stored = [
        *session.scalars(select(SignInLinkRow.token_sha256)),
        *session.scalars(select(SessionRow.token_sha256)),
    ]
    assert stored == [accounts.token_key(link), accounts.token_key(opened.token)]


def test_no_link_for_strangers(session: Session, now: datetime) -> None:
    with pytest.raises(NotFoundError):
        accounts.make_link(session, "nobody@example.org", now, ADDRESS)


def test_a_session_ends_by_itself(session: Session, ana: UserItem, now: datetime) -> None:
    opened = accounts.open_session(session, ana, now)
    found = accounts.session_of(session, opened.token, opened.expires_at - timedelta(seconds=1))
    assert found is not None
    assert found.user == ana
    assert accounts.session_of(session, opened.token, opened.expires_at) is None
    assert accounts.session_of(session, opened.token + "x", now) is None


def test_signing_out_ends_only_that_session(session: Session, ana: UserItem, now: datetime) -> None:
    one, two = (accounts.open_session(session, ana, now) for _ in range(2))
    accounts.close_session(session, accounts.token_key(one.token))
    assert accounts.session_of(session, one.token, now) is None
    assert [item.key for item in accounts.list_sessions(session, ana.id, now)] == [
        accounts.token_key(two.token)
    ]


def test_a_new_password_ends_other_sessions_and_links(
    session: Session, ana: UserItem, now: datetime
) -> None:
    mine, other = (accounts.open_session(session, ana, now) for _ in range(2))
    link = token_of(accounts.make_link(session, ana.email, now, ADDRESS))
    key = accounts.token_key(mine.token)
    accounts.set_password(session, user=ana, password=PASSWORD, now=now, keep=key)
    assert accounts.session_of(session, mine.token, now) is not None
    assert accounts.session_of(session, other.token, now) is None
    with pytest.raises(NotSignedInError):
        accounts.consume_link(session, link, now)


@pytest.mark.parametrize("password", ["short", "x" * 11, "x" * 1001, "ANA@example.org"])
def test_bad_passwords_are_refused(
    session: Session, ana: UserItem, now: datetime, password: str
) -> None:
    with pytest.raises(InvalidInputError):
        accounts.set_password(session, user=ana, password=password, now=now)
    assert not people.anyone_has_a_password(session)


def test_a_disabled_account_is_out_at_once(session: Session, ana: UserItem, now: datetime) -> None:
    opened = accounts.open_session(session, ana, now)
    link = token_of(accounts.make_link(session, ana.email, now, ADDRESS))
    accounts.disable_user(session, access=SYSTEM, email=ana.email, now=now)
    assert accounts.session_of(session, opened.token, now) is None
    with pytest.raises(NotSignedInError):
        accounts.consume_link(session, link, now)
    with pytest.raises(NotFoundError):
        accounts.make_link(session, ana.email, now, ADDRESS)


def test_an_enabled_account_is_back_without_its_old_sessions_and_links(
    session: Session, ana: UserItem, now: datetime
) -> None:
    opened = accounts.open_session(session, ana, now)
    link = token_of(accounts.make_link(session, ana.email, now, ADDRESS))
    accounts.disable_user(session, access=SYSTEM, email=ana.email, now=now)
    accounts.enable_user(session, access=SYSTEM, email=ana.email, now=now)
    assert accounts.session_of(session, opened.token, now) is None
    with pytest.raises(NotSignedInError):
        accounts.consume_link(session, link, now)
    fresh = token_of(accounts.make_link(session, ana.email, now, ADDRESS))
    assert accounts.consume_link(session, fresh, now).email == ana.email


def test_an_administrator_who_was_locked_out_gets_no_link_at_the_start(
    session: Session, now: datetime
) -> None:
    assert accounts.first_sign_in_link(session, now, ADDRESS)
    accounts.disable_user(session, access=SYSTEM, email=accounts.FIRST_EMAIL, now=now)
    assert accounts.first_sign_in_link(session, now, ADDRESS) is None


def test_preferences_are_kept_and_checked(session: Session, ana: UserItem, now: datetime) -> None:
    accounts.set_preferences(session, ana.id, language="es", theme="dark", shortcuts=False)
    token = accounts.open_session(session, ana, now).token
    found = accounts.session_of(session, token, now)
    assert found is not None
    assert (found.user.language, found.user.theme, found.user.shortcuts) == ("es", "dark", False)
    with pytest.raises(InvalidInputError):
        accounts.set_preferences(session, ana.id, language="xx", theme="dark", shortcuts=True)


def test_what_happens_to_accounts_is_written_down(
    session: Session, ana: UserItem, now: datetime
) -> None:
    accounts.open_session(session, ana, now)
    accounts.set_password(session, user=ana, password=PASSWORD, now=now)
    for _ in range(2):
        accounts.disable_user(session, access=SYSTEM, email=ana.email, now=now)
    for _ in range(2):
        accounts.enable_user(session, access=SYSTEM, email=ana.email, now=now)
    events = session.execute(
        select(AuditEventRow.action, AuditEventRow.actor).order_by(AuditEventRow.id)
    ).all()
    assert [tuple(event) for event in events] == [
        ("account.create", "system"),
        ("session.open", "ana@example.org"),
        ("account.password", "ana@example.org"),
        ("account.disable", "system"),
        ("account.enable", "system"),
    ]


def test_an_unknown_account_costs_as_much_as_a_wrong_password() -> None:
    assert not passwords._hasher.check_needs_rehash(passwords.NOBODY)
    assert not passwords.is_right(None, PASSWORD)


def test_hashes_are_argon2id_and_salted() -> None:
    one, two = (passwords.hash_new(PASSWORD, "ana@example.org") for _ in range(2))
    assert one != two
    assert one.startswith("$argon2id$")
    assert passwords.is_right(one, PASSWORD)
    assert not passwords.is_right(one, PASSWORD + "!")
