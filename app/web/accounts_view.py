"""The accounts that a connection covers, each with how its sweeps stand."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.collectors.registry import collectors
from app.domain.access import Access
from app.domain.collecting import Reach
from app.store.queries.connections import CellItem, CollectorItem, ConnectionItem
from app.store.queries.sub_accounts import SubAccount, list_sub_accounts
from app.web import source_state
from app.web.pages import Shell
from app.web.source_state import SourceState


@dataclass(frozen=True, slots=True)
class AccountRow:
    """One account. `read` counts the resources that the last sweeps of its cells saw.

    `state` None: it is not swept, or was not yet. `last_good_at` is the oldest of its cells.
    """

    account: SubAccount
    state: SourceState | None
    code: str
    read: int
    last_good_at: datetime | None


def load(
    session: Session, *, access: Access, shell: Shell, connection: ConnectionItem
) -> tuple[AccountRow, ...]:
    """Every account of a connection, its own first; () where accounts are not told apart."""
    accounts = list_sub_accounts(session, access=access, connection_id=UUID(connection.id))
    return tuple(_row(account, connection, shell) for account in accounts)


def _row(account: SubAccount, connection: ConnectionItem, shell: Shell) -> AccountRow:
    own = {item.collector_id: _of(item, account) for item in connection.collectors}
    cells = [cell for found in own.values() for cell in found if cell.last_sweep]
    states = list(_states(own, shell))
    faults = [cell.last_sweep.code for cell in cells if cell.last_sweep and cell.last_sweep.code]
    return AccountRow(
        account=account,
        state=min(states, key=source_state.rank, default=None),
        code=next(iter(faults), ""),
        read=sum(
            int(cell.last_sweep.trace.get("resources_seen", 0)) for cell in cells if cell.last_sweep
        ),
        last_good_at=min((c.last_good_at for c in cells if c.last_good_at), default=None),
    )


def _of(item: CollectorItem, account: SubAccount) -> tuple[CellItem, ...]:
    """The cells of one account; '' stands for the one that the credentials belong to."""
    collector = collectors().get(item.collector_id)
    if collector is None or collector.reach is Reach.CONNECTION:
        return ()
    wanted = "" if account.own else account.id
    return tuple(cell for cell in item.cells if cell.cell.partition("/")[0] == wanted)


def _states(cells: dict[str, tuple[CellItem, ...]], shell: Shell) -> Iterator[SourceState]:
    for collector_id, found in cells.items():
        if any(cell.last_sweep for cell in found):
            item = CollectorItem(collector_id, found)
            yield source_state.state_of(item, collectors()[collector_id], shell.now)
