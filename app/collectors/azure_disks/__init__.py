"""Azure's managed disks, from Resource Graph alone."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_disks import mapping
from app.collectors.azure_reading import GRAPH, open_reading
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.collectors.azure_words import subscription_of, tags_or_none, time_created
from app.domain.azure_disks import AzureDiskFacts
from app.domain.collecting import Collector, Connection, Observation, Operation, Provider
from app.domain.facts import fact_names
from app.domain.replies import ODD, UNEXPECTED

DISKS = "microsoft.compute/disks"
OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        "Microsoft.Compute/disks/read",
        fact_names(AzureDiskFacts),
        "Reads all disks in few calls; it shows what the identity may read.",
    ),
)


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The disks of all subscriptions of the connection."""
    with open_reading(connection, OPERATIONS) as reading:
        cuts: dict[str, str] = {}
        for row in reading.inventory(DISKS):
            facts = AzureDiskFacts(**reading.stated(AzureDiskFacts, row, mapping.disk))
            try:
                made_at = time_created(row)
            except ODD:  # which life of the name this is cannot be told
                cuts[subscription_of(row["id"])] = UNEXPECTED
                continue
            yield reading.seen(facts, row, created_at=made_at, tags=tags_or_none(row))
        yield from reading.listed(AzureDiskFacts, DISKS, cuts=cuts)
        yield from reading.reports()


COLLECTOR = Collector(
    id="azure_disks",
    title="Azure managed disks",
    provider=Provider.AZURE,
    kinds=(AzureDiskFacts,),
    every=timedelta(hours=1),
    grace=timedelta(hours=6),
    operations=OPERATIONS,
    collect=collect,
)
