"""One sweep over the EKS clusters of a region: list, read in parallel, stream what was learned."""

from collections.abc import Iterator

from app.clouds.parallel import stream
from app.collectors.aws_eks import mapping
from app.collectors.aws_eks.operations import BY_NAME, CLUSTERS, VERSIONS
from app.collectors.aws_eks.reading import ClusterRead, ClusterReader
from app.collectors.aws_machine_types import machine_types
from app.collectors.aws_reading import AwsReading, Facts, Listing
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.eks import EksClusterFacts, Nodegroup
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.machine_types import MachineType
from app.domain.replies import Reply

NOT_LISTED = "VersionNotListed"
_CLUSTERS = Listing(CLUSTERS, "clusters", "nextToken", params={"maxResults": 100})
_VERSIONS = Listing(
    VERSIONS, "clusterVersions", "nextToken", params={"maxResults": 100, "includeAll": True}
)


class Sweep:
    """Reads one region once. Worker threads read clusters; the reading thread adds and yields."""

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading
        self._types: dict[str, MachineType | None] = {}

    def observations(self) -> Iterator[Observation]:
        """Clusters as they are read, then whether the list was whole, then the coverage.

        The name of a cluster is no identity, so one that could not be described is not yielded,
        and leaves the list incomplete.
        """
        rows = self._reading.rows(_CLUSTERS)
        names = [str(name) for name in rows]
        versions = self._reading.whole(_VERSIONS) if names else Reply(Outcome.ANSWERED)
        unread = ""
        reader = ClusterReader(self._reading)
        for read in stream(reader.read, names, threads=self._reading.threads):
            unread = unread or read.code
            yield from self._seen(read, versions)
        yield self._reading.listed(EksClusterFacts, rows.cut or unread)
        yield from self._reading.reports()

    def _seen(self, read: ClusterRead, versions: Reply) -> Iterator[ResourceSeen]:
        if read.identity is None:
            return
        facts = read.facts | self._support(read.identity.version, versions)
        facts["machine_type_details"] = self._machine_types(read.facts["nodegroups"])
        yield self._reading.seen(
            EksClusterFacts(**facts),
            native_id=read.identity.arn,
            name=read.name,
            created_at=read.identity.created_at,
            tags=read.identity.tags,
            reused_name=True,
        )

    def _support(self, version: str, versions: Reply) -> Facts:
        """How long a version is supported; of one that is not told nothing is known."""
        feeds = BY_NAME[VERSIONS].feeds
        if versions.outcome is not Outcome.ANSWERED:
            return dict.fromkeys(feeds, Unreadable(versions.code))
        row = mapping.version_row(versions.answer[_VERSIONS.member], version)
        if row is None:
            return dict.fromkeys(feeds, Unreadable(NOT_LISTED))
        return self._reading.stated(EksClusterFacts, VERSIONS, row, mapping.support)

    def _machine_types(self, groups: Fact[tuple[Nodegroup, ...]]) -> Fact[tuple[MachineType, ...]]:
        """What is known of the types of all groups. Each type is asked for once in a sweep."""
        if not isinstance(groups, Present):
            return groups
        names = mapping.machine_type_names(groups.value)
        new = names - self._types.keys()
        self._types |= dict.fromkeys(new) | machine_types(self._reading, new)
        known = tuple(one for name in sorted(names) for one in [self._types[name]] if one)
        return Present(known) if known else ABSENT
