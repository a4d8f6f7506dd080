"""How a connection is cut into cells: one per account, or one per account and region."""

from collections.abc import Iterator
from uuid import UUID

from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.collecting import WHOLE, Cell, Collector, Reach
from app.store.queries.sub_accounts import SubAccount, list_sub_accounts

ACTIVE = "ACTIVE"


def cells_of(session: Session, connection_id: UUID, collector: Collector) -> tuple[Cell, ...]:
    """The cells that a collector sweeps on a connection, from what is known of its accounts.

    The account of the credentials is always one of them; its id is '' there, so that it stays the
    same cell when an organisation is added.
    """
    if collector.reach is Reach.CONNECTION:
        return (WHOLE,)
    accounts = list_sub_accounts(session, access=SYSTEM, connection_id=connection_id)
    if collector.reach is Reach.ACCOUNT:
        return (WHOLE, *(Cell(one.id) for one in accounts if _is_swept(one) and not one.own))
    return tuple(cell for one in accounts if _is_swept(one) for cell in _regional(one))


def _is_swept(account: SubAccount) -> bool:
    """A suspended or closed account answers nothing; one of unread state is tried."""
    return account.state in (None, ACTIVE)


def _regional(account: SubAccount) -> Iterator[Cell]:
    for region in account.enabled_regions or ():
        yield Cell("" if account.own else account.id, region)
