"""The ledger of work, reports and the posture of each day."""

import sqlalchemy as sa
from alembic import op

from app.store import columns

revision = "2026113004"
down_revision = "2026113003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "posture",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("pillar", sa.String(length=30), nullable=False),
        sa.Column("compliant", sa.Integer(), nullable=False),
        sa.Column("non_compliant", sa.Integer(), nullable=False),
        sa.Column("waived", sa.Integer(), nullable=False),
        sa.Column("unknown", sa.Integer(), nullable=False),
        sa.Column("taken_at", columns.UTC(), nullable=False),
        sa.PrimaryKeyConstraint("day", "pillar", name=op.f("pk_posture")),
    )
    op.create_table(
        "report",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("week", sa.String(length=8), nullable=False),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("starts_at", columns.UTC(), nullable=False),
        sa.Column("ends_at", columns.UTC(), nullable=False),
        sa.Column("made_at", columns.UTC(), nullable=False),
        sa.Column("made_by", sa.String(length=200), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("summary", columns.Json, nullable=False),
        sa.Column("data", columns.Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint(
            "week", "time_zone", "edition", name=op.f("uq_report_week_time_zone_edition")
        ),
    )
    with op.batch_alter_table("report", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_report_made_at"), ["made_at"], unique=False)

    op.create_table(
        "run",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=50), nullable=False),
        sa.Column("slot", sa.String(length=300), nullable=False),
        sa.Column("subject", sa.String(length=300), nullable=False),
        sa.Column("args", columns.Json, nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("starts", sa.Integer(), nullable=False),
        sa.Column("queued_at", columns.UTC(), nullable=False),
        sa.Column("sent_at", columns.UTC(), nullable=False),
        sa.Column("not_before", columns.UTC(), nullable=True),
        sa.Column("lease_until", columns.UTC(), nullable=True),
        sa.Column("started_at", columns.UTC(), nullable=True),
        sa.Column("ended_at", columns.UTC(), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("requested_by", sa.String(length=200), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("kind", "slot", name=op.f("uq_run_kind_slot")),
    )
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.create_index("ix_run_kind_queued", ["kind", "queued_at"], unique=False)
        batch_op.create_index("ix_run_queued_at", ["queued_at", "id"], unique=False)
        batch_op.create_index("ix_run_state_lease", ["state", "lease_until"], unique=False)
        batch_op.create_index("ix_run_subject", ["subject", "state", "queued_at"], unique=False)
        batch_op.create_index(
            "uq_run_running_subject",
            ["subject"],
            unique=True,
            sqlite_where=sa.text("state = 'running' AND subject <> ''"),
            postgresql_where=sa.text("state = 'running' AND subject <> ''"),
        )


def downgrade() -> None:
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_run_running_subject",
            sqlite_where=sa.text("state = 'running' AND subject <> ''"),
            postgresql_where=sa.text("state = 'running' AND subject <> ''"),
        )
        batch_op.drop_index("ix_run_subject")
        batch_op.drop_index("ix_run_state_lease")
        batch_op.drop_index("ix_run_queued_at")
        batch_op.drop_index("ix_run_kind_queued")

    op.drop_table("run")
    with op.batch_alter_table("report", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_report_made_at"))

    op.drop_table("report")
    op.drop_table("posture")
