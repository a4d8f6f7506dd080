"""Connections: made, changed, tried out and removed by people; every write is in the trail."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.clouds import aws, azure
from app.collectors import registry
from app.domain.access import Access, Scope
from app.domain.collecting import ConnectionStatus, Provider
from app.kit.clean import clean_json, clean_text
from app.kit.errors import ConflictError, InvalidInputError, NotFoundError
from app.kit.ids import uuid7
from app.kit.settings import settings
from app.services import audit_trail, sources, sweeps
from app.services.sources import to_domain
from app.store import sweep_records
from app.store.models.inventory import ConnectionRow
from app.store.queries.connections import ConnectionItem, get_connection
from app.store.scoping import key_of, visible

__all__ = ["check_config", "create", "delete", "set_enabled", "test", "to_domain", "update"]

NAME_CHARACTERS = 200
CONFIG_CHARACTERS = 20_000
_MEND = "correct the named settings; nothing was changed"


def check_config(provider: str, config: Mapping[str, Any]) -> None:
    """InvalidInputError that lists every fault of the settings, also where they may lead.

    Secrets must be references (`env:NAME`, `file:/path`); endpoints in private networks need
    ATALAYA_ALLOW_PRIVATE_ENDPOINTS.
    """
    checks = {Provider.AWS.value: aws.check_config, Provider.AZURE.value: azure.check_config}
    if provider not in checks:
        known = ", ".join(checks)
        raise InvalidInputError(f"no provider {provider[:20]!r}", mend=f"one of {known}")
    if len(repr(config)) > CONFIG_CHARACTERS:
        raise InvalidInputError("the settings are too long", mend=_MEND)
    checks[provider](config, allow_private=settings().allow_private_endpoints)
    _check_operations(provider, config.get("operations") or ())


def _check_operations(provider: str, wanted: Iterable[str]) -> None:
    """Calls that no collector makes; told now rather than by a sweep that fails."""
    known = {
        operation.name
        for collector in sources.collectors_of(provider)
        for operation in collector.operations
    }
    unknown = sorted(set(wanted) - known)
    if unknown:
        what = f"unknown {', '.join(unknown)}; known are {', '.join(sorted(known))}"
        raise InvalidInputError(
            f"operations: {what}", mend=_MEND, errors=({"where": "operations", "what": what},)
        )


def create(
    session: Session,
    *,
    access: Access,
    name: str,
    provider: str,
    config: Mapping[str, Any],
    now: datetime,
) -> ConnectionItem:
    """Makes a connection and queues its first sweeps. InvalidInputError, ConflictError (name)."""
    _demand_whole(access)
    check_config(provider, config)
    row = ConnectionRow(
        id=uuid7(),
        name=_name(session, name),
        provider=provider,
        config=clean_json(dict(config)),
        enabled=True,
        created_at=now,
        version=1,
    )
    session.add(row)
    session.flush()
    for collector in sources.collectors_of(provider):
        sweep_records.note_collector(
            session, row.id, collector.id, operations=sources.declared_operations(collector)
        )
    _tell(session, access, row, "connection.create", now)
    _sweep(session, access, row, now)
    return get_connection(session, access=access, connection_id=str(row.id))


def update(
    session: Session,
    *,
    access: Access,
    connection_id: str,
    changes: Mapping[str, Any],
    now: datetime,
    version: int | None = None,
) -> ConnectionItem:
    """Changes `name`, `config` (as a whole) or `enabled`.

    `version` is the one the caller saw; ConflictError when another is stored. New settings are
    tried by a sweep at once.
    """
    row = _row(session, access, connection_id, version)
    unknown = changes.keys() - {"name", "config", "enabled"}
    if unknown:
        raise InvalidInputError(
            f"{', '.join(sorted(unknown))} cannot be changed", mend="name, config and enabled can"
        )
    if changes.keys() & {"config", "enabled"}:
        sources.demand_cloud(row)
    if "config" in changes:
        check_config(row.provider, changes["config"])
        row.config = clean_json(dict(changes["config"]))
    if "name" in changes and changes["name"] != row.name:
        row.name = _name(session, changes["name"])
    if "enabled" in changes:
        row.enabled = bool(changes["enabled"])
    row.version += 1
    session.flush()
    _tell(session, access, row, "connection.update", now)
    if "config" in changes and row.enabled:
        _sweep(session, access, row, now)
    return get_connection(session, access=access, connection_id=str(row.id))


def set_enabled(
    session: Session,
    *,
    access: Access,
    connection_id: str,
    enabled: bool,
    now: datetime,
    version: int | None = None,
) -> ConnectionItem:
    """Switches it on or off; what was read stays, and grows stale."""
    return update(
        session,
        access=access,
        connection_id=connection_id,
        changes={"enabled": enabled},
        now=now,
        version=version,
    )


def delete(
    session: Session,
    *,
    access: Access,
    connection_id: str,
    now: datetime,
    version: int | None = None,
) -> None:
    """Removes it with all that was read through it; made reports keep what they say."""
    row = _row(session, access, connection_id, version)
    _tell(session, access, row, "connection.delete", now)
    session.delete(row)
    session.flush()


def test(session: Session, *, access: Access, connection_id: str) -> ConnectionStatus:
    """Asks the source who we are there. CollectorError when it does not let us in.

    The question goes over the network: call it outside of a transaction that writes.
    """
    access.demand(Scope.CONNECTIONS_WRITE)
    row = session.scalars(
        select(ConnectionRow).where(
            ConnectionRow.id == key_of(connection_id, "connection"),
            visible(access, ConnectionRow.id),
        )
    ).first()
    if row is None:
        raise NotFoundError(f"no connection {connection_id[:40]!r}")
    sources.demand_cloud(row)
    return registry.identity(to_domain(row))


def _demand_whole(access: Access) -> None:
    access.demand(Scope.CONNECTIONS_WRITE)
    if access.connection_ids is not None:
        raise ConflictError(
            "a caller limited to some connections cannot make another",
            mend="use a token without a limit to connections",
        )


def _row(
    session: Session, access: Access, connection_id: str, version: int | None
) -> ConnectionRow:
    access.demand(Scope.CONNECTIONS_WRITE)
    row = session.scalars(
        select(ConnectionRow)
        .where(
            ConnectionRow.id == key_of(connection_id, "connection"),
            visible(access, ConnectionRow.id),
        )
        .with_for_update()
    ).first()
    if row is None:
        raise NotFoundError(f"no connection {connection_id[:40]!r}")
    if version is not None and version != row.version:
        raise ConflictError(
            f"{row.name} is at version {row.version}, not {version}: somebody else changed it",
            mend="read it again and repeat the change",
        )
    return row


def _name(session: Session, name: str) -> str:
    wanted = clean_text(name).strip()
    if not 1 <= len(wanted) <= NAME_CHARACTERS:
        raise InvalidInputError(
            f"the name has {len(wanted)} characters",
            mend=f"1 to {NAME_CHARACTERS}",
            errors=({"where": "name", "what": f"1 to {NAME_CHARACTERS} characters"},),
        )
    if not wanted.isprintable():
        what = "one line of printable characters"
        raise InvalidInputError(
            "the name has characters that cannot be seen",
            mend=what,
            errors=({"where": "name", "what": what},),
        )
    taken = session.scalar(
        select(func.count()).select_from(ConnectionRow).where(ConnectionRow.name == wanted)
    )
    if taken:
        raise ConflictError(
            f"there is a connection named {wanted!r} already", mend="choose another name"
        )
    return wanted


def _sweep(session: Session, access: Access, row: ConnectionRow, now: datetime) -> None:
    sweeps.request_sweep(
        session,
        access=Access(access.actor, access.scopes | {Scope.SWEEPS_WRITE}),
        connection_id=str(row.id),
        now=now,
    )


def _tell(session: Session, access: Access, row: ConnectionRow, action: str, now: datetime) -> None:
    audit_trail.record(
        session,
        access=access,
        now=now,
        action=action,
        subject=("connection", str(row.id)),
        detail=row.name,
    )
