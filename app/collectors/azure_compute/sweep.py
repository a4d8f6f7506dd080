"""One sweep over machines and scale sets, the clusters they make, and what regions allow."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from app.collectors.azure_compute import mapping, sizes
from app.collectors.azure_compute.context import Context, place_of
from app.collectors.azure_compute.cyclecloud import Cluster, Clusters, Node
from app.collectors.azure_compute.operations import SKUS
from app.collectors.azure_compute.owners import BATCH, CLUSTERS, Owner, Owners, cyclecloud_of
from app.collectors.azure_reading import AzureReading, Facts, Row
from app.collectors.azure_words import canonical_id, subscription_of, tags_or_none, time_created
from app.domain.azure_compute_regions import AzureComputeRegionFacts
from app.domain.azure_machines import AzureVmFacts, AzureVmScaleSetFacts
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.cyclecloud import CycleCloudClusterFacts
from app.domain.fact_sums import mapped, present_or_absent
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.machine_types import MachineType
from app.domain.replies import ODD, UNEXPECTED, Reply

MACHINES = "microsoft.compute/virtualmachines"
SCALE_SETS = "microsoft.compute/virtualmachinescalesets"
UNKNOWN_TYPE = "UnknownMachineType"
_BATCH = 1000
_FREE = "deallocated"


class Sweep:
    """Reads the machines of all subscriptions once."""

    def __init__(self, reading: AzureReading) -> None:
        self._reading = reading
        self._context = Context(reading)
        self._owners = Owners()
        self._clusters = Clusters()
        self._counting_sets: set[str] = set()
        # Why not all of a kind are known, by subscription.
        self._cuts: dict[str, dict[str, str]] = {MACHINES: {}, SCALE_SETS: {}}

    def observations(self) -> Iterator[Observation]:
        """Scale sets, machines, their clusters and regions, then how the lists ended.

        The clusters of CycleCloud have no list: one that shows no machine is not gone.
        """
        reading = self._reading
        self._owners.learn(reading.inventory(CLUSTERS, BATCH))
        scale_sets = list(reading.inventory(SCALE_SETS))
        self._context.learn(scale_sets)
        yield from filter(None, map(self._scale_set, scale_sets))
        rows = reading.inventory(MACHINES)
        while batch := list(islice(rows, _BATCH)):
            self._context.learn(batch)
            yield from filter(None, map(self._machine, batch))
        yield from map(self._cluster, self._clusters.found())
        yield from map(self._region, sorted(self._context.regions))
        yield from reading.listed(AzureVmFacts, MACHINES, cuts=self._cuts[MACHINES])
        yield from reading.listed(AzureVmScaleSetFacts, SCALE_SETS, cuts=self._cuts[SCALE_SETS])
        yield from reading.listed(AzureComputeRegionFacts, MACHINES, SCALE_SETS)
        yield from reading.reports()

    def _machine(self, row: Row) -> ResourceSeen | None:
        reading, context = self._reading, self._context
        tags = tags_or_none(row)
        owner = self._owner(row, tags)
        stated = reading.stated(AzureVmFacts, row, lambda one: mapping.machine(one, owner))
        state = context.state(row)
        known, told = self._type(row, stated)
        stated |= {
            **self._doubt(row, owner),
            "state": state,
            "is_billed": _billed(state),
            "physical_zone": self._building(row, stated["availability_zone"]),
            "accelerated_networking": context.acceleration(row),
        }
        facts = AzureVmFacts(**stated, **told)
        if owner and tags and _is_of_cyclecloud(owner, row, tags):
            count: Fact[int] = mapped(state, lambda word: int(word != _FREE))
            self._clusters.add(owner.counted_in, self._node(row, stated, tags, count, known))
        return self._seen(MACHINES, facts, row, tags)

    def _scale_set(self, row: Row) -> ResourceSeen | None:
        reading = self._reading
        tags = tags_or_none(row)
        owner = self._owner(row, tags)
        stated = reading.stated(
            AzureVmScaleSetFacts, row, lambda one: mapping.scale_set(one, owner)
        )
        known, told = self._type(row, stated)
        told["accelerators_per_machine"] = told.pop("accelerator_count")
        stated |= {
            **self._doubt(row, owner),
            "physical_zones": self._buildings(row, stated["availability_zones"]),
        }
        facts = AzureVmScaleSetFacts(**stated, **told)
        if isinstance(facts.target_count, Present):
            self._counting_sets.add(canonical_id(row["id"]))
        is_uniform = facts.orchestration_mode == Present("Uniform")
        if owner and tags and is_uniform and _is_of_cyclecloud(owner, row, tags):
            count = facts.target_count
            self._clusters.add(owner.counted_in, self._node(row, stated, tags, count, known))
        return self._seen(SCALE_SETS, facts, row, tags)

    def _seen(
        self,
        of: str,
        facts: AzureVmFacts | AzureVmScaleSetFacts,
        row: Row,
        tags: dict[str, str] | None,
    ) -> ResourceSeen | None:
        """None when nobody can tell which life of the name this is; the list is not whole then."""
        try:
            made_at = time_created(row)
        except ODD:
            self._cuts[of][subscription_of(row["id"])] = UNEXPECTED
            return None
        parent = _value(facts.counted_in)
        return self._reading.seen(facts, row, created_at=made_at, tags=tags, parent_id=parent)

    def _owner(self, row: Row, tags: dict[str, str] | None) -> Owner | None:
        """What counts a machine already: its cluster or pool, else the scale set it is of."""
        owner = self._owners.of(row, tags or {})
        scale_set = _scale_set_of(row)
        counts = canonical_id(scale_set) in self._counting_sets
        return Owner("", "", scale_set) if counts and not owner else owner

    def _doubt(self, row: Row, owner: Owner | None) -> Facts:
        """No owner is known to be none only when all that could own it were listed."""
        lists = (CLUSTERS, BATCH, SCALE_SETS) if _scale_set_of(row) else (CLUSTERS, BATCH)
        code = self._cut(subscription_of(row["id"]), *lists)
        if owner or not code:
            return {}
        return dict.fromkeys(("cluster_name", "cluster_tag", "counted_in"), Unreadable(code))

    def _cut(self, subscription: str, *types: str) -> str:
        """Why the inventory of one of these types is not whole; '' when all are."""
        cuts = (self._reading.cut_of(one, subscription) for one in types)
        return next(filter(None, cuts), "")

    def _type(self, row: Row, stated: Facts) -> tuple[MachineType | None, Facts]:
        """The machine type, and the facts that follow from it."""
        size = stated["machine_type"]
        if not isinstance(size, Present):
            gap = size if isinstance(size, Unreadable) else ABSENT
            return None, dict.fromkeys(_OF_TYPE, gap)
        listed = self._context.capabilities(row, size.value)
        found = listed.value if isinstance(listed, Present) else None
        try:
            known = sizes.machine_type(size.value, found)
            accelerates: Fact[bool] = (
                Present(sizes.allows_acceleration(found)) if found else _gap(listed)
            )
        except ODD as error:
            self._reading.count(SKUS, row["id"], _odd(error))
            return None, dict.fromkeys(_OF_TYPE, Unreadable(UNEXPECTED))
        return known, {"accelerated_networking_possible": accelerates, **_of_type(known)}

    def _node(
        self,
        row: Row,
        stated: Facts,
        tags: dict[str, str],
        count: Fact[int],
        known: MachineType | None,
    ) -> Node:
        return Node(
            tags=tags,
            machine_type=_value(stated["machine_type"]),
            count=_number(count),
            capacity=_value(stated["capacity"]) or "unknown",
            region_id=place_of(row)[1],
            image_name=_value(stated["image_name"]),
            known=known,
            code=count.code if isinstance(count, Unreadable) else "",
            target=_number(count) if "target_count" in stated else None,
        )

    def _building(self, row: Row, zone: Fact[str]) -> Fact[str]:
        if not isinstance(zone, Present):
            return zone
        found = self._context.buildings(row, (zone.value,))
        return Present(found.value[0]) if isinstance(found, Present) else _gap(found)

    def _buildings(self, row: Row, zones: Fact[tuple[str, ...]]) -> Fact[tuple[str, ...]]:
        return self._context.buildings(row, zones.value) if isinstance(zones, Present) else zones

    def _cluster(self, one: Cluster) -> ResourceSeen:
        """A cluster of which not every machine was listed tells only its name."""
        code = self._cut(subscription_of(one.cluster_id), MACHINES, SCALE_SETS)
        facts = CycleCloudClusterFacts(
            site=Present(one.site),
            owner=Unreadable(code) if code else present_or_absent(one.owner or None),
            scheduler=Unreadable(code) if code else Present(one.scheduler),
            node_arrays=Unreadable(code) if code else Present(one.arrays),
        )
        row = {"id": one.cluster_id, "name": one.name, "location": one.region_id}
        return self._reading.seen(facts, row, tags=None if code else one.tags)

    def _region(self, place: tuple[str, str]) -> ResourceSeen:
        subscription, where = place
        path = f"/subscriptions/{subscription}/providers/Microsoft.Compute/locations/{where}"
        facts = AzureComputeRegionFacts(**self._context.regions[place])
        whose = str(self._reading.subscriptions[subscription].get("displayName") or subscription)
        name = f"{'-'.join(whose.split())}/{where}"
        return self._reading.seen(facts, {"id": path, "name": name, "location": where}, tags={})


_OF_TYPE = (
    "accelerated_networking_possible",
    "accelerator_kind",
    "accelerator_model",
    "accelerator_count",
    "rdma_interfaces",
    "vcpu_count",
    "memory_bytes",
)


def _of_type(known: MachineType | None) -> Facts:
    if known is None or known.accelerator_count is None:
        return dict.fromkeys(_OF_TYPE[1:], Unreadable(UNKNOWN_TYPE))
    return {
        "accelerator_kind": Present(known.accelerator_kind or ""),
        "accelerator_model": Present(known.accelerator_model),
        "accelerator_count": Present(float(known.accelerator_count)),
        "rdma_interfaces": _or_unknown(known.rdma_interfaces),
        "vcpu_count": _or_unknown(known.vcpu_count),
        "memory_bytes": _or_unknown(known.memory_bytes),
    }


def _or_unknown(value: int | None) -> Fact[int]:
    return Unreadable(UNKNOWN_TYPE) if value is None else Present(value)


def _is_of_cyclecloud(owner: Owner, row: Row, tags: dict[str, str]) -> bool:
    """Its owner is the cluster that the tags name: others may carry such tags too."""
    return cyclecloud_of(subscription_of(row["id"]), tags) == owner


def _scale_set_of(row: Row) -> str:
    """The id of the scale set that a machine is a part of; '' without one."""
    try:
        return str(row["properties"]["virtualMachineScaleSet"]["id"])
    except ODD:
        return ""


def _billed(state: Fact[str]) -> Fact[bool]:
    if not isinstance(state, Present):
        return state
    billed = mapping.is_billed(state.value)
    return Unreadable(mapping.NOT_TOLD) if billed is None else Present(billed)


def _value(fact: Fact[str]) -> str:
    return fact.value if isinstance(fact, Present) else ""


def _number(count: Fact[int]) -> int | None:
    return count.value if isinstance(count, Present) else None


def _gap(fact: Fact[Any]) -> Unreadable:
    return fact if isinstance(fact, Unreadable) else Unreadable(UNKNOWN_TYPE)


def _odd(error: Exception) -> Reply:
    return Reply(Outcome.FAILED, {}, UNEXPECTED, f"{type(error).__name__}: {error}"[:200])
