"""People, sessions, tokens and the audit trail."""

import sqlalchemy as sa
from alembic import op

from app.store import columns

revision = "2026113001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_event",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("at", columns.UTC(), nullable=False),
        sa.Column("actor", sa.String(length=200), nullable=False),
        sa.Column("action", sa.String(length=100), nullable=False),
        sa.Column("subject_kind", sa.String(length=50), nullable=False),
        sa.Column("subject_id", sa.String(length=200), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_event")),
    )
    with op.batch_alter_table("audit_event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_audit_event_at"), ["at"], unique=False)
        batch_op.create_index(
            "ix_audit_event_subject", ["subject_kind", "subject_id", "id"], unique=False
        )

    op.create_table(
        "idempotency_key",
        sa.Column("actor", sa.String(length=200), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("request_digest", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("body", columns.Json, nullable=True),
        sa.Column("created_at", columns.UTC(), nullable=False),
        sa.PrimaryKeyConstraint("actor", "key", name=op.f("pk_idempotency_key")),
    )
    with op.batch_alter_table("idempotency_key", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_idempotency_key_created_at"), ["created_at"], unique=False
        )

    op.create_table(
        "sign_in_attempt",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_sha256", sa.String(length=64), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("at", columns.UTC(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_attempt")),
    )
    with op.batch_alter_table("sign_in_attempt", schema=None) as batch_op:
        batch_op.create_index("ix_sign_in_attempt_account", ["account_sha256", "at"], unique=False)
        batch_op.create_index("ix_sign_in_attempt_address", ["address", "at"], unique=False)
        batch_op.create_index(batch_op.f("ix_sign_in_attempt_at"), ["at"], unique=False)

    op.create_table(
        "user_account",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("password_hash", sa.String(length=300), nullable=True),
        sa.Column("scopes", columns.Json, nullable=False),
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.Column("theme", sa.String(length=10), nullable=False),
        sa.Column("shortcuts", sa.Boolean(), nullable=False),
        sa.Column("disabled_at", columns.UTC(), nullable=True),
        sa.Column("created_at", columns.UTC(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_account")),
        sa.UniqueConstraint("email", name=op.f("uq_user_account_email")),
    )
    op.create_table(
        "api_token",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("prefix", sa.String(length=12), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("scopes", columns.Json, nullable=False),
        sa.Column("connection_ids", columns.Json, nullable=True),
        sa.Column("created_at", columns.UTC(), nullable=False),
        sa.Column("expires_at", columns.UTC(), nullable=True),
        sa.Column("last_used_at", columns.UTC(), nullable=True),
        sa.Column("revoked_at", columns.UTC(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_api_token_user_id_user_account"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("token_sha256", name=op.f("uq_api_token_token_sha256")),
    )
    op.create_table(
        "session",
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("csrf_token", sa.String(length=64), nullable=False),
        sa.Column("created_at", columns.UTC(), nullable=False),
        sa.Column("expires_at", columns.UTC(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_session_user_id_user_account"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_sha256", name=op.f("pk_session")),
    )
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_session_expires_at"), ["expires_at"], unique=False)

    op.create_table(
        "sign_in_link",
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", columns.UTC(), nullable=False),
        sa.Column("used_at", columns.UTC(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_sign_in_link_user_id_user_account"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("token_sha256", name=op.f("pk_sign_in_link")),
    )


def downgrade() -> None:
    op.drop_table("sign_in_link")
    with op.batch_alter_table("session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_session_expires_at"))

    op.drop_table("session")
    op.drop_table("api_token")
    op.drop_table("user_account")
    with op.batch_alter_table("sign_in_attempt", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_in_attempt_at"))
        batch_op.drop_index("ix_sign_in_attempt_address")
        batch_op.drop_index("ix_sign_in_attempt_account")

    op.drop_table("sign_in_attempt")
    with op.batch_alter_table("idempotency_key", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_idempotency_key_created_at"))

    op.drop_table("idempotency_key")
    with op.batch_alter_table("audit_event", schema=None) as batch_op:
        batch_op.drop_index("ix_audit_event_subject")
        batch_op.drop_index(batch_op.f("ix_audit_event_at"))

    op.drop_table("audit_event")
