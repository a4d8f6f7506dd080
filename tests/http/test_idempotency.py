"""A write that is sent twice happens once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from app.http import idempotency
from app.kit.clock import utc_now
from app.services import tokens
from app.store.models.accounts import ApiTokenRow, IdempotencyKeyRow
from app.store.queries.accounts import UserItem
from app.store.session import transaction
from tests.support import callers

TOKENS = "/api/v1/tokens"
KEY = {"Idempotency-Key": "8e03978e-40d5-43e8-bc93-6894a57f9324"}


def wish(name: str = "exporter") -> dict[str, object]:
    return {"name": name, "scopes": ["findings:read"]}


def made(name: str = "exporter") -> int:
    with transaction(readonly=True) as session:
        statement = select(func.count()).select_from(ApiTokenRow).where(ApiTokenRow.name == name)
        return session.scalar(statement) or 0


def test_the_second_request_gets_the_first_answer(program: TestClient) -> None:
    one = program.post(TOKENS, json=wish(), headers=KEY)
    two = program.post(TOKENS, json=wish(), headers=KEY)
    assert one.status_code == two.status_code == 201
    assert one.headers["location"] == two.headers["location"]
    assert "idempotency-replayed" not in one.headers
    assert two.headers["idempotency-replayed"] == "true"
    assert two.json() == one.json() | {"token": None}
    assert made() == 1


def test_a_secret_that_is_shown_once_is_not_kept(program: TestClient) -> None:
    secret = program.post(TOKENS, json=wish(), headers=KEY).json()["token"]
    with transaction(readonly=True) as session:
        kept = session.scalars(select(IdempotencyKeyRow.body)).one()
    assert secret not in str(kept)


@pytest.mark.parametrize("change", [{"name": "other"}, {"scopes": ["policies:read"]}])
def test_the_same_key_for_another_request_is_a_conflict(
    program: TestClient, change: dict[str, object]
) -> None:
    program.post(TOKENS, json=wish(), headers=KEY)
    answer = program.post(TOKENS, json=wish() | change, headers=KEY)
    assert answer.status_code == 409
    assert made() == 1


def test_a_request_that_failed_may_be_repeated(program: TestClient) -> None:
    bad = program.post(TOKENS, json=wish() | {"scopes": ["findings:reed"]}, headers=KEY)
    assert bad.status_code == 422
    assert program.post(TOKENS, json=wish(), headers=KEY).status_code == 201
    assert made() == 1


def test_people_do_not_share_keys(app: FastAPI, program: TestClient) -> None:
    bob = callers.client(app, callers.token_of(callers.person("bob@example.org")))
    assert program.post(TOKENS, json=wish(), headers=KEY).status_code == 201
    assert bob.post(TOKENS, json=wish(), headers=KEY).status_code == 201
    assert made() == 2


@pytest.mark.parametrize("key", [b"", b"x" * 201, b"a b", b"\xf1"])
def test_a_malformed_key_is_refused(program: TestClient, key: bytes) -> None:
    answer = program.post(TOKENS, json=wish(), headers={b"Idempotency-Key": key})
    assert answer.status_code == 422
    assert made() == 0


def test_of_many_at_once_one_happens(app: FastAPI, ana: UserItem) -> None:
    secret = callers.token_of(ana)

    def send(_: int) -> int:
        answer = callers.client(app, secret).post(TOKENS, json=wish(), headers=KEY)
        return answer.status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = set(pool.map(send, range(16)))
    assert statuses <= {201, 409}
    assert 201 in statuses
    assert made() == 1


def test_a_duplicate_of_a_running_request_is_told_to_wait(
    app: FastAPI, ana: UserItem, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = callers.token_of(ana)
    begun, go_on = threading.Event(), threading.Event()
    create = tokens.create

    def slow(*args: object, **kwargs: object) -> object:
        begun.set()
        assert go_on.wait(30)
        return create(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(tokens, "create", slow)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(callers.client(app, secret).post, TOKENS, json=wish(), headers=KEY)
        assert begun.wait(30)
        second = callers.client(app, secret).post(TOKENS, json=wish(), headers=KEY)
        go_on.set()
        assert first.result().status_code == 201
    assert second.status_code == 409
    assert "still being answered" in second.json()["detail"]
    assert made() == 1


def test_a_claim_whose_process_died_is_given_to_the_next(program: TestClient) -> None:
    program.post(TOKENS, json=wish(), headers=KEY)
    long_ago = utc_now() - idempotency.CLAIM_LIFE - timedelta(seconds=1)
    with transaction() as session:
        session.execute(update(IdempotencyKeyRow).values(status=None, created_at=long_ago))
    assert program.post(TOKENS, json=wish(), headers=KEY).status_code == 201
    assert made() == 2


def test_an_answer_is_kept_for_a_day(program: TestClient) -> None:
    program.post(TOKENS, json=wish(), headers=KEY)
    with transaction() as session:
        session.execute(update(IdempotencyKeyRow).values(created_at=utc_now() - idempotency.LIFE))
    assert "idempotency-replayed" not in program.post(TOKENS, json=wish(), headers=KEY).headers
    assert made() == 2
