"""Asks for all of one HyperPod cluster: itself, its tags, the shares in it, its machines."""

from dataclasses import dataclass, replace

from app.collectors.aws_hyperpod import mapping
from app.collectors.aws_hyperpod.listing import NODE_IDS, NODE_LIST, Named, named, tags_of_resource
from app.collectors.aws_hyperpod.operations import CLUSTER, CLUSTERS
from app.collectors.aws_hyperpod.shares import Shares
from app.collectors.aws_reading import AwsReading, Facts, Row
from app.domain.facts import Present, Unreadable
from app.domain.hyperpod import HyperpodClusterFacts
from app.domain.replies import UNEXPECTED

_CONTINUOUS = Present("Continuous")


@dataclass(frozen=True, slots=True)
class ClusterRead:
    """What one cluster answered. `tags` None: they could not be read."""

    row: Row
    facts: Facts
    tags: dict[str, str] | None
    nodes: Named

    @property
    def arn(self) -> str:
        """Its ARN, which AWS never gives twice."""
        return str(self.row["ClusterArn"])

    @property
    def name(self) -> str:
        """Its name, which the calls about it take."""
        return str(self.row["ClusterName"])

    @property
    def machine_types(self) -> set[str]:
        """The types of its groups and nodes."""
        groups = self.facts["instance_groups"]
        of_groups = mapping.machine_types_of(groups.value if isinstance(groups, Present) else ())
        found = (row.get("InstanceType") for row in self.nodes.rows)
        return of_groups | {name for name in found if isinstance(name, str)}


class ClusterReader:
    """Reads single clusters. Safe to share by threads."""

    def __init__(self, reading: AwsReading, shares: Shares) -> None:
        self._reading, self._shares = reading, shares

    def read(self, row: Row) -> ClusterRead:
        """Asks for all of one cluster."""
        name, arn = row["ClusterName"], row["ClusterArn"]
        facts = self._reading.stated(HyperpodClusterFacts, CLUSTERS, row, mapping.listed_cluster)
        facts |= self._described(name)
        facts |= self._shares.facts(self._reading, arn)
        tags = tags_of_resource(self._reading, arn)
        return ClusterRead(row, facts, tags, self._nodes(name, facts))

    def _described(self, name: str) -> Facts:
        """Of an orchestrator that is new to us, not even that it is none of EKS is known."""
        reply = self._reading.ask(CLUSTER, ClusterName=name)
        facts = self._reading.understood(
            HyperpodClusterFacts, CLUSTER, reply, mapping.described_cluster
        )
        if mapping.has_new_orchestrator(reply.answer):
            facts["eks_cluster_arn"] = Unreadable(UNEXPECTED)
        return facts

    def _nodes(self, name: str, facts: Facts) -> Named:
        """Its nodes. Only a cluster that adds machines as they come has some without an instance,
        and only when asked for tells of them: while that is not known, the list is not whole.
        """
        mode = facts["node_provisioning_mode"]
        more = {"IncludeNodeLogicalIds": True} if mode == _CONTINUOUS else {}
        found = named(self._reading, NODE_LIST, NODE_IDS, ClusterName=name, **more)
        return replace(found, cut=found.cut or mode.code) if isinstance(mode, Unreadable) else found
