"""Connections, sweeps and the estate: resources with their revisions and places."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, TextClause, UniqueConstraint, Uuid, text
from sqlalchemy.orm import Mapped, mapped_column

from app.kit.ids import uuid7
from app.store.base import Base
from app.store.columns import UTC, BigId, Json

CELL_CHARACTERS = 130
LIVE = text("deleted_at IS NULL")
GONE = text("deleted_at IS NOT NULL")
A_PART = text("deleted_at IS NULL AND parent_native_id <> ''")
A_GONE_PART = text("deleted_at IS NOT NULL AND parent_native_id <> ''")
BREACHED = text("deleted_at IS NULL AND non_compliant_count > 0")
UNSURE = text("deleted_at IS NULL AND unknown_count > 0")


def _index(name: str, *columns: str, where: TextClause | None = None) -> Index:
    """A partial index means the same on both dialects."""
    return Index(name, *columns, sqlite_where=where, postgresql_where=where)


class ConnectionRow(Base):
    """One source. `config` is plain settings; secrets in it are references, never values.

    `evaluated_at`: when all policies last ran over all its resources.
    """

    __tablename__ = "connection"

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    provider: Mapped[str] = mapped_column(String(20))
    config: Mapped[dict[str, Any]] = mapped_column(Json)
    enabled: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(UTC)
    version: Mapped[int] = mapped_column(default=1)
    evaluated_at: Mapped[datetime | None] = mapped_column(UTC)


class CollectorStateRow(Base):
    """Where a collector stands on a cell of a connection: its last sweep, and the last good one.

    `cell` is `str(Cell)`: '' for a collector that reads the whole connection at once.
    `last_good_at`: the last sweep that read something. `operations` is what the collector
    declares: [{"name", "permission", "why"}].
    """

    __tablename__ = "collector_state"

    connection_id: Mapped[UUID] = mapped_column(
        ForeignKey("connection.id", ondelete="CASCADE"), primary_key=True
    )
    collector_id: Mapped[str] = mapped_column(String(50), primary_key=True)
    cell: Mapped[str] = mapped_column(String(CELL_CHARACTERS), primary_key=True, default="")
    last_sweep_id: Mapped[UUID | None] = mapped_column(Uuid)
    last_good_at: Mapped[datetime | None] = mapped_column(UTC)
    operations: Mapped[list[dict[str, str]]] = mapped_column(Json, default=list)


class SweepRow(Base):
    """One run of one collector over one cell of a connection, and what came of it.

    A run has one sweep, also when it was started again. `trace` counts: resources_seen,
    resources_new, resources_changed, resources_deleted, resources_revived, samples_new,
    samples_changed, calls, throttled, starts; `clock_skew_seconds` is there when the source's
    clock is off by more than we tolerate.
    """

    __tablename__ = "sweep"
    __table_args__ = (
        Index(
            "ix_sweep_connection_collector_started", "connection_id", "collector_id", "started_at"
        ),
        Index("ix_sweep_started_at", "started_at", "id"),
        Index("uq_sweep_run", "run_id", unique=True),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    connection_id: Mapped[UUID] = mapped_column(ForeignKey("connection.id", ondelete="CASCADE"))
    collector_id: Mapped[str] = mapped_column(String(50))
    cell: Mapped[str] = mapped_column(String(CELL_CHARACTERS), default="")
    run_id: Mapped[UUID | None] = mapped_column(Uuid)
    state: Mapped[str] = mapped_column(String(20))
    started_at: Mapped[datetime] = mapped_column(UTC)
    ended_at: Mapped[datetime | None] = mapped_column(UTC)
    trace: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    code: Mapped[str] = mapped_column(String(200), default="")
    message: Mapped[str] = mapped_column(Text, default="")


class SweepScopeRow(Base):
    """Coverage of one scope by one operation in one sweep."""

    __tablename__ = "sweep_scope"
    __table_args__ = (UniqueConstraint("sweep_id", "scope", "operation"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    sweep_id: Mapped[UUID] = mapped_column(ForeignKey("sweep.id", ondelete="CASCADE"))
    scope: Mapped[str] = mapped_column(String(300))
    operation: Mapped[str] = mapped_column(String(200))
    permission: Mapped[str] = mapped_column(String(300))
    asked: Mapped[int] = mapped_column(default=0)
    answered: Mapped[int] = mapped_column(default=0)
    absent: Mapped[int] = mapped_column(default=0)
    denied: Mapped[int] = mapped_column(default=0)
    failed: Mapped[int] = mapped_column(default=0)
    skipped: Mapped[int] = mapped_column(default=0)
    throttled: Mapped[int] = mapped_column(default=0)
    code: Mapped[str] = mapped_column(String(200), default="")
    message: Mapped[str] = mapped_column(Text, default="")


class ResourceRow(Base):
    """One life of one resource. A thing made anew under an old name is another row.

    `observed_at` is our receipt time of the last sweep that saw it; columns that lists sort and
    filter by repeat what the current revision holds. `search` is the casefolded text for `q`.
    `worst_rank`: 0 nothing wrong … 4 critical finding open, -1 not judged; `worst_order` is its
    negative, because a list sorted worst first and then by name needs one direction.
    `parent_native_id`: what it is a part of, '' for what stands alone. `missing_since`: when a
    list that lags behind its source first left it out; the next one that does deletes it.
    The counts are verdicts of enforced policies, without those that are waived.
    """

    __tablename__ = "resource"
    __table_args__ = (
        UniqueConstraint("connection_id", "kind", "immutable_id"),
        Index("ix_resource_native_id", "native_id"),
        Index("ix_resource_scope", "connection_id", "collector_id", "scope", "observed_at"),
        Index("ix_resource_name", "name", "id"),
        # Holds all that the tally counts, so that counting reads this index alone.
        Index(
            "ix_resource_tally",
            "connection_id",
            "kind",
            "region_id",
            "provider",
            "deleted_at",
            "worst_rank",
            "non_compliant_count",
            "unknown_count",
        ),
        # Also holds what a search reads: it is short enough for Postgres (see NAME_BYTES).
        _index("ix_resource_live_name", "name", "id", "search", where=LIVE),
        _index("ix_resource_live_kind_name", "kind", "name", "id", where=LIVE),
        _index("ix_resource_live_region_name", "region_id", "name", "id", where=LIVE),
        _index("ix_resource_live_connection_name", "connection_id", "name", "id", where=LIVE),
        _index("ix_resource_live_worst", "worst_order", "name", "id", where=LIVE),
        _index("ix_resource_live_kind_worst", "kind", "worst_order", "name", "id", where=LIVE),
        _index("ix_resource_live_observed", "observed_at", "id", where=LIVE),
        _index("ix_resource_live_connection_kind", "connection_id", "kind", "id", where=LIVE),
        _index("ix_resource_live_breached", "name", "id", where=BREACHED),
        _index("ix_resource_live_unsure", "name", "id", where=UNSURE),
        _index("ix_resource_gone", "deleted_at", "id", where=GONE),
        _index("ix_resource_gone_name", "name", "id", where=GONE),
        _index("ix_resource_part", "parent_native_id", "name", "id", where=A_PART),
        _index("ix_resource_gone_part", "parent_native_id", "name", "id", where=A_GONE_PART),
        Index("ix_resource_first_observed", "first_observed_at", "id"),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    connection_id: Mapped[UUID] = mapped_column(ForeignKey("connection.id", ondelete="CASCADE"))
    collector_id: Mapped[str] = mapped_column(String(50))
    kind: Mapped[str] = mapped_column(String(50))
    provider: Mapped[str] = mapped_column(String(20))
    immutable_id: Mapped[str] = mapped_column(String(1000))
    native_id: Mapped[str] = mapped_column(String(1000))
    parent_native_id: Mapped[str] = mapped_column(String(1000), default="")
    name: Mapped[str] = mapped_column(String(1000))
    search: Mapped[str] = mapped_column(Text)
    sub_account_id: Mapped[str] = mapped_column(String(200))
    region_id: Mapped[str | None] = mapped_column(String(100))
    scope: Mapped[str] = mapped_column(String(300))
    tags: Mapped[dict[str, str] | None] = mapped_column(Json)
    created_at: Mapped[datetime | None] = mapped_column(UTC)
    first_observed_at: Mapped[datetime] = mapped_column(UTC)
    observed_at: Mapped[datetime] = mapped_column(UTC)
    missing_since: Mapped[datetime | None] = mapped_column(UTC)
    deleted_at: Mapped[datetime | None] = mapped_column(UTC)
    revision_id: Mapped[UUID | None] = mapped_column(Uuid)
    digest: Mapped[str] = mapped_column(String(64), default="")
    worst_rank: Mapped[int] = mapped_column(default=-1)
    worst_order: Mapped[int] = mapped_column(default=1)
    non_compliant_count: Mapped[int] = mapped_column(default=0)
    unknown_count: Mapped[int] = mapped_column(default=0)


class ResourceRevisionRow(Base):
    """What was known of a resource from `valid_from` until `valid_to` (None: still).

    `facts` is `FactSet.to_json()` with collected and derived facts together; `digest` covers them
    and name, region and tags. `number` counts from 1. Rows are only added, and closed once.
    """

    __tablename__ = "resource_revision"
    __table_args__ = (
        Index("ix_resource_revision_resource", "resource_id", "valid_from", "id"),
        _index("ix_resource_revision_changed", "valid_from", "id", where=text("number > 1")),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    resource_id: Mapped[UUID] = mapped_column(ForeignKey("resource.id", ondelete="CASCADE"))
    sweep_id: Mapped[UUID | None] = mapped_column(Uuid)
    number: Mapped[int] = mapped_column(default=1)
    valid_from: Mapped[datetime] = mapped_column(UTC)
    valid_to: Mapped[datetime | None] = mapped_column(UTC)
    digest: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(1000))
    region_id: Mapped[str | None] = mapped_column(String(100))
    tags: Mapped[dict[str, str] | None] = mapped_column(Json)
    facts: Mapped[dict[str, Any]] = mapped_column(Json)


class ResourcePlaceRow(Base):
    """A region where bytes of a live resource rest, from its derived fact `rest_places`.

    `region_id` is empty when it could not be read: a copy all the same.
    """

    __tablename__ = "resource_place"
    __table_args__ = (Index("ix_resource_place_connection", "connection_id", "region_id", "role"),)

    resource_id: Mapped[UUID] = mapped_column(
        ForeignKey("resource.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True)
    connection_id: Mapped[UUID] = mapped_column(ForeignKey("connection.id", ondelete="CASCADE"))
    region_id: Mapped[str] = mapped_column(String(100))
    role: Mapped[str] = mapped_column(String(30))
    zone: Mapped[str] = mapped_column(String(30))
