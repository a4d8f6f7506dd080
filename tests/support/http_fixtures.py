"""Fixtures of tests that go through the HTTP door."""

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.main import create_app
from app.store.queries.accounts import UserItem
from tests.support import callers


@pytest.fixture(scope="session")
def whole_app() -> FastAPI:
    """The application; its database is the one that `installation` sets for each test."""
    return create_app()


@pytest.fixture
def app(whole_app: FastAPI, installation: Engine) -> FastAPI:
    """The application on an empty database of this test."""
    del installation
    return whole_app


@pytest.fixture
def ana(app: FastAPI) -> UserItem:
    """Somebody who may do everything."""
    del app
    return callers.person()


@pytest.fixture
def stranger(app: FastAPI) -> TestClient:
    """A client that is not signed in."""
    return callers.client(app)


@pytest.fixture
def browser(app: FastAPI, ana: UserItem) -> TestClient:
    """Ana's browser."""
    return callers.browser(app, ana)


@pytest.fixture
def program(app: FastAPI, ana: UserItem) -> TestClient:
    """Ana's program, with a token that may do everything."""
    return callers.client(app, callers.token_of(ana))
