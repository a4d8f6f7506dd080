"""The ledger of work, and the weekly reports it makes."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Index, String, Text, UniqueConstraint, Uuid, text
from sqlalchemy.orm import Mapped, mapped_column

from app.kit.ids import uuid7
from app.store.base import Base
from app.store.columns import UTC, Json


class RunRow(Base):
    """One piece of work. unique(kind, slot) makes scheduling twice harmless.

    States: queued, running, done, failed. `fence` grows with each claim; results are accepted
    only from the newest. `starts` is bounded, so work that kills its worker ends as failed.
    Of runs with the same `subject` only one is running at a time.
    """

    __tablename__ = "run"
    __table_args__ = (
        UniqueConstraint("kind", "slot"),
        Index("ix_run_state_lease", "state", "lease_until"),
        Index("ix_run_kind_queued", "kind", "queued_at"),
        Index("ix_run_queued_at", "queued_at", "id"),
        Index("ix_run_subject", "subject", "state", "queued_at"),
        Index(
            "uq_run_running_subject",
            "subject",
            unique=True,
            sqlite_where=text("state = 'running' AND subject <> ''"),
            postgresql_where=text("state = 'running' AND subject <> ''"),
        ),
    )

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    kind: Mapped[str] = mapped_column(String(50))
    slot: Mapped[str] = mapped_column(String(300))
    subject: Mapped[str] = mapped_column(String(300), default="")
    args: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    state: Mapped[str] = mapped_column(String(20))
    fence: Mapped[int] = mapped_column(default=0)
    starts: Mapped[int] = mapped_column(default=0)
    queued_at: Mapped[datetime] = mapped_column(UTC)
    sent_at: Mapped[datetime] = mapped_column(UTC)
    not_before: Mapped[datetime | None] = mapped_column(UTC)
    lease_until: Mapped[datetime | None] = mapped_column(UTC)
    started_at: Mapped[datetime | None] = mapped_column(UTC)
    ended_at: Mapped[datetime | None] = mapped_column(UTC)
    error: Mapped[str] = mapped_column(Text, default="")
    requested_by: Mapped[str] = mapped_column(String(200), default="system")


class ReportRow(Base):
    """One weekly report, frozen when made: every format is rendered from `data`.

    `summary` is what a list of reports shows.
    """

    __tablename__ = "report"
    __table_args__ = (UniqueConstraint("week", "time_zone", "edition"),)

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    week: Mapped[str] = mapped_column(String(8))
    time_zone: Mapped[str] = mapped_column(String(64))
    edition: Mapped[int] = mapped_column(default=1)
    starts_at: Mapped[datetime] = mapped_column(UTC)
    ends_at: Mapped[datetime] = mapped_column(UTC)
    made_at: Mapped[datetime] = mapped_column(UTC, index=True)
    made_by: Mapped[str] = mapped_column(String(200))
    digest: Mapped[str] = mapped_column(String(64))
    summary: Mapped[dict[str, Any]] = mapped_column(Json)
    data: Mapped[dict[str, Any]] = mapped_column(Json)


class PostureRow(Base):
    """The score of one pillar at the end of one day or week: the history behind trends."""

    __tablename__ = "posture"

    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    pillar: Mapped[str] = mapped_column(String(30), primary_key=True)
    compliant: Mapped[int]
    non_compliant: Mapped[int]
    waived: Mapped[int]
    unknown: Mapped[int]
    taken_at: Mapped[datetime] = mapped_column(UTC)
