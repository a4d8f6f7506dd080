"""Fixtures of whole journeys: from a cloud's wire to the page, the API and the weekly report."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine

from app.kit.clock import utc_now
from app.main import create_app
from app.sandbox import ready
from app.sandbox.aws_server import AwsServer
from app.sandbox.azure_server import AzureServer
from app.sandbox.story import AWS_REGIONS
from app.services import sandbox
from app.store.session import transaction
from tests.support.databases import Databases
from tests.support.journeys import Installation, Journey, installed, work_off


@pytest.fixture(scope="session")
def whole_app() -> FastAPI:
    """The application; the installation of each test says which database it has."""
    return create_app()


@pytest.fixture(scope="module")
def azure_cloud() -> Iterator[AzureServer]:
    """The sandbox's Azure; a test that spoils it mends it."""
    with AzureServer() as server:
        yield server


@pytest.fixture(scope="module")
def aws_cloud() -> Iterator[AwsServer]:
    """The sandbox's AWS with its buckets; a test that spoils it mends it."""
    with AwsServer() as server:
        yield server


@pytest.fixture(scope="session")
def swept(
    whole_app: FastAPI, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """Both clouds connected as `up --sandbox` does, read by real collectors and judged.

    The clouds are only there while they are read: moto's buckets belong to the whole process.
    """
    home, url = tmp_path_factory.mktemp("estate"), databases.make()
    found = Installation(whole_app, url, home, {"sandbox": True})
    path = home / "sandbox.json"
    with AzureServer() as azure, AwsServer() as aws, found.open():
        ready.write(path, aws, azure)
        with transaction() as session:
            sandbox.connect(session, json.loads(path.read_text("utf-8")), utc_now())
        # Azure, and AWS with its accounts, and each of their regions.
        ended = {state for kind, state in work_off(AWS_REGIONS) if kind == "sweep"}
        assert ended == {"done"}
    yield found
    databases.drop(url)


@pytest.fixture
def estate(swept: Installation) -> Iterator[Journey]:
    """The judged estate, to be looked at."""
    with swept.open() as journey:
        yield journey


@pytest.fixture(scope="module")
def installation_of_module(
    whole_app: FastAPI, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """An empty installation that the tests of a module fill once and look at together."""
    url = databases.make()
    yield Installation(whole_app, url, tmp_path_factory.mktemp("module"))
    databases.drop(url)


@pytest.fixture
def journey(whole_app: FastAPI, engine: Engine, tmp_path: Path) -> Iterator[Journey]:
    """An empty installation with one person."""
    url = engine.url.render_as_string(hide_password=False)
    with installed(url, tmp_path / "home"):
        yield Journey.begin(whole_app)
