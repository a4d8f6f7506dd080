"""Connections, sweeps, resources and their revisions."""

import sqlalchemy as sa
from alembic import op

from app.store import columns

revision = "2026113002"
down_revision = "2026113001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "connection",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("provider", sa.String(length=20), nullable=False),
        sa.Column("config", columns.Json, nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", columns.UTC(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("evaluated_at", columns.UTC(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_connection")),
        sa.UniqueConstraint("name", name=op.f("uq_connection_name")),
    )
    op.create_table(
        "collector_state",
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("collector_id", sa.String(length=50), nullable=False),
        sa.Column("last_sweep_id", sa.Uuid(), nullable=True),
        sa.Column("last_good_at", columns.UTC(), nullable=True),
        sa.Column("operations", columns.Json, nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_collector_state_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("connection_id", "collector_id", name=op.f("pk_collector_state")),
    )
    op.create_table(
        "resource",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("collector_id", sa.String(length=50), nullable=False),
        sa.Column("kind", sa.String(length=50), nullable=False),
        sa.Column("provider", sa.String(length=20), nullable=False),
        sa.Column("immutable_id", sa.String(length=1000), nullable=False),
        sa.Column("native_id", sa.String(length=1000), nullable=False),
        sa.Column("name", sa.String(length=1000), nullable=False),
        sa.Column("search", sa.Text(), nullable=False),
        sa.Column("sub_account_id", sa.String(length=200), nullable=False),
        sa.Column("region_id", sa.String(length=100), nullable=True),
        sa.Column("scope", sa.String(length=300), nullable=False),
        sa.Column("tags", columns.Json, nullable=True),
        sa.Column("created_at", columns.UTC(), nullable=True),
        sa.Column("first_observed_at", columns.UTC(), nullable=False),
        sa.Column("observed_at", columns.UTC(), nullable=False),
        sa.Column("deleted_at", columns.UTC(), nullable=True),
        sa.Column("revision_id", sa.Uuid(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("worst_rank", sa.Integer(), nullable=False),
        sa.Column("worst_order", sa.Integer(), nullable=False),
        sa.Column("non_compliant_count", sa.Integer(), nullable=False),
        sa.Column("unknown_count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_resource_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_resource")),
        sa.UniqueConstraint(
            "connection_id",
            "kind",
            "immutable_id",
            name=op.f("uq_resource_connection_id_kind_immutable_id"),
        ),
    )
    with op.batch_alter_table("resource", schema=None) as batch_op:
        batch_op.create_index(
            "ix_resource_first_observed", ["first_observed_at", "id"], unique=False
        )
        batch_op.create_index(
            "ix_resource_gone",
            ["deleted_at", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NOT NULL"),
            postgresql_where=sa.text("deleted_at IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_resource_gone_name",
            ["name", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NOT NULL"),
            postgresql_where=sa.text("deleted_at IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_resource_live_breached",
            ["name", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL AND non_compliant_count > 0"),
            postgresql_where=sa.text("deleted_at IS NULL AND non_compliant_count > 0"),
        )
        batch_op.create_index(
            "ix_resource_live_connection_kind",
            ["connection_id", "kind", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.create_index(
            "ix_resource_live_connection_name",
            ["connection_id", "name", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.create_index(
            "ix_resource_live_kind_name",
            ["kind", "name", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.create_index(
            "ix_resource_live_kind_worst",
            ["kind", "worst_order", "name", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.create_index(
            "ix_resource_live_name",
            ["name", "id", "search"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.create_index(
            "ix_resource_live_observed",
            ["observed_at", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.create_index(
            "ix_resource_live_region_name",
            ["region_id", "name", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.create_index(
            "ix_resource_live_unsure",
            ["name", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL AND unknown_count > 0"),
            postgresql_where=sa.text("deleted_at IS NULL AND unknown_count > 0"),
        )
        batch_op.create_index(
            "ix_resource_live_worst",
            ["worst_order", "name", "id"],
            unique=False,
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.create_index("ix_resource_name", ["name", "id"], unique=False)
        batch_op.create_index("ix_resource_native_id", ["native_id"], unique=False)
        batch_op.create_index(
            "ix_resource_scope",
            ["connection_id", "collector_id", "scope", "observed_at"],
            unique=False,
        )
        batch_op.create_index(
            "ix_resource_tally",
            [
                "connection_id",
                "kind",
                "region_id",
                "provider",
                "deleted_at",
                "worst_rank",
                "non_compliant_count",
                "unknown_count",
            ],
            unique=False,
        )

    op.create_table(
        "sweep",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("collector_id", sa.String(length=50), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("started_at", columns.UTC(), nullable=False),
        sa.Column("ended_at", columns.UTC(), nullable=True),
        sa.Column("trace", columns.Json, nullable=False),
        sa.Column("code", sa.String(length=200), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_sweep_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sweep")),
    )
    with op.batch_alter_table("sweep", schema=None) as batch_op:
        batch_op.create_index(
            "ix_sweep_connection_collector_started",
            ["connection_id", "collector_id", "started_at"],
            unique=False,
        )
        batch_op.create_index("ix_sweep_started_at", ["started_at", "id"], unique=False)
        batch_op.create_index("uq_sweep_run", ["run_id"], unique=True)

    op.create_table(
        "resource_place",
        sa.Column("resource_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("connection_id", sa.Uuid(), nullable=False),
        sa.Column("region_id", sa.String(length=100), nullable=False),
        sa.Column("role", sa.String(length=30), nullable=False),
        sa.Column("zone", sa.String(length=30), nullable=False),
        sa.ForeignKeyConstraint(
            ["connection_id"],
            ["connection.id"],
            name=op.f("fk_resource_place_connection_id_connection"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["resource_id"],
            ["resource.id"],
            name=op.f("fk_resource_place_resource_id_resource"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("resource_id", "position", name=op.f("pk_resource_place")),
    )
    with op.batch_alter_table("resource_place", schema=None) as batch_op:
        batch_op.create_index(
            "ix_resource_place_connection", ["connection_id", "region_id", "role"], unique=False
        )

    op.create_table(
        "resource_revision",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("resource_id", sa.Uuid(), nullable=False),
        sa.Column("sweep_id", sa.Uuid(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("valid_from", columns.UTC(), nullable=False),
        sa.Column("valid_to", columns.UTC(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=1000), nullable=False),
        sa.Column("region_id", sa.String(length=100), nullable=True),
        sa.Column("tags", columns.Json, nullable=True),
        sa.Column("facts", columns.Json, nullable=False),
        sa.ForeignKeyConstraint(
            ["resource_id"],
            ["resource.id"],
            name=op.f("fk_resource_revision_resource_id_resource"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_resource_revision")),
    )
    with op.batch_alter_table("resource_revision", schema=None) as batch_op:
        batch_op.create_index(
            "ix_resource_revision_changed",
            ["valid_from", "id"],
            unique=False,
            sqlite_where=sa.text("number > 1"),
            postgresql_where=sa.text("number > 1"),
        )
        batch_op.create_index(
            "ix_resource_revision_resource", ["resource_id", "valid_from", "id"], unique=False
        )

    op.create_table(
        "sweep_scope",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("sweep_id", sa.Uuid(), nullable=False),
        sa.Column("scope", sa.String(length=300), nullable=False),
        sa.Column("operation", sa.String(length=200), nullable=False),
        sa.Column("permission", sa.String(length=300), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("absent", sa.Integer(), nullable=False),
        sa.Column("denied", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Integer(), nullable=False),
        sa.Column("skipped", sa.Integer(), nullable=False),
        sa.Column("throttled", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=200), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["sweep_id"],
            ["sweep.id"],
            name=op.f("fk_sweep_scope_sweep_id_sweep"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sweep_scope")),
        sa.UniqueConstraint(
            "sweep_id", "scope", "operation", name=op.f("uq_sweep_scope_sweep_id_scope_operation")
        ),
    )


def downgrade() -> None:
    op.drop_table("sweep_scope")
    with op.batch_alter_table("resource_revision", schema=None) as batch_op:
        batch_op.drop_index("ix_resource_revision_resource")
        batch_op.drop_index(
            "ix_resource_revision_changed",
            sqlite_where=sa.text("number > 1"),
            postgresql_where=sa.text("number > 1"),
        )

    op.drop_table("resource_revision")
    with op.batch_alter_table("resource_place", schema=None) as batch_op:
        batch_op.drop_index("ix_resource_place_connection")

    op.drop_table("resource_place")
    with op.batch_alter_table("sweep", schema=None) as batch_op:
        batch_op.drop_index("uq_sweep_run")
        batch_op.drop_index("ix_sweep_started_at")
        batch_op.drop_index("ix_sweep_connection_collector_started")

    op.drop_table("sweep")
    with op.batch_alter_table("resource", schema=None) as batch_op:
        batch_op.drop_index("ix_resource_tally")
        batch_op.drop_index("ix_resource_scope")
        batch_op.drop_index("ix_resource_native_id")
        batch_op.drop_index("ix_resource_name")
        batch_op.drop_index(
            "ix_resource_live_worst",
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.drop_index(
            "ix_resource_live_unsure",
            sqlite_where=sa.text("deleted_at IS NULL AND unknown_count > 0"),
            postgresql_where=sa.text("deleted_at IS NULL AND unknown_count > 0"),
        )
        batch_op.drop_index(
            "ix_resource_live_region_name",
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.drop_index(
            "ix_resource_live_observed",
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.drop_index(
            "ix_resource_live_name",
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.drop_index(
            "ix_resource_live_kind_worst",
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.drop_index(
            "ix_resource_live_kind_name",
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.drop_index(
            "ix_resource_live_connection_name",
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.drop_index(
            "ix_resource_live_connection_kind",
            sqlite_where=sa.text("deleted_at IS NULL"),
            postgresql_where=sa.text("deleted_at IS NULL"),
        )
        batch_op.drop_index(
            "ix_resource_live_breached",
            sqlite_where=sa.text("deleted_at IS NULL AND non_compliant_count > 0"),
            postgresql_where=sa.text("deleted_at IS NULL AND non_compliant_count > 0"),
        )
        batch_op.drop_index(
            "ix_resource_gone_name",
            sqlite_where=sa.text("deleted_at IS NOT NULL"),
            postgresql_where=sa.text("deleted_at IS NOT NULL"),
        )
        batch_op.drop_index(
            "ix_resource_gone",
            sqlite_where=sa.text("deleted_at IS NOT NULL"),
            postgresql_where=sa.text("deleted_at IS NOT NULL"),
        )
        batch_op.drop_index("ix_resource_first_observed")

    op.drop_table("resource")
    op.drop_table("collector_state")
    op.drop_table("connection")
