"""One sweep over Azure AI accounts: settings, models that are served, projects."""

from collections.abc import Iterator

from app.clouds.parallel import stream
from app.collectors.azure_ai import mapping
from app.collectors.azure_ai.operations import DEPLOYMENTS, PROJECTS
from app.collectors.azure_reading import AzureReading, Facts, Row
from app.collectors.azure_words import tags_or_none
from app.domain.azure_ai import FOUNDRY, AiAccountFacts
from app.domain.collecting import Observation, ResourceSeen
from app.domain.facts import ABSENT, Present

Document = AiAccountFacts
TYPE = "microsoft.cognitiveservices/accounts"


class Sweep:
    """Reads the accounts once."""

    def __init__(self, reading: AzureReading) -> None:
        self._reading = reading

    def observations(self) -> Iterator[Observation]:
        """Accounts as they are read, then which lists of them were whole, then the coverage."""
        reading = self._reading
        rows = (row for row in reading.inventory(TYPE) if mapping.is_ours(row))
        yield from stream(self._read, rows, threads=reading.threads)
        yield from reading.listed(Document, TYPE)
        yield from reading.reports()

    def _read(self, row: Row) -> ResourceSeen:
        reading, path = self._reading, str(row["id"])
        facts = {
            **reading.stated(Document, row, mapping.account),
            **reading.learn_list(Document, DEPLOYMENTS, f"{path}/deployments", mapping.deployments),
        }
        facts |= self._projects(path, facts)
        return reading.seen(Document(**facts), row, tags=tags_or_none(row))

    def _projects(self, path: str, facts: Facts) -> Facts:
        """Only accounts of Foundry have projects; others refuse the question."""
        kind = facts["account_kind"]
        if isinstance(kind, Present) and kind != Present(FOUNDRY):
            return {"project_names": ABSENT}
        return self._reading.learn_list(
            Document, PROJECTS, f"{path}/projects", mapping.project_names
        )
