"""Connections, sweeps and the estate: resources with their revisions."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from app.kit.ids import uuid7
from app.store.base import Base
from app.store.columns import UTC, BigId, Json


class ConnectionRow(Base):
    """One source. `config` is plain settings; secrets in it are references, never values."""

    __tablename__ = "connection"

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    provider: Mapped[str] = mapped_column(String(20))
    config: Mapped[dict[str, Any]] = mapped_column(Json)
    enabled: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(UTC)
    version: Mapped[int] = mapped_column(default=1)


class SweepRow(Base):
    """One run of one collector over one connection, and what came of it.

    `trace` counts: resources_seen, resources_changed, resources_deleted, calls, throttled.
    """

    __tablename__ = "sweep"
    __table_args__ = (
        Index(
            "ix_sweep_connection_collector_started", "connection_id", "collector_id", "started_at"
        ),
        Index("ix_sweep_started_at", "started_at"),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    connection_id: Mapped[UUID] = mapped_column(ForeignKey("connection.id", ondelete="CASCADE"))
    collector_id: Mapped[str] = mapped_column(String(50))
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

    `observed_at` is our receipt time of the last sweep that saw it; `columns that lists sort and
    filter by` repeat what the current revision holds. `search` is the casefolded text for `q`.
    """

    __tablename__ = "resource"
    __table_args__ = (
        UniqueConstraint("connection_id", "kind", "immutable_id"),
        Index("ix_resource_live_name", "deleted_at", "kind", "name", "id"),
        Index("ix_resource_live_worst", "deleted_at", "kind", "worst_rank", "name", "id"),
        Index("ix_resource_native_id", "native_id"),
        Index("ix_resource_scope", "connection_id", "collector_id", "scope", "observed_at"),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    connection_id: Mapped[UUID] = mapped_column(ForeignKey("connection.id", ondelete="CASCADE"))
    collector_id: Mapped[str] = mapped_column(String(50))
    kind: Mapped[str] = mapped_column(String(50))
    provider: Mapped[str] = mapped_column(String(20))
    immutable_id: Mapped[str] = mapped_column(String(1000))
    native_id: Mapped[str] = mapped_column(String(1000))
    name: Mapped[str] = mapped_column(String(1000))
    search: Mapped[str] = mapped_column(Text)
    sub_account_id: Mapped[str] = mapped_column(String(200))
    region_id: Mapped[str | None] = mapped_column(String(100))
    scope: Mapped[str] = mapped_column(String(300))
    tags: Mapped[dict[str, str] | None] = mapped_column(Json)
    created_at: Mapped[datetime | None] = mapped_column(UTC)
    first_observed_at: Mapped[datetime] = mapped_column(UTC)
    observed_at: Mapped[datetime] = mapped_column(UTC)
    deleted_at: Mapped[datetime | None] = mapped_column(UTC)
    revision_id: Mapped[UUID | None] = mapped_column(Uuid)
    # 0 nothing wrong … 4 critical finding open, -1 not judged: for lists sorted by what is worst
    worst_rank: Mapped[int] = mapped_column(default=-1)
    non_compliant_count: Mapped[int] = mapped_column(default=0)
    unknown_count: Mapped[int] = mapped_column(default=0)


class ResourceRevisionRow(Base):
    """What was known of a resource from `valid_from` until `valid_to` (None: still).

    `facts` is `FactSet.to_json()` with collected and derived facts together. Rows are only added.
    """

    __tablename__ = "resource_revision"
    __table_args__ = (Index("ix_resource_revision_resource", "resource_id", "valid_from"),)

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    resource_id: Mapped[UUID] = mapped_column(ForeignKey("resource.id", ondelete="CASCADE"))
    sweep_id: Mapped[UUID | None] = mapped_column(Uuid)
    valid_from: Mapped[datetime] = mapped_column(UTC)
    valid_to: Mapped[datetime | None] = mapped_column(UTC)
    digest: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(1000))
    facts: Mapped[dict[str, Any]] = mapped_column(Json)
