"""The accounts that a connection covers, each with how its sweeps stand."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.collectors.registry import collectors
from app.domain.access import Access
from app.domain.collecting import Reach
from app.store.queries.connections import CollectorItem, ConnectionItem
from app.store.queries.sub_accounts import SubAccount, list_sub_accounts
from app.web import source_state
from app.web.pages import Shell
from app.web.source_state import SourceState
from app.web.sources_view import total


@dataclass(frozen=True, slots=True)
class AccountRow:
    """One account. `read` counts the resources that the last sweeps of its cells saw.

    `state` and `read` None: it is not swept, or was not yet. `last_good_at` is the oldest of its
    cells.
    """

    account: SubAccount
    state: SourceState | None
    code: str
    read: int | None
    last_good_at: datetime | None


def load(
    session: Session, *, access: Access, shell: Shell, connection: ConnectionItem
) -> tuple[AccountRow, ...]:
    """Every account of a connection, its own first; () where accounts are not told apart."""
    accounts = list_sub_accounts(session, access=access, connection_id=UUID(connection.id))
    return tuple(_row(account, connection, shell) for account in accounts)


def _row(account: SubAccount, connection: ConnectionItem, shell: Shell) -> AccountRow:
    known = collectors()
    items = [
        _in_account(item, account)
        for item in connection.collectors
        if item.collector_id in known and known[item.collector_id].reach is not Reach.CONNECTION
    ]
    states = (
        source_state.state_of(item, known[item.collector_id], shell.now)
        for item in items
        if item.sweeps
    )
    sweeps = [sweep for item in items for sweep in item.sweeps]
    return AccountRow(
        account=account,
        state=min(states, key=source_state.rank, default=None),
        code=next((sweep.code for sweep in sweeps if sweep.code), ""),
        read=total(sweeps, "resources_seen"),
        last_good_at=min((item.last_good_at for item in items if item.last_good_at), default=None),
    )


def _in_account(item: CollectorItem, account: SubAccount) -> CollectorItem:
    """What a collector has of one account; '' stands for the one of the credentials."""
    wanted = "" if account.own else account.id
    own = (cell for cell in item.cells if cell.cell.partition("/")[0] == wanted)
    return CollectorItem(item.collector_id, tuple(own))
