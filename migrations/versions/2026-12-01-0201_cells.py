"""Sweeps of cells: parts of a connection that have a state and a history of their own."""

import sqlalchemy as sa
from alembic import op


revision = "2026120101"
down_revision = "2026113005"
branch_labels = None
depends_on = None

_WHOLE = {"nullable": False, "server_default": ""}


def upgrade() -> None:
    with op.batch_alter_table("sweep") as batch_op:
        batch_op.add_column(sa.Column("cell", sa.String(length=130), **_WHOLE))
        batch_op.alter_column("cell", server_default=None)
    with op.batch_alter_table("collector_state") as batch_op:
        batch_op.add_column(sa.Column("cell", sa.String(length=130), **_WHOLE))
        batch_op.alter_column("cell", server_default=None)
        batch_op.drop_constraint("pk_collector_state", type_="primary")
        batch_op.create_primary_key("pk_collector_state", ["connection_id", "collector_id", "cell"])


def downgrade() -> None:
    op.execute("DELETE FROM collector_state WHERE cell <> ''")
    with op.batch_alter_table("collector_state") as batch_op:
        batch_op.drop_constraint("pk_collector_state", type_="primary")
        batch_op.create_primary_key("pk_collector_state", ["connection_id", "collector_id"])
        batch_op.drop_column("cell")
    with op.batch_alter_table("sweep") as batch_op:
        batch_op.drop_column("cell")
