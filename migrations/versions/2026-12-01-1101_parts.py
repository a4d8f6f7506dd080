"""Resources that are a part of another one, as machines are of a cluster."""

import sqlalchemy as sa
from alembic import op


revision = "2026120102"
down_revision = "2026120101"
branch_labels = None
depends_on = None

_A_PART = sa.text("deleted_at IS NULL AND parent_native_id <> ''")


def upgrade() -> None:
    with op.batch_alter_table("resource") as batch_op:
        batch_op.add_column(
            sa.Column("parent_native_id", sa.String(length=1000), nullable=False, server_default="")
        )
        batch_op.alter_column("parent_native_id", server_default=None)
    op.create_index(
        "ix_resource_part",
        "resource",
        ["parent_native_id", "name", "id"],
        sqlite_where=_A_PART,
        postgresql_where=_A_PART,
    )


def downgrade() -> None:
    op.drop_index("ix_resource_part", table_name="resource")
    with op.batch_alter_table("resource") as batch_op:
        batch_op.drop_column("parent_native_id")
