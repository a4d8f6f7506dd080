"""One sweep over Azure Machine Learning: workspaces, their computes, and the nodes of clusters."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from app.clouds.azure_versions import reads
from app.clouds.parallel import stream
from app.collectors.azure_machine_learning import mapping
from app.collectors.azure_machine_learning.operations import COMPUTES, NODES
from app.collectors.azure_reading import AzureReading, Facts, Row
from app.collectors.azure_words import subscription_of, tags_or_none
from app.domain.azure_machine_learning import COMPUTE_INSTANCE, MlComputeFacts, MlWorkspaceFacts
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.replies import ODD, UNEXPECTED, Reply

TYPE = "microsoft.machinelearningservices/workspaces"
Compute, Workspace = MlComputeFacts, MlWorkspaceFacts
_NOT_REPORTED = Unreadable("NotReported")


class Sweep:
    """Reads workspaces and computes once."""

    def __init__(self, reading: AzureReading) -> None:
        self._reading = reading
        self._cuts: dict[str, str] = {}  # why not all computes of a subscription are known

    def observations(self) -> Iterator[Observation]:
        """Workspaces with their computes, then which lists were whole, then the coverage."""
        reading, rows = self._reading, self._reading.inventory(TYPE)
        for found in stream(self._read, rows, threads=reading.threads):
            yield from found
        yield from reading.listed(Workspace, TYPE)
        yield from reading.listed(Compute, TYPE, cuts=self._cuts)
        yield from reading.reports()

    def _read(self, row: Row) -> list[ResourceSeen]:
        reading, path = self._reading, f"{row['id']}/computes"
        computes = reading.whole(COMPUTES, path)
        facts = {
            **reading.stated(Workspace, row, mapping.workspace),
            **reading.understood(Workspace, COMPUTES, path, computes, mapping.compute_names),
        }
        workspace = reading.seen(Workspace(**facts), row, tags=tags_or_none(row))
        return [workspace, *self._computes(row, computes)]

    def _computes(self, workspace: Row, reply: Reply) -> Iterator[ResourceSeen]:
        if reply.outcome is not Outcome.ANSWERED:
            self._cuts[subscription_of(str(workspace["id"]))] = reply.code
            return
        for row in reply.answer["value"]:
            try:
                made_at = mapping.made_at(row, str(workspace["id"]))
            except ODD:
                self._cuts[subscription_of(str(workspace["id"]))] = UNEXPECTED
            else:
                yield self._compute(workspace, row, made_at)

    def _compute(self, workspace: Row, row: Row, made_at: datetime | None) -> ResourceSeen:
        facts = self._reading.stated(Compute, row, mapping.compute, COMPUTES)
        facts |= self._nodes(row, facts)
        return self._reading.seen(
            _with_idle_told(Compute(**facts), row),
            {**row, "location": row.get("location") or workspace.get("location")},
            created_at=made_at,
            tags=tags_or_none(row),
            parent_id=str(workspace["id"]),
        )

    def _nodes(self, row: Row, facts: Facts) -> Facts:
        """The nodes of a cluster that has any; each cluster costs a question."""
        current = facts["current_nodes"]
        if not isinstance(current, Present) or current.value == 0:
            return {"nodes": Present(()) if isinstance(current, Present) else current}
        path = f"{row['id']}/listNodes"
        if not reads(path):  # an odd name must not make it another question
            return {"nodes": Unreadable(UNEXPECTED)}
        reply = self._reading.posted(NODES, path, "nodes")
        return self._reading.understood(Compute, NODES, path, reply, mapping.nodes)


def _with_idle_told(found: MlComputeFacts, row: Row) -> MlComputeFacts:
    """No word about the shutdown of an instance is no "never"."""
    is_instance = found.compute_type == Present(COMPUTE_INSTANCE)
    silent = is_instance and found.idle_seconds_before_shutdown == ABSENT
    if not silent or mapping.tells_idle_shutdown(row):
        return found
    return replace(found, idle_seconds_before_shutdown=_NOT_REPORTED)
