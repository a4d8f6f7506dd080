"""Roll-ups that pages read instead of counting."""

import sqlalchemy as sa
from alembic import op


revision = "2026113005"
down_revision = "2026113004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "finding_tally",
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("policy_id", sa.String(length=100), nullable=False),
        sa.Column("tab", sa.String(length=20), nullable=False),
        sa.Column("severity", sa.String(length=20), nullable=False),
        sa.Column("pillar", sa.String(length=30), nullable=False),
        sa.Column("findings", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_finding_tally_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "connection_id", "policy_id", "tab", "severity", "pillar", name=op.f("pk_finding_tally")
        ),
    )
    op.create_table(
        "place_tally",
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("region_id", sa.String(length=100), nullable=False),
        sa.Column("role", sa.String(length=30), nullable=False),
        sa.Column("zone", sa.String(length=30), nullable=False),
        sa.Column("copies", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_place_tally_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "connection_id", "region_id", "role", "zone", name=op.f("pk_place_tally")
        ),
    )
    op.create_table(
        "resource_tally",
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=50), nullable=False),
        sa.Column("region_id", sa.String(length=100), nullable=False),
        sa.Column("provider", sa.String(length=20), nullable=False),
        sa.Column("live", sa.Integer(), nullable=False),
        sa.Column("deleted", sa.Integer(), nullable=False),
        sa.Column("breached", sa.Integer(), nullable=False),
        sa.Column("unsure", sa.Integer(), nullable=False),
        sa.Column("clean", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_resource_tally_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "connection_id", "kind", "region_id", name=op.f("pk_resource_tally")
        ),
    )
    op.create_table(
        "verdict_tally",
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("policy_id", sa.String(length=100), nullable=False),
        sa.Column("pillar", sa.String(length=30), nullable=False),
        sa.Column("enforced", sa.Boolean(), nullable=False),
        sa.Column("compliant", sa.Integer(), nullable=False),
        sa.Column("non_compliant", sa.Integer(), nullable=False),
        sa.Column("waived", sa.Integer(), nullable=False),
        sa.Column("unknown", sa.Integer(), nullable=False),
        sa.Column("not_applicable", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_verdict_tally_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("connection_id", "policy_id", name=op.f("pk_verdict_tally")),
    )


def downgrade() -> None:
    op.drop_table("verdict_tally")
    op.drop_table("resource_tally")
    op.drop_table("place_tally")
    op.drop_table("finding_tally")
