"""How a connection is cut into cells: one per account, or one per account and region. Pure."""

from collections.abc import Iterator, Sequence

from app.domain.collecting import WHOLE, Cell, Collector, Reach
from app.domain.sub_accounts import ACTIVE
from app.store.queries.sub_accounts import SubAccount


def cells_of(
    accounts: Sequence[SubAccount], collector: Collector, regions: Sequence[str] = ()
) -> tuple[Cell, ...]:
    """The cells that a collector sweeps, from what is known of a connection's accounts.

    `regions` are those that the connection covers; empty: all that an account may use.

    The account of the credentials is always one of them; its id is '' there, so that it stays the
    same cell when an organisation is added.
    """
    if collector.reach is Reach.CONNECTION:
        return (WHOLE,)
    if collector.reach is Reach.ACCOUNT:
        return (WHOLE, *(Cell(one.id) for one in accounts if _is_swept(one) and not one.own))
    return tuple(
        cell
        for one in accounts
        if _is_swept(one)
        for cell in _regional(one)
        if not regions or cell.region_id in regions
    )


def _is_swept(account: SubAccount) -> bool:
    """A suspended or closed account answers nothing; one of unread state is tried."""
    return account.state in (None, ACTIVE)


def _regional(account: SubAccount) -> Iterator[Cell]:
    for region in account.enabled_regions or ():
        yield Cell("" if account.own else account.id, region)
