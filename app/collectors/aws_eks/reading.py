"""Asks everything about one cluster; every call is a cell of its own. Runs in worker threads."""

from dataclasses import dataclass, field
from typing import TypeVar

from app.collectors.aws_eks import mapping
from app.collectors.aws_eks.operations import ADDON, ADDONS, BY_NAME, CLUSTER, GROUP, GROUPS
from app.collectors.aws_reading import AwsReading, Facts, Listing
from app.domain.collecting import Outcome
from app.domain.eks import Addon, EksClusterFacts, Nodegroup
from app.domain.fact_sums import value_or
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.health import troubled
from app.domain.replies import Parse, Reply

Part = TypeVar("Part")
_GROUPS = Listing(GROUPS, "nodegroups", "nextToken", params={"maxResults": 100})
_ADDONS = Listing(ADDONS, "addons", "nextToken", params={"maxResults": 100})


@dataclass(frozen=True, slots=True)
class ClusterRead:
    """What one cluster answered. Without an identity its description was not read: see `code`."""

    name: str
    identity: mapping.Identity | None = None
    code: str = ""
    facts: Facts = field(default_factory=dict)


class ClusterReader:
    """Reads single clusters."""

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading

    def read(self, name: str) -> ClusterRead:
        """Asks one call after another, the description first."""
        reply = self._reading.ask(CLUSTER, name=name)
        facts = self._reading.understood(EksClusterFacts, CLUSTER, reply, mapping.cluster)
        status = facts["cluster_status"]
        if isinstance(status, Unreadable):
            return ClusterRead(name, code=status.code)
        facts |= self._nodegroups(name) | self._addons(name)
        return ClusterRead(name, mapping.identity(reply.answer), facts=facts)

    def _nodegroups(self, cluster: str) -> Facts:
        reply = self._reading.whole(_GROUPS, clusterName=cluster)
        facts = self._listed(GROUPS, reply, mapping.nodegroup_names)
        names: Fact[tuple[str, ...]] = value_or(facts["nodegroup_names"], ())
        if not isinstance(names, Present):
            return facts | dict.fromkeys(BY_NAME[GROUP].feeds, names)
        groups = tuple(self._nodegroup(cluster, name) for name in names.value)
        unread = tuple(group.name for group in groups if group.code)
        return facts | {"nodegroups": _some(groups), "unread_nodegroups": _some(unread)}

    def _nodegroup(self, cluster: str, name: str) -> Nodegroup:
        reply = self._reading.ask(GROUP, clusterName=cluster, nodegroupName=name)
        found = self._reading.understood(EksClusterFacts, GROUP, reply, mapping.nodegroup)
        group = found["nodegroups"]
        return group.value[0] if isinstance(group, Present) else Nodegroup(name, code=_code(group))

    def _addons(self, cluster: str) -> Facts:
        reply = self._reading.whole(_ADDONS, clusterName=cluster)
        facts = self._listed(ADDONS, reply, mapping.addon_names)
        names: Fact[tuple[str, ...]] = value_or(facts["addon_names"], ())
        if not isinstance(names, Present):
            return facts | dict.fromkeys(BY_NAME[ADDON].feeds, names)
        addons = tuple(self._addon(cluster, name) for name in names.value)
        return facts | {"addons": _some(addons), "unhealthy_addons": _unhealthy(addons)}

    def _addon(self, cluster: str, name: str) -> Addon:
        reply = self._reading.ask(ADDON, clusterName=cluster, addonName=name)
        found = self._reading.understood(EksClusterFacts, ADDON, reply, mapping.addon)["addons"]
        return found.value[0] if isinstance(found, Present) else Addon(name, code=_code(found))

    def _listed(self, operation: str, reply: Reply, parse: Parse) -> Facts:
        if reply.outcome is not Outcome.ANSWERED:
            return dict.fromkeys(BY_NAME[operation].feeds, Unreadable(reply.code))
        return self._reading.stated(EksClusterFacts, operation, reply.answer, parse)


def _unhealthy(addons: tuple[Addon, ...]) -> Fact[tuple[str, ...]]:
    found = troubled((addon.name, mapping.addon_health(addon)) for addon in addons)
    return _some(found.value) if isinstance(found, Present) else found


def _some(parts: tuple[Part, ...]) -> Fact[tuple[Part, ...]]:
    """An empty list of EKS says that there is none."""
    return Present(parts) if parts else ABSENT


def _code(found: Fact[object]) -> str:
    return found.code if isinstance(found, Unreadable) else ""
