"""Policies, verdicts, findings and waivers."""

import sqlalchemy as sa
from alembic import op

from app.store import columns

revision = "2026113003"
down_revision = "2026113002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "evaluation",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("started_at", columns.UTC(), nullable=False),
        sa.Column("ended_at", columns.UTC(), nullable=True),
        sa.Column("resources", sa.Integer(), nullable=False),
        sa.Column("counts", columns.Json, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluation")),
    )
    with op.batch_alter_table("evaluation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_evaluation_started_at"), ["started_at"], unique=False)

    op.create_table(
        "policy",
        sa.Column("id", sa.String(length=100), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("mode", sa.String(length=20), nullable=False),
        sa.Column("params", columns.Json, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("changed_at", columns.UTC(), nullable=False),
        sa.Column("changed_by", sa.String(length=200), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_policy")),
    )
    op.create_table(
        "finding",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("policy_id", sa.String(length=100), nullable=False),
        sa.Column("policy_version", sa.String(length=64), nullable=False),
        sa.Column("resource_id", sa.Uuid(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.String(length=300), nullable=False),
        sa.Column("pillar", sa.String(length=30), nullable=False),
        sa.Column("severity", sa.String(length=20), nullable=False),
        sa.Column("severity_rank", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("tab", sa.String(length=20), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("used", columns.Json, nullable=False),
        sa.Column("revision_id", sa.Uuid(), nullable=False),
        sa.Column("opened_at", columns.UTC(), nullable=False),
        sa.Column("last_observed_at", columns.UTC(), nullable=False),
        sa.Column("resolved_at", columns.UTC(), nullable=True),
        sa.Column("close_reason", sa.String(length=30), nullable=True),
        sa.Column("owner", sa.String(length=200), nullable=True),
        sa.Column("snoozed_until", columns.UTC(), nullable=True),
        sa.Column("waived_until", columns.UTC(), nullable=True),
        sa.Column("overlay_until", columns.UTC(), nullable=True),
        sa.Column("search", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_finding_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["resource_id"],
            ["resource.id"],
            name=op.f("fk_finding_resource_id_resource"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_finding")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("finding", schema=None) as batch_op:
        batch_op.create_index(
            "ix_finding_connection", ["connection_id", "policy_id", "tab", "severity"], unique=False
        )
        batch_op.create_index("ix_finding_fingerprint", ["fingerprint"], unique=False)
        batch_op.create_index("ix_finding_opened", ["opened_at", "id"], unique=False)
        batch_op.create_index("ix_finding_overlay", ["overlay_until"], unique=False)
        batch_op.create_index(
            "ix_finding_owner", ["owner", "tab", "severity_rank", "opened_at", "id"], unique=False
        )
        batch_op.create_index(
            "ix_finding_policy",
            ["policy_id", "tab", "severity_rank", "opened_at", "id"],
            unique=False,
        )
        batch_op.create_index("ix_finding_resolved", ["resolved_at", "id"], unique=False)
        batch_op.create_index("ix_finding_resource", ["resource_id", "state"], unique=False)
        batch_op.create_index("ix_finding_risk", ["severity_rank", "opened_at", "id"], unique=False)
        batch_op.create_index("ix_finding_tab_opened", ["tab", "opened_at", "id"], unique=False)
        batch_op.create_index(
            "ix_finding_tab_risk", ["tab", "severity_rank", "opened_at", "id"], unique=False
        )
        batch_op.create_index(
            "uq_finding_open_fingerprint",
            ["fingerprint"],
            unique=True,
            sqlite_where=sa.text("state = 'open'"),
            postgresql_where=sa.text("state = 'open'"),
        )

    op.create_table(
        "verdict",
        sa.Column("policy_id", sa.String(length=100), nullable=False),
        sa.Column("resource_id", sa.Uuid(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("policy_version", sa.String(length=64), nullable=False),
        sa.Column("verdict", sa.String(length=20), nullable=False),
        sa.Column("waived", sa.Boolean(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("reasons", columns.Json, nullable=False),
        sa.Column("used", columns.Json, nullable=False),
        sa.Column("revision_id", sa.Uuid(), nullable=False),
        sa.Column("since", columns.UTC(), nullable=False),
        sa.Column("evaluated_at", columns.UTC(), nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_verdict_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["resource_id"],
            ["resource.id"],
            name=op.f("fk_verdict_resource_id_resource"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("policy_id", "resource_id", name=op.f("pk_verdict")),
    )
    with op.batch_alter_table("verdict", schema=None) as batch_op:
        batch_op.create_index(
            "ix_verdict_connection",
            ["connection_id", "policy_id", "verdict", "waived"],
            unique=False,
        )
        batch_op.create_index(
            "ix_verdict_policy_verdict", ["policy_id", "verdict", "resource_id"], unique=False
        )
        batch_op.create_index("ix_verdict_resource", ["resource_id"], unique=False)

    op.create_table(
        "finding_event",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "finding_number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("at", columns.UTC(), nullable=False),
        sa.Column("actor", sa.String(length=200), nullable=False),
        sa.Column("action", sa.String(length=50), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["finding_number"],
            ["finding.number"],
            name=op.f("fk_finding_event_finding_number_finding"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_finding_event")),
    )
    with op.batch_alter_table("finding_event", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_finding_event_finding_number"), ["finding_number"], unique=False
        )

    op.create_table(
        "waiver",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column(
            "finding_number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("requested_by", sa.String(length=200), nullable=False),
        sa.Column("starts_at", columns.UTC(), nullable=False),
        sa.Column("ends_at", columns.UTC(), nullable=False),
        sa.Column("revoked_at", columns.UTC(), nullable=True),
        sa.ForeignKeyConstraint(
            ["finding_number"],
            ["finding.number"],
            name=op.f("fk_waiver_finding_number_finding"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_waiver")),
        sa.UniqueConstraint(
            "fingerprint", "starts_at", name=op.f("uq_waiver_fingerprint_starts_at")
        ),
    )
    with op.batch_alter_table("waiver", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_waiver_finding_number"), ["finding_number"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_waiver_fingerprint"), ["fingerprint"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("waiver", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_waiver_fingerprint"))
        batch_op.drop_index(batch_op.f("ix_waiver_finding_number"))

    op.drop_table("waiver")
    with op.batch_alter_table("finding_event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_finding_event_finding_number"))

    op.drop_table("finding_event")
    with op.batch_alter_table("verdict", schema=None) as batch_op:
        batch_op.drop_index("ix_verdict_resource")
        batch_op.drop_index("ix_verdict_policy_verdict")
        batch_op.drop_index("ix_verdict_connection")

    op.drop_table("verdict")
    with op.batch_alter_table("finding", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_finding_open_fingerprint",
            sqlite_where=sa.text("state = 'open'"),
            postgresql_where=sa.text("state = 'open'"),
        )
        batch_op.drop_index("ix_finding_tab_risk")
        batch_op.drop_index("ix_finding_tab_opened")
        batch_op.drop_index("ix_finding_risk")
        batch_op.drop_index("ix_finding_resource")
        batch_op.drop_index("ix_finding_resolved")
        batch_op.drop_index("ix_finding_policy")
        batch_op.drop_index("ix_finding_owner")
        batch_op.drop_index("ix_finding_overlay")
        batch_op.drop_index("ix_finding_opened")
        batch_op.drop_index("ix_finding_fingerprint")
        batch_op.drop_index("ix_finding_connection")

    op.drop_table("finding")
    op.drop_table("policy")
    with op.batch_alter_table("evaluation", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_evaluation_started_at"))

    op.drop_table("evaluation")
