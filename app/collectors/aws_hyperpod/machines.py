"""Asks for all of one HyperPod node and of one training plan."""

from collections.abc import Iterable, Mapping

from app.collectors.aws_hyperpod import mapping_machines as mapping
from app.collectors.aws_hyperpod.clusters import ClusterRead
from app.collectors.aws_hyperpod.listing import tags_of_resource
from app.collectors.aws_hyperpod.operations import NODE, NODES, PLAN, PLANS
from app.collectors.aws_reading import AwsReading, Row
from app.domain.collecting import ResourceSeen
from app.domain.facts import Present
from app.domain.hyperpod import HyperpodNodeFacts
from app.domain.machine_types import MachineType
from app.domain.training_plan import TrainingPlanFacts

Types = Mapping[str, MachineType]


class MachineReader:
    """Reads single nodes and plans. `types` by the names given. Safe to share by threads."""

    def __init__(self, reading: AwsReading, types: Types) -> None:
        self._reading, self._types = reading, types

    def node(self, one: tuple[ClusterRead, Row]) -> ResourceSeen:
        """One node. It has no ARN; its instance, or before that its own id, names it for ever.

        (SageMaker API: ClusterNodeSummary.)
        """
        cluster, row = one
        instance_id, logical_id = row.get("InstanceId"), row.get("NodeLogicalId")
        named = {"NodeId": instance_id} if instance_id else {"NodeLogicalId": logical_id}
        facts = self._reading.stated(
            HyperpodNodeFacts,
            NODES,
            row,
            lambda answer: mapping.listed_node(answer, cluster.arn, cluster.name),
        )
        facts |= self._reading.learn(
            HyperpodNodeFacts, NODE, mapping.described_node, ClusterName=cluster.name, **named
        )
        facts |= mapping.machine_facts(self._types.get(str(row.get("InstanceType"))))
        name = str(instance_id or logical_id)
        return self._reading.seen(
            HyperpodNodeFacts(**facts),
            native_id=f"{cluster.arn}/{name}",
            name=name,
            created_at=row.get("LaunchTime") if instance_id else None,
            tags={},  # nodes have none of their own
            parent_native_id=cluster.arn,
        )

    def plan(self, row: Row) -> ResourceSeen:
        """One training plan. Plans cannot be deleted, so that their names do not come again."""
        name, arn = row["TrainingPlanName"], row["TrainingPlanArn"]
        facts = self._reading.stated(TrainingPlanFacts, PLANS, row, mapping.listed_plan)
        facts |= self._reading.learn(
            TrainingPlanFacts, PLAN, mapping.described_plan, TrainingPlanName=name
        )
        facts["machine_type_details"] = Present(known_types(plan_types(row), self._types))
        return self._reading.seen(
            TrainingPlanFacts(**facts),
            native_id=arn,
            name=name,
            tags=tags_of_resource(self._reading, arn),
        )


def plan_types(row: Row) -> set[str]:
    """The types that a plan reserves."""
    blocks = row.get("ReservedCapacitySummaries")
    found = (
        block.get("InstanceType")
        for block in (blocks if isinstance(blocks, list) else ())
        if isinstance(block, dict)
    )
    return {name for name in found if isinstance(name, str)}


def known_types(names: Iterable[str], types: Types) -> tuple[MachineType, ...]:
    """Those of the names that are known, each once, in order."""
    found = {types[name].id: types[name] for name in names if name in types}
    return tuple(found[name] for name in sorted(found))
