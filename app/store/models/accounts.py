"""People, their sessions and tokens, and the audit trail."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, Uuid
from sqlalchemy.orm import Mapped, mapped_column

from app.kit.ids import uuid7
from app.store.base import Base
from app.store.columns import UTC, BigId, Json


class UserRow(Base):
    """A local account. `password_hash` is argon2id; None until one is chosen."""

    __tablename__ = "user_account"

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    email: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str] = mapped_column(String(200))
    password_hash: Mapped[str | None] = mapped_column(String(300))
    scopes: Mapped[list[str]] = mapped_column(Json)
    language: Mapped[str] = mapped_column(String(5), default="en")
    theme: Mapped[str] = mapped_column(String(10), default="auto")
    shortcuts: Mapped[bool] = mapped_column(default=True)
    disabled_at: Mapped[datetime | None] = mapped_column(UTC)
    created_at: Mapped[datetime] = mapped_column(UTC)


class SessionRow(Base):
    """A browser session, kept on the server; the cookie holds a token whose sha256 is the key."""

    __tablename__ = "session"

    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    csrf_token: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(UTC)
    expires_at: Mapped[datetime] = mapped_column(UTC, index=True)


class SignInLinkRow(Base):
    """A one-time sign-in link; only its sha256 is stored."""

    __tablename__ = "sign_in_link"

    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    expires_at: Mapped[datetime] = mapped_column(UTC)
    used_at: Mapped[datetime | None] = mapped_column(UTC)


class SignInAttemptRow(Base):
    """One try to sign in with a password that has not succeeded, kept while it throttles others.

    `account_sha256` is of the casefolded e-mail, so that a wrong one typed in is not kept in clear.
    """

    __tablename__ = "sign_in_attempt"
    __table_args__ = (
        Index("ix_sign_in_attempt_account", "account_sha256", "at"),
        Index("ix_sign_in_attempt_address", "address", "at"),
    )

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    account_sha256: Mapped[str] = mapped_column(String(64))
    address: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime] = mapped_column(UTC, index=True)


class ApiTokenRow(Base):
    """An API token; only its sha256 is stored. `connection_ids` None: all connections."""

    __tablename__ = "api_token"

    id: Mapped[UUID] = mapped_column(Uuid, primary_key=True, default=uuid7)
    name: Mapped[str] = mapped_column(String(200))
    token_sha256: Mapped[str] = mapped_column(String(64), unique=True)
    prefix: Mapped[str] = mapped_column(String(12))
    user_id: Mapped[UUID] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    scopes: Mapped[list[str]] = mapped_column(Json)
    connection_ids: Mapped[list[str] | None] = mapped_column(Json)
    created_at: Mapped[datetime] = mapped_column(UTC)
    expires_at: Mapped[datetime | None] = mapped_column(UTC)
    last_used_at: Mapped[datetime | None] = mapped_column(UTC)
    revoked_at: Mapped[datetime | None] = mapped_column(UTC)


class IdempotencyKeyRow(Base):
    """The answer once given to a write with an Idempotency-Key, for 24 hours."""

    __tablename__ = "idempotency_key"

    actor: Mapped[str] = mapped_column(String(200), primary_key=True)
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    request_digest: Mapped[str] = mapped_column(String(64))
    status: Mapped[int | None]
    body: Mapped[dict[str, Any] | None] = mapped_column(Json)
    created_at: Mapped[datetime] = mapped_column(UTC, index=True)


class AuditEventRow(Base):
    """Who did what to which thing; rows are only added."""

    __tablename__ = "audit_event"
    __table_args__ = (Index("ix_audit_event_subject", "subject_kind", "subject_id", "id"),)

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    at: Mapped[datetime] = mapped_column(UTC, index=True)
    actor: Mapped[str] = mapped_column(String(200))
    action: Mapped[str] = mapped_column(String(100))
    subject_kind: Mapped[str] = mapped_column(String(50))
    subject_id: Mapped[str] = mapped_column(String(200))
    detail: Mapped[str] = mapped_column(Text, default="")
