"""One sweep of HyperPod in one region: list, ask about each, look types up once, stream."""

from collections.abc import Iterator, Sequence

from app.clouds.parallel import stream
from app.collectors.aws_hyperpod.clusters import ClusterRead, ClusterReader
from app.collectors.aws_hyperpod.listing import CLUSTER_LIST, PLAN_LIST, Named, named
from app.collectors.aws_hyperpod.machines import MachineReader, Types, known_types, plan_types
from app.collectors.aws_hyperpod.scripts import Buckets, script_bucket_facts, script_buckets
from app.collectors.aws_hyperpod.shares import Shares
from app.collectors.aws_machine_types import machine_types
from app.collectors.aws_reading import AwsReading, Row
from app.domain.collecting import Observation, ResourceSeen
from app.domain.facts import Present
from app.domain.hyperpod import HyperpodClusterFacts, HyperpodNodeFacts
from app.domain.training_plan import TrainingPlanFacts


class Sweep:
    """Reads one region once. Worker threads ask; the reading thread yields.

    The clusters of a region are few and kept; of their nodes, which are many, only the rows of
    the list are kept, because all types have to be known before the first one is told.
    """

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading

    def observations(self) -> Iterator[Observation]:
        """Clusters, their nodes, training plans, each with its list; then the coverage."""
        listed = named(self._reading, CLUSTER_LIST, ("ClusterArn",), "ClusterName")
        plans = named(self._reading, PLAN_LIST, ("TrainingPlanArn",), "TrainingPlanName")
        clusters = self._read(listed.rows)
        types = self._types(clusters, plans.rows)
        buckets = script_buckets(self._reading, [read.facts for read in clusters])
        yield from (self._cluster(read, types, buckets) for read in clusters)
        yield self._reading.listed(HyperpodClusterFacts, listed.cut)
        yield from self._nodes(clusters, types)
        cuts = [read.nodes.cut for read in clusters if read.nodes.cut]
        yield self._reading.listed(HyperpodNodeFacts, listed.cut or "".join(cuts[:1]))
        yield from self._plans(plans, types)
        yield from self._reading.reports()

    def _read(self, rows: Sequence[Row]) -> list[ClusterRead]:
        if not rows:
            return []
        reader = ClusterReader(self._reading, Shares.of_region(self._reading))
        return list(stream(reader.read, rows, threads=self._reading.threads))

    def _types(self, clusters: Sequence[ClusterRead], plans: Sequence[Row]) -> Types:
        of_clusters = {name for read in clusters for name in read.machine_types}
        names = of_clusters | {name for row in plans for name in plan_types(row)}
        return machine_types(self._reading, names)

    def _cluster(self, read: ClusterRead, types: Types, buckets: Buckets) -> ResourceSeen:
        facts = read.facts | {
            "script_buckets": script_bucket_facts(read.facts, buckets),
            "machine_type_details": Present(known_types(read.machine_types, types)),
        }
        return self._reading.seen(
            HyperpodClusterFacts(**facts),
            native_id=read.arn,
            name=read.name,
            created_at=read.row.get("CreationTime"),
            tags=read.tags,
        )

    def _nodes(self, clusters: Sequence[ClusterRead], types: Types) -> Iterator[ResourceSeen]:
        reader = MachineReader(self._reading, types)
        rows = ((read, row) for read in clusters for row in read.nodes.rows)
        return stream(reader.node, rows, threads=self._reading.threads)

    def _plans(self, plans: Named, types: Types) -> Iterator[Observation]:
        reader = MachineReader(self._reading, types)
        yield from stream(reader.plan, plans.rows, threads=self._reading.threads)
        yield self._reading.listed(TrainingPlanFacts, plans.cut)
