"""Accounts that may do everything may register jobs too."""

import json

import sqlalchemy as sa
from alembic import op


revision = "2026120105"
down_revision = "2026120104"
branch_labels = None
depends_on = None

_NEW, _BESIDE = "jobs:write", "connections:write"


def upgrade() -> None:
    for account, scopes in _accounts():
        if _BESIDE in scopes and _NEW not in scopes:
            _set(account, sorted([*scopes, _NEW]))


def downgrade() -> None:
    for account, scopes in _accounts():
        if _NEW in scopes:
            _set(account, [scope for scope in scopes if scope != _NEW])


def _accounts() -> list[tuple[object, list[str]]]:
    rows = op.get_bind().execute(sa.text("SELECT id, scopes FROM user_account"))
    return [(row.id, _list(row.scopes)) for row in rows]


def _list(stored: object) -> list[str]:
    return json.loads(stored) if isinstance(stored, str) else list(stored)


def _set(account: object, scopes: list[str]) -> None:
    kind = "jsonb" if op.get_bind().dialect.name == "postgresql" else "text"
    statement = f"UPDATE user_account SET scopes = CAST(:scopes AS {kind}) WHERE id = :id"
    op.get_bind().execute(sa.text(statement), {"scopes": json.dumps(scopes), "id": account})
