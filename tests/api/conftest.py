"""Clients of the API, and an estate of two connections that policies have judged."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.kit.clock import utc_now
from app.store.queries.accounts import UserItem
from tests.support import callers, estate
from tests.support.http_fixtures import ana, app, browser, program, stranger, whole_app

__all__ = ["ana", "app", "browser", "program", "stranger", "whole_app"]


@dataclass(frozen=True)
class Estate:
    """Two connections: `ours` with three buckets, `theirs` with one."""

    ours: str
    theirs: str
    read_at: datetime


@pytest.fixture
def judged(app: FastAPI) -> Estate:
    """Read an hour ago, then again with one change, and judged."""
    del app
    now = utc_now()
    before = now - timedelta(hours=1)
    ours, theirs = (estate.connect(before, name) for name in ("ours", "theirs"))
    names = ("alpha", "beta", "=gamma")
    estate.sweep(ours, [estate.seen(name) for name in names], before)
    estate.sweep(theirs, [estate.seen("hidden")], before)
    estate.judge(now)
    return Estate(ours, theirs, before)


@pytest.fixture
def outsider(app: FastAPI, ana: UserItem, judged: Estate) -> TestClient:
    """A program that may do everything, but only on `theirs`."""
    limited = callers.token_of(ana, connection_ids=frozenset({judged.theirs}))
    return callers.client(app, limited)
