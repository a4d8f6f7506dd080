"""Writes of a sweep: resources seen, their revisions and their places."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from app.domain.collecting import WHOLE, Cell
from app.kit.ids import uuid7
from app.store import dialect
from app.store.models.inventory import ResourcePlaceRow, ResourceRevisionRow, ResourceRow

CHUNK = 500  # values in one IN list: far below any limit of either dialect


@dataclass(frozen=True, slots=True)
class Place:
    """A region where bytes rest; `region_id` '' when it could not be read."""

    region_id: str
    role: str
    zone: str


@dataclass(frozen=True, slots=True)
class Observed:
    """One resource as a sweep saw it, in stored form: clean, and short enough for its columns."""

    kind: str
    immutable_id: str
    native_id: str
    name: str
    search: str
    sub_account_id: str
    region_id: str | None
    scope: str
    created_at: datetime | None
    tags: dict[str, str] | None
    facts: dict[str, Any]
    digest: str
    places: tuple[Place, ...]
    parent_native_id: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """Which sweep of what is written: one attempt of one collector on a cell of a connection.

    `at` is the start of the attempt: everything it sees is stamped with it, so whatever bears an
    older stamp at the end was not seen.
    """

    connection_id: UUID
    provider: str
    collector_id: str
    sweep_id: UUID
    at: datetime
    cell: Cell = WHOLE


@dataclass(frozen=True, slots=True)
class Declaring:
    """What people declare at an instant, through the connection that stands for it: no sweep."""

    connection_id: UUID
    provider: str
    collector_id: str
    at: datetime
    sweep_id: None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """What a batch came to. `revived` had been deleted; both they and new ones are `changed`."""

    new: int
    changed: int
    revived: tuple[UUID, ...]
    restructured: bool


@dataclass(frozen=True, slots=True)
class _Known:
    id: UUID
    first_observed_at: datetime
    deleted: bool
    digest: str
    region_id: str | None
    revision_id: UUID | None
    number: int


def store(session: Session, reading: Reading | Declaring, batch: Sequence[Observed]) -> Stored:
    """Upserts a batch; a revision is added only where the digest differs from the last.

    The caller holds `dialect.lock_connection`. Of a resource that comes twice the last counts.
    """
    unique = {(seen.kind, seen.immutable_id): seen for seen in batch}
    known = _known(session, reading, unique)
    rows, revisions, closed = [], [], []
    for key, seen in unique.items():
        old = known.get(key)
        resource_id = old.id if old else uuid7()
        revision_id = old.revision_id if old else None
        if old is None or old.digest != seen.digest:
            revision = _revision(reading, seen, resource_id, old.number + 1 if old else 1)
            revisions.append(revision)
            if old and old.revision_id and not old.deleted:
                closed.append(old.revision_id)
            revision_id = revision["id"]
        rows.append(_resource(reading, seen, resource_id, revision_id, old))
    _write(session, reading, rows, revisions, closed)
    changed = {revision["resource_id"]: revision for revision in revisions}
    _write_places(session, reading, rows, unique.values(), changed)
    return _summary(unique, known, len(revisions))


def _summary(
    unique: Mapping[tuple[str, str], Observed],
    known: Mapping[tuple[str, str], _Known],
    changed: int,
) -> Stored:
    moved = any(
        (old := known.get(key)) is None or old.deleted or old.region_id != seen.region_id
        for key, seen in unique.items()
    )
    return Stored(
        new=len(unique) - len(known),
        changed=changed,
        revived=tuple(old.id for old in known.values() if old.deleted),
        restructured=moved,
    )


def _known(
    session: Session, reading: Reading | Declaring, unique: Mapping[tuple[str, str], Observed]
) -> dict[tuple[str, str], _Known]:
    found: dict[tuple[str, str], _Known] = {}
    for kind in {kind for kind, _ in unique}:
        ids = [immutable_id for other, immutable_id in unique if other == kind]
        for part in chunks(ids):
            rows = session.execute(
                select(
                    ResourceRow.immutable_id,
                    ResourceRow.id,
                    ResourceRow.first_observed_at,
                    ResourceRow.deleted_at,
                    ResourceRow.digest,
                    ResourceRow.region_id,
                    ResourceRow.revision_id,
                    ResourceRevisionRow.number,
                )
                .outerjoin(ResourceRevisionRow, ResourceRevisionRow.id == ResourceRow.revision_id)
                .where(
                    ResourceRow.connection_id == reading.connection_id,
                    ResourceRow.kind == kind,
                    ResourceRow.immutable_id.in_(part),
                )
            )
            for immutable_id, key, first, deleted_at, digest, region, revision, number in rows:
                found[kind, immutable_id] = _Known(
                    key, first, deleted_at is not None, digest, region, revision, number or 0
                )
    return found


def _revision(
    reading: Reading | Declaring, seen: Observed, resource_id: UUID, number: int
) -> dict[str, Any]:
    return {
        "id": uuid7(),
        "resource_id": resource_id,
        "sweep_id": reading.sweep_id,
        "number": number,
        "valid_from": reading.at,
        "valid_to": None,
        "digest": seen.digest,
        "name": seen.name,
        "region_id": seen.region_id,
        "tags": seen.tags,
        "facts": seen.facts,
    }


def _resource(
    reading: Reading | Declaring,
    seen: Observed,
    resource_id: UUID,
    revision_id: UUID | None,
    old: _Known | None,
) -> dict[str, Any]:
    return {
        "id": resource_id,
        "connection_id": reading.connection_id,
        "collector_id": reading.collector_id,
        "kind": seen.kind,
        "provider": reading.provider,
        "immutable_id": seen.immutable_id,
        "native_id": seen.native_id,
        "parent_native_id": seen.parent_native_id,
        "name": seen.name,
        "search": seen.search,
        "sub_account_id": seen.sub_account_id,
        "region_id": seen.region_id,
        "scope": seen.scope,
        "tags": seen.tags,
        "created_at": seen.created_at,
        "first_observed_at": old.first_observed_at if old else reading.at,
        "observed_at": reading.at,
        "missing_since": None,
        "deleted_at": None,
        "revision_id": revision_id,
        "digest": seen.digest,
        "worst_rank": -1,
        "worst_order": 1,
        "non_compliant_count": 0,
        "unknown_count": 0,
    }


_JUDGED = frozenset({"worst_rank", "worst_order", "non_compliant_count", "unknown_count"})


def _write(
    session: Session,
    reading: Reading | Declaring,
    rows: Sequence[dict[str, Any]],
    revisions: Sequence[dict[str, Any]],
    closed: Sequence[UUID],
) -> None:
    for part in chunks(closed):
        session.execute(
            update(ResourceRevisionRow)
            .where(ResourceRevisionRow.id.in_(part))
            .values(valid_to=reading.at)
            .execution_options(synchronize_session=False)
        )
    identity = ("connection_id", "kind", "immutable_id")
    keep = _JUDGED | {"id", "first_observed_at"}
    if rows:
        session.execute(dialect.upsert(session, ResourceRow, on=identity, keep=keep), list(rows))
    if revisions:
        session.execute(insert(ResourceRevisionRow), list(revisions))


def _write_places(
    session: Session,
    reading: Reading | Declaring,
    rows: Sequence[dict[str, Any]],
    batch: Iterable[Observed],
    changed: Mapping[UUID, Any],
) -> None:
    ids = [row["id"] for row in rows if row["id"] in changed]
    forget_places(session, ids)
    places = [
        {
            "resource_id": row["id"],
            "position": position,
            "connection_id": reading.connection_id,
            "region_id": place.region_id,
            "role": place.role,
            "zone": place.zone,
        }
        for row, seen in zip(rows, batch, strict=True)
        if row["id"] in changed
        for position, place in enumerate(seen.places)
    ]
    if places:
        session.execute(insert(ResourcePlaceRow), places)


def forget_places(session: Session, ids: Sequence[UUID]) -> None:
    """Removes the places of resources."""
    for part in chunks(ids):
        session.execute(
            delete(ResourcePlaceRow)
            .where(ResourcePlaceRow.resource_id.in_(part))
            .execution_options(synchronize_session=False)
        )


def chunks(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """Parts short enough for an IN list."""
    for start in range(0, len(values), CHUNK):
        yield values[start : start + CHUNK]
