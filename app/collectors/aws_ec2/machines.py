"""Reads reservations of capacity, and the machines that have accelerators or are of a cluster."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import structlog

from app.collectors.aws_ec2 import mapping
from app.collectors.aws_ec2.named import Named, seen, told
from app.collectors.aws_ec2.operations import BLOCKS, INSTANCES, RESERVATIONS, TYPES
from app.collectors.aws_machine_types import machine_types
from app.collectors.aws_reading import AwsReading, Facts, Listing, Row, Rows
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.ec2_capacity import Ec2CapacityReservationFacts
from app.domain.ec2_machines import EKS_TAGS, Ec2InstanceFacts, cluster_of
from app.domain.fact_check import typed
from app.domain.fact_sums import reported
from app.domain.facts import FactDocument, Present, Unreadable, fact_names
from app.domain.machine_types import MachineType
from app.domain.replies import Reply

log = structlog.get_logger()

_MOST = 1000  # rows of a page (EC2 API: MaxResults)
# Without it, machines that AWS runs here for a service stay out of the list.
_MANAGED_TOO = {"IncludeManagedResources": True}
_INSTANCES = Listing(INSTANCES, "Reservations", params={"MaxResults": _MOST, **_MANAGED_TOO})
_RESERVATIONS = Listing(RESERVATIONS, "CapacityReservations", params={"MaxResults": _MOST})
_BLOCKS = Listing(BLOCKS, "CapacityBlockStatuses", params={"MaxResults": _MOST})
_GONE = "terminated"  # listed for about an hour after the end (EC2 user guide: terminate)
UNKNOWN_TYPE = "UnknownMachineType"
_OF_TYPE = frozenset(TYPES.feeds)


class Machines:
    """Capacity and machines of one cell. Types are asked for once each."""

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading
        self._types: dict[str, MachineType | None] = {}

    def reservations(self) -> Iterator[Observation]:
        """The reservations that the account owns; those that others share with it are theirs."""
        reading = self._reading
        rows = Named(reading, RESERVATIONS, reading.rows(_RESERVATIONS), "CapacityReservationId")
        own = [row for row in rows if row.get("OwnerId", reading.account_id) == reading.account_id]
        self._learn_types(own)
        blocks = self._blocks(own)
        for row in own:
            yield self._reservation(row, blocks)
        yield rows.done(Ec2CapacityReservationFacts)

    def instances(self) -> Iterator[Observation]:
        """The machines that are kept, as they are listed; how many are not goes to the log."""
        launches = self._reading.rows(_INSTANCES)
        named = Named(self._reading, INSTANCES, launches, "InstanceId")
        listed = self._each(launches, named)
        left = 0
        while batch := list(islice(listed, _MOST)):
            self._learn_types(batch)
            kept = [row for row in batch if self._is_kept(row)]
            left += len(batch) - len(kept)
            yield from map(self._instance, kept)
        log.info("ec2.machines_not_kept", scope=self._reading.scope, machines=left)
        yield named.done(Ec2InstanceFacts)

    def _each(self, launches: Rows, named: Named) -> Iterator[Row]:
        """The live machines; EC2 lists them by the launch that made them."""
        for launch in launches:
            machines = told(lambda one: one["Instances"], launch)
            for machine in machines if isinstance(machines, list) else [None]:
                for row in named.checked(machine):
                    if told(_state, row) != _GONE:
                        yield row

    def _is_kept(self, row: Row) -> bool:
        """Judged by type and tags. What nobody can tell is kept: it may hold accelerators."""
        one = self._types.get(str(row.get("InstanceType")))
        if one is None or one.accelerator_kind != "":
            return True
        tags = told(mapping.tags, row)
        return tags is None or cluster_of(tags) is not None

    def _instance(self, row: Row) -> ResourceSeen:
        stated = self._reading.stated(Ec2InstanceFacts, INSTANCES, row, mapping.instance)
        stated |= {"rdma_interfaces": reported(stated["rdma_interfaces"])}
        facts = Ec2InstanceFacts(**stated, **self._accelerators(Ec2InstanceFacts, row))
        return seen(
            self._reading,
            facts,
            row,
            resource=f"instance/{row['InstanceId']}",
            created_at=told(mapping.first_launched_at, row),
            parent=self._cluster_arn(row),
        )

    def _cluster_arn(self, row: Row) -> str:
        """The ARN of the EKS cluster that the tags name."""
        name, tag = cluster_of(told(mapping.tags, row) or {}) or ("", "")
        here = f"{self._reading.region_id}:{self._reading.account_id}"
        return f"arn:{self._reading.partition}:eks:{here}:cluster/{name}" if tag in EKS_TAGS else ""

    def _reservation(self, row: Row, blocks: Mapping[str, Row] | Reply) -> ResourceSeen:
        reading, document = self._reading, Ec2CapacityReservationFacts
        stated = reading.stated(document, RESERVATIONS, row, mapping.reservation)
        broken = self._broken(row, blocks)
        facts = document(**stated, **broken, **self._accelerators(document, row))
        return seen(
            reading,
            facts,
            row,
            resource=f"capacity-reservation/{row['CapacityReservationId']}",
            created_at=told(lambda one: mapping.moment(one.get("CreateDate")), row),
        )

    def _blocks(self, rows: list[Row]) -> Mapping[str, Row] | Reply:
        """The state of each capacity block by its id, or why it could not be read."""
        if not any(map(mapping.is_block, rows)):
            return {}
        found = Named(self._reading, BLOCKS, self._reading.rows(_BLOCKS), "CapacityBlockId")
        blocks = {row["CapacityBlockId"]: row for row in found}
        return Reply(Outcome.FAILED, {}, found.cut) if found.cut else blocks

    def _broken(self, row: Row, blocks: Mapping[str, Row] | Reply) -> Facts:
        reading, document = self._reading, Ec2CapacityReservationFacts
        if isinstance(blocks, Reply) and mapping.is_block(row):
            names = ("unavailable_machine_count", "interconnect_status")
            return dict.fromkeys(names, Unreadable(blocks.code))
        known = {} if isinstance(blocks, Reply) else blocks
        return reading.stated(
            document, BLOCKS, row, lambda one: mapping.broken_machines(one, known)
        )

    def _learn_types(self, rows: list[Row]) -> None:
        """Asks for the types of these machines that are not known yet."""
        names = {row["InstanceType"] for row in rows if isinstance(row.get("InstanceType"), str)}
        new = names - self._types.keys()
        if new:
            self._types |= {**dict.fromkeys(new), **machine_types(self._reading, new)}

    def _accelerators(self, document: type[FactDocument], row: Row) -> Facts:
        one = self._types.get(str(row.get("InstanceType")))
        names = _OF_TYPE & set(fact_names(document))
        known = told(typed(document, lambda _: mapping.accelerators(one, names)), row)
        if known is None:
            return dict.fromkeys(names, Unreadable(UNKNOWN_TYPE))
        unknown = Unreadable(UNKNOWN_TYPE)
        return {name: unknown if value is None else Present(value) for name, value in known.items()}


def _state(row: Mapping[str, Any]) -> str:
    return str(row["State"]["Name"])
