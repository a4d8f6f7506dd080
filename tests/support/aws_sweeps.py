"""What one sweep of a region yielded, for the tests of any collector of AWS."""

from dataclasses import dataclass, replace

from app.domain.collecting import (
    Cell,
    Collector,
    Connection,
    ListingDone,
    Observation,
    ResourceSeen,
    ScopeReport,
)
from app.kit.clock import utc_now
from app.sandbox.aws_server import AwsServer
from app.sandbox.story import AWS_PLATFORM, EXTERNAL_ID, ROLE_NAME, AwsAccount
from tests.support.aws_fixtures import aws_connection


@dataclass(frozen=True)
class Swept:
    """The observations of one sweep, by what one asks for."""

    resources: dict[str, ResourceSeen]
    listings: dict[str, ListingDone]
    reports: dict[str, ScopeReport]
    order: tuple[type[Observation], ...]


def swept(collector: Collector, connection: Connection) -> Swept:
    """Runs a collector to its end: resources by name, lists by kind, reports by operation."""
    seen = list(collector.collect(connection, utc_now()))
    resources = [one for one in seen if isinstance(one, ResourceSeen)]
    assert len({one.immutable_id for one in resources}) == len(resources)
    return Swept(
        {one.name: one for one in resources},
        {one.kind: one for one in seen if isinstance(one, ListingDone)},
        {one.operation: one for one in seen if isinstance(one, ScopeReport)},
        tuple(type(one) for one in seen),
    )


def in_sandbox(server: AwsServer, account: AwsAccount, region: str) -> Connection:
    """A connection to one account and region of the sandbox's organization."""
    key = {
        "mode": "access_key",
        "access_key_id": server.access_key_id,
        "secret_access_key": "env:AWS_SECRET",
    }
    members = {"role_name": ROLE_NAME, "external_id": EXTERNAL_ID}
    own = account == AWS_PLATFORM
    cell = Cell("" if own else account.account_id, region)
    made = aws_connection(server.endpoint, credentials=key, organization=members, cell=cell)
    return replace(made, secret=lambda _: server.secret_access_key)
