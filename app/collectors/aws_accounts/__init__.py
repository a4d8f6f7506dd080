"""AWS accounts: which ones a connection reaches, in what state, and which regions each may use."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_accounts.operations import OPERATIONS
from app.collectors.aws_accounts.sweep import Sweep
from app.domain.collecting import (
    Collector,
    Connection,
    ConnectionStatus,
    Observation,
    Provider,
    Reach,
)
from app.domain.sub_accounts import AwsAccountFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The account of the credentials and, with an organization, its other ones; see `Sweep`."""
    with open_clients(connection) as clients:
        yield from Sweep(connection, clients).observations()


def identity(connection: Connection) -> ConnectionStatus:
    """Who the connection's credentials are. Needs no permission."""
    with open_clients(connection) as clients:
        who = clients.identity()
    return ConnectionStatus(who.arn, (who.account_id,), {"account_id": who.account_id})


COLLECTOR = Collector(
    id="aws_accounts",
    title="AWS accounts",
    provider=Provider.AWS,
    kinds=(AwsAccountFacts,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.CONNECTION,
)
