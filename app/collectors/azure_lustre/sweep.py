"""One sweep over the Managed Lustre file systems of all subscriptions."""

from collections.abc import Iterator

from app.clouds.parallel import stream
from app.collectors.azure_lustre import mapping
from app.collectors.azure_lustre.operations import (
    ACCOUNT,
    AUTO_EXPORTS,
    AUTO_IMPORTS,
    EXPANSIONS,
    FEEDS_OF_ACCOUNT,
    FILE_SYSTEM,
    IMPORTS,
    TYPE,
)
from app.collectors.azure_reading import AzureReading, Facts, Row
from app.collectors.azure_words import tags_or_none
from app.domain.azure_lustre import AzureLustreFileSystemFacts
from app.domain.collecting import Observation, ResourceSeen
from app.domain.facts import Present, Unreadable
from app.domain.replies import UNEXPECTED, Reply

Document = AzureLustreFileSystemFacts
_JOBS = (
    (AUTO_EXPORTS, "autoExportJobs", mapping.auto_exports),
    (AUTO_IMPORTS, "autoImportJobs", mapping.auto_imports),
    (IMPORTS, "importJobs", mapping.imports),
    (EXPANSIONS, "expansionJobs", mapping.expansions),
)


class Sweep:
    """Reads the file systems once: a document and four lists of jobs each."""

    def __init__(self, reading: AzureReading) -> None:
        self._reading = reading

    def observations(self) -> Iterator[Observation]:
        """File systems as they are read, then whether their list was whole, then the coverage."""
        found = self._reading.inventory(TYPE)
        yield from stream(self._read, found, threads=self._reading.threads)
        yield from self._reading.listed(Document, TYPE)
        yield from self._reading.reports()

    def _read(self, row: Row) -> ResourceSeen:
        reading, path = self._reading, str(row["id"])
        reply = reading.ask(FILE_SYSTEM, path)
        facts = reading.understood(Document, FILE_SYSTEM, path, reply, mapping.file_system)
        facts |= self._account(reply, facts)
        for operation, part, parse in _JOBS:
            facts |= reading.learn_list(Document, operation, f"{path}/{part}", parse)
        return reading.seen(Document(**facts), row, tags=tags_or_none(row))

    def _account(self, reply: Reply, facts: Facts) -> Facts:
        """The container's account: asked for by id, for it may lie in another subscription."""
        account = mapping.container_account_id(reply.answer)
        container = facts["hsm_container_id"]
        if account and isinstance(container, Present):
            return self._reading.learn(Document, ACCOUNT, account, mapping.container_account)
        why = Unreadable(UNEXPECTED) if isinstance(container, Present) else container
        return dict.fromkeys(FEEDS_OF_ACCOUNT, why)
