"""Azure Native Qumulo: what was ordered, where it lies and whether it is there."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.collectors.azure_qumulo import mapping
from app.collectors.azure_qumulo.operations import OPERATIONS, TYPE
from app.collectors.azure_reading import open_reading
from app.collectors.azure_words import tags_or_none
from app.domain.azure_qumulo import AzureQumuloFileSystemFacts as Document
from app.domain.collecting import Collector, Connection, Observation, Provider


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The file systems of all subscriptions, whole in their rows of Resource Graph."""
    with open_reading(connection, OPERATIONS) as reading:
        for row in reading.inventory(TYPE):
            facts = Document(**reading.stated(Document, row, mapping.file_system))
            yield reading.seen(facts, row, tags=tags_or_none(row))
        yield from reading.listed(Document, TYPE)
        yield from reading.reports()


COLLECTOR = Collector(
    id="azure_qumulo",
    title="Azure Native Qumulo",
    provider=Provider.AZURE,
    kinds=(Document,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
)
