"""Parts that are gone are looked up too: those of a resource that was deleted."""

import sqlalchemy as sa
from alembic import op


revision = "2026120106"
down_revision = "2026120105"
branch_labels = None
depends_on = None

_A_GONE_PART = sa.text("deleted_at IS NOT NULL AND parent_native_id <> ''")


def upgrade() -> None:
    op.create_index(
        "ix_resource_gone_part",
        "resource",
        ["parent_native_id", "name", "id"],
        sqlite_where=_A_GONE_PART,
        postgresql_where=_A_GONE_PART,
    )


def downgrade() -> None:
    op.drop_index("ix_resource_gone_part", table_name="resource")
