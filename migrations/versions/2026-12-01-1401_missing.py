"""When a list that lags behind its source first did not name a resource."""

import sqlalchemy as sa
from alembic import op


revision = "2026120104"
down_revision = "2026120103"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("resource") as batch_op:
        batch_op.add_column(sa.Column("missing_since", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("resource") as batch_op:
        batch_op.drop_column("missing_since")
