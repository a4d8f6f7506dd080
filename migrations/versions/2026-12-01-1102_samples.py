"""Metric samples: series that are kept once, and their values."""

import sqlalchemy as sa
from alembic import op

from app.store import columns

revision = "2026120103"
down_revision = "2026120102"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "metric_series",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("sub_account_id", sa.String(length=200), nullable=False),
        sa.Column("region_id", sa.String(length=100), nullable=False),
        sa.Column("subject_kind", sa.String(length=50), nullable=False),
        sa.Column("subject_id", sa.String(length=1000), nullable=False),
        sa.Column("metric", sa.String(length=100), nullable=False),
        sa.Column("unit", sa.String(length=20), nullable=False),
        sa.Column("source", sa.String(length=300), nullable=False),
        sa.Column("statistic", sa.String(length=20), nullable=False),
        sa.Column("period_seconds", sa.Integer(), nullable=False),
        sa.Column("dimension", sa.String(length=200), nullable=False),
        sa.Column("labels", columns.Json, nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name="fk_metric_series_connection_id_connection",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_metric_series"),
    )
    op.create_index(
        "uq_metric_series_digest", "metric_series", ["connection_id", "digest"], unique=True
    )
    op.create_index("ix_metric_series_subject", "metric_series", ["connection_id", "subject_id"])
    op.create_table(
        "metric_sample",
        sa.Column("at", columns.EpochSeconds(), nullable=False),
        sa.Column("value", sa.Float(precision=53), nullable=False),
        sa.Column("series_id", sa.Integer(), nullable=False),
        sa.Column("sample_count", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["series_id"],
            ["metric_series.id"],
            name="fk_metric_sample_series_id_metric_series",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("series_id", "at", name="pk_metric_sample"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("metric_sample")
    op.drop_index("ix_metric_series_subject", table_name="metric_series")
    op.drop_index("uq_metric_series_digest", table_name="metric_series")
    op.drop_table("metric_series")
