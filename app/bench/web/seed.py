"""Fills a database with an estate of any size, and somebody who may look at it.

`python -m app.bench.web.seed COPIES` prints JSON. A thousand buckets come by the product's own
path (stored as a sweep does, judged by all policies); the rest are copies of them in SQL, because
what is measured is reading.
"""

import json
import sys
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from app.bench.web.buckets import bucket
from app.domain.access import SYSTEM, Scope
from app.domain.paging import Page, PageRequest
from app.kit.clock import utc_now
from app.kit.ids import uuid7
from app.kit.settings import settings
from app.services import accounts, evaluate, tokens
from app.services.observing import observed
from app.store import estate, migrate, tallies
from app.store.base import Base
from app.store.keyset import MAX_LIMIT
from app.store.models import compliance, inventory
from app.store.queries import compliance as findings
from app.store.queries import inventory as resources
from app.store.session import transaction

ORIGINALS = 1_000
CONNECTIONS = 4
PAGE = 50
THOUSANDTH = 1_000

# How a copy differs from its original: SQL over the columns of the row and `n`, the copy's number.
_ID = "printf('%08x', n) || substr({0}, 9)"
_TEXT = "{0} || printf('-%05d', n)"
_COPIES: tuple[tuple[type[Base], Mapping[str, str]], ...] = (
    (
        inventory.ResourceRow,
        {
            "id": _ID,
            "revision_id": _ID,
            "name": _TEXT,
            "search": _TEXT,
            "immutable_id": _TEXT,
            "native_id": _TEXT,
        },
    ),
    (
        inventory.ResourceRevisionRow,
        {"id": _ID, "resource_id": _ID, "name": _TEXT},
    ),
    (inventory.ResourcePlaceRow, {"resource_id": _ID}),
    (compliance.VerdictRow, {"resource_id": _ID, "revision_id": _ID}),
    (
        compliance.FindingRow,
        {
            "number": "{0} + n * 1000000",
            "id": _ID,
            "fingerprint": _ID,
            "resource_id": _ID,
            "revision_id": _ID,
            "search": _TEXT,
        },
    ),
    (
        compliance.FindingEventRow,
        {"id": "{0} + n * 1000000", "finding_number": "{0} + n * 1000000"},
    ),
)


def seed(copies: int) -> dict[str, Any]:
    """Fills the database in force; what a visitor needs, as JSON."""
    migrate.upgrade(settings().database)
    now = utc_now()
    with transaction() as session:
        connections = [_connect(session, number, now) for number in range(CONNECTIONS)]
    with transaction() as session:
        for number, connection in enumerate(connections):
            _store(session, number, connection, now)
        evaluate.evaluate(session, now=now)
    with transaction() as session:
        if copies:
            _multiply(session, copies)
        for connection in connections:
            tallies.count_resources(session, connection.id)
            tallies.count_places(session, connection.id)
            tallies.count_findings(session, connection.id)
            tallies.count_verdicts(session, connection.id)
    with transaction() as session:
        return {**_visitor(session, now), **_places_to_look(session)}


def _connect(session: Session, number: int, now: datetime) -> inventory.ConnectionRow:
    row = inventory.ConnectionRow(
        id=uuid7(),
        name=f"AWS {number}",
        provider="aws",
        config={},
        enabled=False,  # nothing is to be read while pages are measured
        created_at=now,
        version=1,
    )
    session.add(row)
    return row


def _store(
    session: Session, number: int, connection: inventory.ConnectionRow, now: datetime
) -> None:
    reading = estate.Reading(connection.id, "aws", "aws_s3", uuid7(), now)
    first = number * ORIGINALS // CONNECTIONS
    last = (number + 1) * ORIGINALS // CONNECTIONS
    estate.store(session, reading, [observed(bucket(n), now) for n in range(first, last)])


def _multiply(session: Session, copies: int) -> None:
    numbers = (
        "with recursive copy(n) as (values(1) union all select n + 1 from copy where n < :copies) "
    )
    for row, changes in _COPIES:
        names = [column.name for column in row.__table__.columns]
        values = [changes.get(name, "{0}").format(name) for name in names]
        columns = ", ".join(names)
        session.execute(
            text(
                f"insert into {row.__tablename__} ({columns}) {numbers}"  # noqa: S608 - our own names
                f"select {', '.join(values)} from {row.__tablename__}, copy"
            ),
            {"copies": copies},
        )


def _visitor(session: Session, now: datetime) -> dict[str, str]:
    user = accounts.create_user(
        session, access=SYSTEM, email="bench@example.org", name="Bench", now=now
    )
    access = accounts.access_of(user)
    scopes = frozenset({Scope.RESOURCES_READ, Scope.FINDINGS_READ})
    wanted = tokens.TokenRequest("bench", scopes, None, now + timedelta(days=1))
    _, token = tokens.create(session, access=access, user=user, wanted=wanted, now=now)
    return {"token": token, "cookie": accounts.open_session(session, user, now).token}


def _places_to_look(session: Session) -> dict[str, Any]:
    """A resource and a finding from the middle, and the keys of the thousandth pages."""
    resource = session.scalars(select(inventory.ResourceRow.id).offset(ORIGINALS // 2)).first()
    number = session.scalars(select(compliance.FindingRow.number).offset(ORIGINALS // 2)).first()
    return {
        "resource_id": str(resource),
        "number": number,
        "resources_after": _key(lambda page: resources.search_resources(
            session, access=SYSTEM, page=page
        )),
        "findings_after": _key(lambda page: findings.search_findings(
            session, access=SYSTEM, page=page
        )),
    }  # fmt: skip


def _key(ask: Callable[[PageRequest], Page[Any]]) -> str:
    """The key before the thousandth page of PAGE rows; '' when the list is shorter."""
    rows, key = (THOUSANDTH - 1) * PAGE, ""
    for done in range(0, rows, MAX_LIMIT):
        key = ask(PageRequest(min(MAX_LIMIT, rows - done), after=key)).next
        if not key:
            return ""
    return key


if __name__ == "__main__":
    print(json.dumps(seed(int(sys.argv[1]))))
