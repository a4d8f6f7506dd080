"""API tokens on both databases."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access, Scope
from app.kit.errors import ForbiddenError, InvalidInputError, NotFoundError
from app.services import accounts, tokens
from app.services.tokens import TokenRequest
from app.store.models.accounts import ApiTokenRow
from app.store.models.inventory import ConnectionRow
from app.store.queries import accounts as people
from app.store.queries.accounts import UserItem
from app.store.queries.tokens import TokenItem


@pytest.fixture
def ana(session: Session, now: datetime) -> UserItem:
    return accounts.create_user(session, access=SYSTEM, email="ana@b", name="Ana", now=now)


def connect(session: Session, now: datetime, name: str) -> str:
    row = ConnectionRow(name=name, provider="aws", config={}, created_at=now)
    session.add(row)
    session.flush()
    return str(row.id)


def wanted(**changes: object) -> TokenRequest:
    values: dict[str, object] = {
        "name": "exporter",
        "scopes": frozenset({Scope.RESOURCES_READ}),
        "connection_ids": None,
        "expires_at": None,
    }
    return TokenRequest(**{**values, **changes})  # type: ignore[arg-type]


def make(
    session: Session, ana: UserItem, now: datetime, **changes: object
) -> tuple[TokenItem, str]:
    access = accounts.access_of(ana)
    return tokens.create(session, access=access, user=ana, wanted=wanted(**changes), now=now)


def test_a_token_signs_its_owner_in_with_its_scopes_only(
    session: Session, ana: UserItem, now: datetime
) -> None:
    one = connect(session, now, "one")
    item, secret = make(session, ana, now, connection_ids=frozenset({one}))
    found = tokens.authenticate(session, secret, now)
    assert found is not None
    _, user, access = found
    assert user.id == ana.id
    assert access.scopes == {Scope.RESOURCES_READ, Scope.SELF}
    assert access.connection_ids == frozenset({one})
    assert access.actor == f"ana@b ({item.prefix})"


def test_the_secret_is_stored_nowhere(session: Session, ana: UserItem, now: datetime) -> None:
    item, secret = make(session, ana, now)
    row = session.scalars(select(ApiTokenRow)).one()
    stored = repr({key: value for key, value in vars(row).items() if key != "_sa_instance_state"})
    assert secret not in stored
    assert secret[len(item.prefix) :] not in stored
    assert secret.startswith("atl_")
    assert len(secret) == 47


@pytest.mark.parametrize("spoil", [lambda s: s + "x", lambda s: s[:-1], lambda _: "", str.upper])
def test_a_wrong_token_is_nobody(
    session: Session, ana: UserItem, now: datetime, spoil: object
) -> None:
    _, secret = make(session, ana, now)
    assert callable(spoil)
    assert tokens.authenticate(session, spoil(secret), now) is None


def test_tokens_end_by_date_by_revocation_and_with_their_owner(
    session: Session, ana: UserItem, now: datetime
) -> None:
    access = accounts.access_of(ana)
    _, dated = make(session, ana, now, expires_at=now + timedelta(days=1))
    assert tokens.authenticate(session, dated, now + timedelta(days=1)) is None
    item, revoked = make(session, ana, now)
    tokens.revoke(session, access=access, user=ana, token_id=item.id, now=now)
    later = now + timedelta(hours=1)
    again = tokens.revoke(session, access=access, user=ana, token_id=item.id, now=later)
    assert again.revoked_at == now
    assert tokens.authenticate(session, revoked, now) is None
    _, owned = make(session, ana, now)
    accounts.disable_user(session, access=SYSTEM, email=ana.email, now=now)
    assert tokens.authenticate(session, owned, now) is None


def test_a_token_loses_what_its_owner_loses(session: Session, ana: UserItem, now: datetime) -> None:
    _, secret = make(
        session, ana, now, scopes=frozenset({Scope.RESOURCES_READ, Scope.FINDINGS_READ})
    )
    people.update_user(session, ana.id, {"scopes": ["findings:read", "of-later:read"]})
    found = tokens.authenticate(session, secret, now)
    assert found is not None
    assert found[2].scopes == {Scope.FINDINGS_READ, Scope.SELF}


def test_a_token_is_never_more_than_its_maker(
    session: Session, ana: UserItem, now: datetime
) -> None:
    one, two = (connect(session, now, name) for name in ("one", "two"))
    narrow = Access(
        actor="ana@b (atl_x)",
        scopes=frozenset({Scope.TOKENS_WRITE, Scope.RESOURCES_READ}),
        connection_ids=frozenset({one}),
    )

    def ask(**changes: object) -> TokenItem:
        item, _ = tokens.create(session, access=narrow, user=ana, wanted=wanted(**changes), now=now)
        return item

    with pytest.raises(ForbiddenError):
        ask(scopes=frozenset({Scope.POLICIES_WRITE}), connection_ids=frozenset({one}))
    with pytest.raises(ForbiddenError):
        ask(connection_ids=None)
    with pytest.raises(ForbiddenError):
        ask(connection_ids=frozenset({one, two}))
    assert ask(connection_ids=frozenset({one})).connection_ids == frozenset({one})


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": "x" * 1_000_000},
        {"name": "a\x00b"},
        {"scopes": frozenset()},
        {"scopes": frozenset({Scope.PUBLIC})},
        {"expires_at": datetime.fromisoformat("2026-11-30T09:38:00+00:00")},
        {"expires_at": datetime.fromisoformat("2028-11-30T09:38:00+00:00")},
        {"connection_ids": frozenset({"nonsense"})},
        {"connection_ids": frozenset({"0193a6c0-8f7e-7c4e-9a53-2f1f0b8f3c11"})},
    ],
)
def test_malformed_wishes_are_refused(
    session: Session, ana: UserItem, now: datetime, changes: dict[str, object]
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        make(session, ana, now, **changes)
    assert caught.value.mend
    assert tokens.list_tokens(session, access=accounts.access_of(ana), user=ana) == ()


def test_nobody_sees_or_ends_the_tokens_of_others(
    session: Session, ana: UserItem, now: datetime
) -> None:
    bob = accounts.create_user(session, access=SYSTEM, email="bob@b", name="Bob", now=now)
    item, secret = make(session, ana, now)
    access = accounts.access_of(bob)
    assert tokens.list_tokens(session, access=access, user=bob) == ()
    for token_id in (item.id, "not an id"):
        with pytest.raises(NotFoundError):
            tokens.revoke(session, access=access, user=bob, token_id=token_id, now=now)
    assert tokens.authenticate(session, secret, now) is not None


def test_use_is_noted_but_not_at_every_request(
    session: Session, ana: UserItem, now: datetime
) -> None:
    item, secret = make(session, ana, now)
    assert tokens.is_touch_due(item, now)
    tokens.touch(session, item, now)
    found = tokens.authenticate(session, secret, now)
    assert found is not None
    assert found[0].last_used_at == now
    assert not tokens.is_touch_due(found[0], now + timedelta(minutes=4))
    assert tokens.is_touch_due(found[0], now + timedelta(minutes=5))


def test_scopes_are_known_by_name() -> None:
    assert tokens.known_scopes(["findings:read"]) == {Scope.FINDINGS_READ}
    for bad in ("findings:reed", "public", "self"):
        with pytest.raises(InvalidInputError):
            tokens.known_scopes([bad])
