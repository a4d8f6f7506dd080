"""Policies as set here, verdicts, findings with their history, and waivers."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, Uuid, text
from sqlalchemy.orm import Mapped, mapped_column

from app.kit.ids import uuid7
from app.store.base import Base
from app.store.columns import UTC, BigId, Json


class PolicyRow(Base):
    """A policy as it stands here: users' own source, or mode and parameters of a built-in one.

    `source` is YAML text for own policies, None for built-in ones (their file is the source).
    """

    __tablename__ = "policy"

    id: Mapped[str] = mapped_column(String(100), primary_key=True)
    source: Mapped[str | None] = mapped_column(Text)
    mode: Mapped[str] = mapped_column(String(20))
    params: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    version: Mapped[int] = mapped_column(default=1)
    changed_at: Mapped[datetime] = mapped_column(UTC)
    changed_by: Mapped[str] = mapped_column(String(200))


class EvaluationRow(Base):
    """One run of all policies over one connection or all, with the `resources` that it judged.

    `counts` are those of the whole estate after it, per policy and verdict.
    """

    __tablename__ = "evaluation"

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    started_at: Mapped[datetime] = mapped_column(UTC, index=True)
    ended_at: Mapped[datetime | None] = mapped_column(UTC)
    resources: Mapped[int] = mapped_column(default=0)
    counts: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)


class VerdictRow(Base):
    """The present verdict of a policy on a live resource; `since` is when it last changed.

    `waived`: it is non_compliant and its finding is excused for now. Rows are written only when
    something changed, so `evaluated_at` may be older than the connection's `evaluated_at`.
    """

    __tablename__ = "verdict"
    __table_args__ = (
        Index("ix_verdict_resource", "resource_id"),
        Index("ix_verdict_policy_verdict", "policy_id", "verdict", "resource_id"),
        Index("ix_verdict_connection", "connection_id", "policy_id", "verdict", "waived"),
    )

    policy_id: Mapped[str] = mapped_column(String(100), primary_key=True)
    resource_id: Mapped[UUID] = mapped_column(
        ForeignKey("resource.id", ondelete="CASCADE"), primary_key=True
    )
    connection_id: Mapped[UUID] = mapped_column(ForeignKey("connection.id", ondelete="CASCADE"))
    policy_version: Mapped[str] = mapped_column(String(64))
    verdict: Mapped[str] = mapped_column(String(20))
    waived: Mapped[bool] = mapped_column(default=False)
    message: Mapped[str] = mapped_column(Text)
    reasons: Mapped[list[str]] = mapped_column(Json, default=list)
    used: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    revision_id: Mapped[UUID] = mapped_column(Uuid)
    since: Mapped[datetime] = mapped_column(UTC)
    evaluated_at: Mapped[datetime] = mapped_column(UTC)


class FindingRow(Base):
    """One breach of one policy by one life of one resource, from opening to closing.

    `fingerprint` is unique among open findings. `number` is the short name shown (F-1182).
    `tab` is where lists show it: open, snoozed, waived (both laid over open, until
    `overlay_until`) or resolved; kept in the row because lists and counts read it by index.
    `id` breaks ties in lists: SQLite cannot seek by a primary key that ends an index.
    `last_observed_at` is written when the breach is no longer seen; until then it is the
    resource's own `observed_at`.
    """

    __tablename__ = "finding"
    __table_args__ = (
        Index(
            "uq_finding_open_fingerprint",
            "fingerprint",
            unique=True,
            sqlite_where=text("state = 'open'"),
            postgresql_where=text("state = 'open'"),
        ),
        Index("ix_finding_tab_risk", "tab", "severity_rank", "opened_at", "id"),
        Index("ix_finding_tab_opened", "tab", "opened_at", "id"),
        Index("ix_finding_risk", "severity_rank", "opened_at", "id"),
        Index("ix_finding_opened", "opened_at", "id"),
        Index("ix_finding_policy", "policy_id", "tab", "severity_rank", "opened_at", "id"),
        Index("ix_finding_connection", "connection_id", "policy_id", "tab", "severity"),
        Index("ix_finding_owner", "owner", "tab", "severity_rank", "opened_at", "id"),
        Index("ix_finding_fingerprint", "fingerprint"),
        Index("ix_finding_resolved", "resolved_at", "id"),
        Index("ix_finding_overlay", "overlay_until"),
        Index("ix_finding_resource", "resource_id", "state"),
        {"sqlite_autoincrement": True},  # a number is never given twice, also after deletions
    )

    number: Mapped[int] = mapped_column(BigId, primary_key=True)
    id: Mapped[UUID] = mapped_column(Uuid, default=uuid7)
    fingerprint: Mapped[str] = mapped_column(String(64))
    policy_id: Mapped[str] = mapped_column(String(100))
    policy_version: Mapped[str] = mapped_column(String(64))
    resource_id: Mapped[UUID] = mapped_column(ForeignKey("resource.id", ondelete="CASCADE"))
    connection_id: Mapped[UUID] = mapped_column(ForeignKey("connection.id", ondelete="CASCADE"))
    title: Mapped[str] = mapped_column(String(300))
    pillar: Mapped[str] = mapped_column(String(30))
    severity: Mapped[str] = mapped_column(String(20))
    severity_rank: Mapped[int]
    state: Mapped[str] = mapped_column(String(20))
    tab: Mapped[str] = mapped_column(String(20), default="open")
    message: Mapped[str] = mapped_column(Text)
    used: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    revision_id: Mapped[UUID] = mapped_column(Uuid)
    opened_at: Mapped[datetime] = mapped_column(UTC)
    last_observed_at: Mapped[datetime] = mapped_column(UTC)
    resolved_at: Mapped[datetime | None] = mapped_column(UTC)
    close_reason: Mapped[str | None] = mapped_column(String(30))
    owner: Mapped[str | None] = mapped_column(String(200))
    snoozed_until: Mapped[datetime | None] = mapped_column(UTC)
    waived_until: Mapped[datetime | None] = mapped_column(UTC)
    overlay_until: Mapped[datetime | None] = mapped_column(UTC)
    search: Mapped[str] = mapped_column(Text)


class FindingEventRow(Base):
    """One line of a finding's history."""

    __tablename__ = "finding_event"

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    finding_number: Mapped[int] = mapped_column(
        ForeignKey("finding.number", ondelete="CASCADE"), index=True
    )
    at: Mapped[datetime] = mapped_column(UTC)
    actor: Mapped[str] = mapped_column(String(200))
    action: Mapped[str] = mapped_column(String(50))
    detail: Mapped[str] = mapped_column(Text, default="")


class WaiverRow(Base):
    """A time-boxed excuse for one finding: who allows it, why, until when.

    Bound to the fingerprint, so a resource made anew inherits nothing (field case F15).
    """

    __tablename__ = "waiver"
    __table_args__ = (UniqueConstraint("fingerprint", "starts_at"),)

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    fingerprint: Mapped[str] = mapped_column(String(64), index=True)
    finding_number: Mapped[int] = mapped_column(
        ForeignKey("finding.number", ondelete="CASCADE"), index=True
    )
    reason: Mapped[str] = mapped_column(Text)
    requested_by: Mapped[str] = mapped_column(String(200))
    starts_at: Mapped[datetime] = mapped_column(UTC)
    ends_at: Mapped[datetime] = mapped_column(UTC)
    revoked_at: Mapped[datetime | None] = mapped_column(UTC)
