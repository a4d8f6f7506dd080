"""Connections are checked before they are kept, and only references to secrets are."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access, Scope
from app.kit.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
)
from app.kit.settings import settings
from app.services import connections, sandbox, sources, sweeps
from app.store.models.inventory import ConnectionRow
from app.store.models.work import RunRow
from app.store.queries import audit_trail
from app.store.queries import connections as queries
from tests import build
from tests.build import NOW, Cloud

AWS: dict[str, Any] = {"home_region": "eu-west-1"}
LATER = NOW + timedelta(minutes=1)


@pytest.fixture(autouse=True)
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    found = Cloud()
    build.play(monkeypatch, build.collector(found))
    return found


def create(session: Session, name: str = "AWS", **changes: Any) -> queries.ConnectionItem:
    values: dict[str, Any] = {"provider": "aws", "config": AWS, "access": SYSTEM, "now": NOW}
    return connections.create(session, name=name, **(values | changes))


def runs(session: Session) -> list[RunRow]:
    session.expire_all()
    return list(session.scalars(select(RunRow).where(RunRow.kind == "sweep")))


def test_a_new_connection_is_told_swept_and_says_what_it_needs(session: Session) -> None:
    item = create(session, "  AWS  ")
    assert (item.name, item.version, item.resources, item.last_sweep) == ("AWS", 1, 0, None)
    assert [run.args["connection_id"] for run in runs(session)] == [item.id]
    (permission,) = queries.permission_status(session, access=SYSTEM, connection_id=item.id)
    assert (permission.result, permission.why) == (
        "not_tried",
        "to see whether overwritten data is kept",
    )
    events = audit_trail.events_of(session, access=SYSTEM, subject=("connection", item.id))
    assert [event.action for event in events] == ["connection.sweep", "connection.create"]


@pytest.mark.parametrize(
    "changes",
    [
        {"provider": "gcp"},
        {"name": " "},
        {"name": "x" * 201},
        {"name": "AWS\r\nX-Evil: 1"},
        {"name": "\u200b"},
        {"name": "\x1b[2JAWS"},
        {"name": "AWS \u202e"},
        {"config": {"unknown": 1}},
        {"config": {"home_region": "mars-1"}},
        {
            "config": {
                "credentials": {
                    "mode": "access_key",
                    "access_key_id": "AKIAXXXXXXXX",
                    "secret_access_key": "wJalrXUtnFEMI",
                }
            }
        },
        {"config": {"endpoint_url": "http://169.254.169.254/"}},
        {"config": {"endpoint_url": "http://127.0.0.1:5432/"}},
        {"provider": "azure", "config": {}},
        {"config": {"regions": ["x" * 30_000]}},
    ],
)
def test_wrong_settings_are_refused_and_nothing_is_kept(
    session: Session, changes: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        create(session, **changes)
    assert "wJalrXUtnFEMI" not in str(caught.value)
    assert session.scalar(select(func.count()).select_from(ConnectionRow)) == 0
    assert runs(session) == []


def test_names_are_unique(session: Session) -> None:
    create(session)
    with pytest.raises(ConflictError, match="already"):
        create(session)


def test_a_change_needs_the_version_that_was_seen(session: Session) -> None:
    item = create(session)
    changed = connections.update(
        session,
        access=SYSTEM,
        connection_id=item.id,
        changes={"name": "AWS prod", "enabled": False},
        now=LATER,
        version=1,
    )
    assert (changed.name, changed.enabled, changed.version) == ("AWS prod", False, 2)
    with pytest.raises(ConflictError, match="somebody else"):
        connections.delete(session, access=SYSTEM, connection_id=item.id, now=LATER, version=1)
    with pytest.raises(InvalidInputError, match="provider"):
        connections.update(
            session, access=SYSTEM, connection_id=item.id, changes={"provider": "azure"}, now=LATER
        )


def test_deleting_takes_all_that_was_read_through_it(session: Session, cloud: Cloud) -> None:
    item = create(session)
    cloud.resources = [build.seen("a")]
    (run_id,) = (run.id for run in runs(session))
    row = session.scalars(select(ConnectionRow)).one()
    build.sweep(build.within(session), row.id, now=LATER)
    build.evaluate(session, now=LATER)
    connections.delete(session, access=SYSTEM, connection_id=item.id, now=LATER)
    session.expire_all()
    assert build.resources(session) == {}
    assert build.open_findings(session) == []
    assert queries.list_connections(session, access=SYSTEM) == ()
    assert session.get(RunRow, run_id) is not None


def test_a_sweep_is_asked_for_once(session: Session) -> None:
    item = create(session)
    first = sweeps.request_sweep(session, access=SYSTEM, connection_id=item.id, now=LATER)
    assert first == tuple(str(run.id) for run in runs(session))
    sweeps.enqueue_due(session, now=LATER)
    assert len(runs(session)) == 1
    run = runs(session)[0]
    run.state = "done"
    session.flush()
    again = sweeps.request_sweep(session, access=SYSTEM, connection_id=item.id, now=LATER)
    assert again != first
    assert len(runs(session)) == 2


def test_every_interval_has_one_sweep(session: Session) -> None:
    item = create(session)
    connection_id = UUID(item.id)
    collector = sources.collectors_of("aws")[0]
    began = sweeps.tick_of(connection_id, collector, NOW)
    assert began <= NOW < began + collector.every
    almost = began + collector.every - timedelta(seconds=1)
    assert sweeps.tick_of(connection_id, collector, almost) == began
    sweeps.enqueue_due(session, now=almost)
    assert len(runs(session)) == 1
    sweeps.enqueue_due(session, now=began + collector.every)
    assert len(runs(session)) == 2


def test_a_connection_that_is_off_is_left_alone(session: Session) -> None:
    item = create(session)
    connections.set_enabled(session, access=SYSTEM, connection_id=item.id, enabled=False, now=LATER)
    sweeps.enqueue_due(session, now=NOW + timedelta(days=1))
    assert len(runs(session)) == 1
    with pytest.raises(ConflictError, match="switched off"):
        sweeps.request_sweep(session, access=SYSTEM, connection_id=item.id, now=LATER)


@pytest.mark.parametrize("connection_id", ["", "nonsense", "00000000-0000-0000-0000-000000000000"])
def test_unknown_connections_are_not_found(session: Session, connection_id: str) -> None:
    for call in (connections.test, queries.get_connection):
        with pytest.raises(NotFoundError):
            call(session, access=SYSTEM, connection_id=connection_id)
    with pytest.raises(NotFoundError):
        sweeps.request_sweep(session, access=SYSTEM, connection_id=connection_id, now=NOW)


def test_writing_needs_its_scope_and_the_whole_estate(session: Session) -> None:
    with pytest.raises(ForbiddenError):
        create(session, access=Access("x", frozenset()))
    with pytest.raises(ConflictError):
        create(session, access=Access("x", frozenset({Scope.CONNECTIONS_WRITE}), frozenset()))


READY: dict[str, Any] = {
    "aws_endpoint": "http://127.0.0.1:5000",
    "azure_endpoint": "http://127.0.0.1:5001",
    "tenant_id": "00000000-0000-0000-0000-0000000000aa",
    "aws_role_name": "reader",
    "aws_external_id": "atalaya",
    "aws_regions": ["eu-central-1"],
    "credentials": {
        "aws": {
            "account_id": "123456789012",
            "access_key_id": "AKIASANDBOX",
            "secret_access_key_file": "/home/sandbox/aws-secret",
        },
        "azure": {"token_file": "/home/sandbox/azure-token"},
    },
}


def test_the_sandbox_is_connected_once_and_follows_its_ports(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ForbiddenError):
        sandbox.connect(session, READY, NOW)
    monkeypatch.setenv("ATALAYA_SANDBOX", "true")
    monkeypatch.setenv("ATALAYA_ALLOW_PRIVATE_ENDPOINTS", "true")
    settings.cache_clear()
    first = sandbox.connect(session, READY, NOW)
    assert sandbox.connect(session, READY, NOW) == first
    items = queries.list_connections(session, access=SYSTEM)
    assert [item.name for item in items] == ["AWS sandbox", "Azure sandbox"]
    assert [item.config["credentials"]["mode"] for item in items] == ["access_key", "static_token"]
    assert items[0].config["organization"] == {"role_name": "reader", "external_id": "atalaya"}
    sandbox.connect(session, READY | {"aws_endpoint": "http://127.0.0.1:6000"}, LATER)
    items = queries.list_connections(session, access=SYSTEM)
    assert items[0].config["endpoint_url"] == "http://127.0.0.1:6000"
    assert len(runs(session)) == 1
