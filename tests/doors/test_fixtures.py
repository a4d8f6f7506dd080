"""The fixtures that the whole suite stands on keep their promises."""

import socket
from datetime import datetime

import pytest
import redis
from pytest_socket import SocketConnectBlockedError
from sqlalchemy import Engine, inspect, text
from sqlalchemy.orm import Session

from app.kit.settings import settings
from app.store.session import transaction

COUNT = text("select count(*) from resource")


def test_both_dialects_hold_all_tables(engine: Engine) -> None:
    assert {"resource", "resource_revision", "run"} <= set(inspect(engine).get_table_names())


def test_a_session_starts_empty_and_may_commit(session: Session, now: datetime) -> None:
    assert session.scalar(COUNT) == 0
    session.execute(text("create table scratch (at varchar(40))"))
    session.commit()
    session.execute(text("insert into scratch values (:at)"), {"at": now.isoformat()})
    session.commit()
    assert session.scalar(text("select count(*) from scratch")) == 1


def test_what_a_session_committed_is_gone(session: Session) -> None:
    tables = inspect(session.connection()).get_table_names()
    assert "scratch" not in tables


def test_the_process_engine_points_at_the_test_database(installation: Engine) -> None:
    assert settings().database_url
    with transaction() as session:
        assert session.scalar(COUNT) == 0
    with installation.begin() as connection:
        connection.execute(text("create table seen (at integer)"))
    with transaction(readonly=True) as session:
        assert session.scalar(text("select count(*) from seen")) == 0


def test_valkey_answers_on_its_socket(valkey: str) -> None:
    path = valkey.removeprefix("redis+socket://").split("?")[0]
    with redis.Redis(unix_socket_path=path) as client:
        assert client.dbsize() == 0
        assert client.config_get("appendonly") == {"appendonly": "yes"}


def test_only_loopback_can_be_reached() -> None:
    with (
        socket.socket() as stranger,
        pytest.warns(UserWarning, match=r"192\.0\.2\.1"),
        pytest.raises(SocketConnectBlockedError),
    ):
        stranger.connect(("192.0.2.1", 80))
