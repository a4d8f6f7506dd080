"""One sweep of a region: file systems and caches, then what they share, each list asked once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from app.collectors.aws_fsx import mapping
from app.collectors.aws_fsx.operations import (
    ASSOCIATION_LIST,
    CACHE_LIST,
    CACHES,
    FILE_SYSTEM_LIST,
    FILE_SYSTEMS,
    MACHINE_LIST,
    SUBNET_LIST,
    SUBNETS,
    VOLUME_LIST,
)
from app.collectors.aws_keys import Keys
from app.collectors.aws_reading import AwsReading, Facts, Listing, Row, tags_of
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.facts import ABSENT, FactDocument, Unreadable
from app.domain.fsx import FsxFileCacheFacts, FsxFileSystemFacts
from app.domain.replies import UNEXPECTED, Parse, Reply

_SUBNETS_PER_FILTER = 200  # values of one filter (EC2 API: Filter)
_LINKED, _SCRATCH_1, _GROWS = "LUSTRE", "SCRATCH_1", "INTELLIGENT_TIERING"
_WITH_VOLUMES, _WITH_MACHINES = frozenset({"ONTAP", "OPENZFS"}), frozenset({"ONTAP"})


class Sweep:
    """Reads one region once; a list that no resource needs is not asked for."""

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading

    def observations(self) -> Iterator[Observation]:
        """File systems and caches, whether their lists were whole, then the coverage."""
        file_systems, cut = self._list(FILE_SYSTEM_LIST, "FileSystemId")
        caches, caches_cut = self._list(CACHE_LIST, "FileCacheId")
        shared = _Shared(self._reading, file_systems, caches)
        for row in file_systems:
            yield self._file_system(row, shared)
        for row in caches:
            yield self._file_cache(row, shared)
        yield self._reading.listed(FsxFileSystemFacts, cut)
        yield self._reading.listed(FsxFileCacheFacts, caches_cut)
        yield from self._reading.reports()

    def _list(self, listing: Listing, id_member: str) -> tuple[list[Row], str]:
        """The rows that have an id, and why the list is not whole."""
        rows = self._reading.rows(listing)
        found = list(rows)
        named = [row for row in found if isinstance(_id(row, id_member), str)]
        if len(named) < len(found):
            reply = Reply(Outcome.FAILED, {}, UNEXPECTED, f"an entry without {id_member}")
            self._reading.count(listing.operation, reply)
            return named, rows.cut or UNEXPECTED
        return named, rows.cut

    def _file_system(self, row: Row, shared: "_Shared") -> ResourceSeen:
        parse = self._here(mapping.file_system)
        own = self._reading.stated(FsxFileSystemFacts, FILE_SYSTEMS, row, parse)
        facts = FsxFileSystemFacts(
            **own,
            **shared.zones(FsxFileSystemFacts, row),
            **shared.file_system_keys.of(row.get("KmsKeyId")),
            **shared.associations(FsxFileSystemFacts, row, "FileSystemId"),
            **shared.volumes(row),
            **shared.machines(row),
        )
        tags = _tags(row.get("Tags", []))
        return self._seen(facts, row, "file-system", row["FileSystemId"], tags)

    def _file_cache(self, row: Row, shared: "_Shared") -> ResourceSeen:
        parse = self._here(mapping.file_cache)
        own = self._reading.stated(FsxFileCacheFacts, CACHES, row, parse)
        facts = FsxFileCacheFacts(
            **own,
            **shared.zones(FsxFileCacheFacts, row),
            **shared.cache_keys.of(row.get("KmsKeyId")),
            **shared.associations(FsxFileCacheFacts, row, "FileCacheId"),
        )
        return self._seen(facts, row, "file-cache", row["FileCacheId"], None)

    def _here(self, parse: Parse) -> Parse:
        """The parser, with the region that was asked."""
        return lambda row: {**parse(row), "file_system_region": self._reading.region_id}

    def _seen(
        self,
        facts: FactDocument,
        row: Row,
        kind: str,
        own_id: str,
        tags: dict[str, str] | None,
    ) -> ResourceSeen:
        """FSx never gives an id twice. The list of caches tells no tags."""
        at = f"{self._reading.region_id}:{self._reading.account_id}"
        return self._reading.seen(
            facts,
            native_id=f"arn:{self._reading.partition}:fsx:{at}:{kind}/{own_id}",
            name=(tags or {}).get("Name") or own_id,
            created_at=_instant(row.get("CreationTime")),
            tags=tags,
        )


class _Shared:
    """What the file systems and caches of a region have from lists of their own."""

    def __init__(
        self, reading: AwsReading, file_systems: Sequence[Row], caches: Sequence[Row]
    ) -> None:
        self._reading = reading
        kinds = {str(row.get("FileSystemType")) for row in file_systems}
        linked = any(map(_may_be_linked, file_systems)) or bool(caches)
        self._associations = self._whole(ASSOCIATION_LIST, needed=linked)
        self._volumes = self._whole(VOLUME_LIST, needed=bool(kinds & _WITH_VOLUMES))
        self._machines = self._whole(MACHINE_LIST, needed=bool(kinds & _WITH_MACHINES))
        self._zones = self._zones_of([*file_systems, *caches])
        self.file_system_keys = self._keys(FsxFileSystemFacts, file_systems)
        self.cache_keys = self._keys(FsxFileCacheFacts, caches)

    def associations(self, document: type[FactDocument], row: Row, id_member: str) -> Facts:
        """The links of a file system or cache."""
        if id_member == "FileSystemId" and not _may_be_linked(row):
            return {"data_repository_associations": ABSENT}
        parse = partial(_of_one, mapping.associations, "Associations", id_member, row[id_member])
        return self._learnt(document, ASSOCIATION_LIST, self._associations, parse)

    def volumes(self, row: Row) -> Facts:
        """The volumes of a file system."""
        if row.get("FileSystemType") not in _WITH_VOLUMES:
            return {"volumes": ABSENT}
        parse = partial(_of_one, mapping.volumes, "Volumes", "FileSystemId", row["FileSystemId"])
        return self._learnt(FsxFileSystemFacts, VOLUME_LIST, self._volumes, parse)

    def machines(self, row: Row) -> Facts:
        """The storage virtual machines of a file system."""
        if row.get("FileSystemType") not in _WITH_MACHINES:
            return {"storage_virtual_machines": ABSENT}
        member = MACHINE_LIST.member
        parse = partial(_of_one, mapping.machines, member, "FileSystemId", row["FileSystemId"])
        return self._learnt(FsxFileSystemFacts, MACHINE_LIST, self._machines, parse)

    def zones(self, document: type[FactDocument], row: Row) -> Facts:
        """The zones of its subnets; one that EC2 does not tell leaves them unknown."""

        def parse(answer: Mapping[str, Any]) -> Mapping[str, Any]:
            zone_of = dict(map(mapping.zone, answer["Subnets"]))
            zones = {zone_of[subnet] for subnet in row["SubnetIds"]}
            return {"availability_zones": tuple(sorted(zones))}

        return self._learnt(document, SUBNET_LIST, self._zones, parse)

    def _whole(self, listing: Listing, *, needed: bool, **params: object) -> Reply:
        if not needed:
            return Reply(Outcome.ANSWERED, {listing.member: []})
        return self._reading.whole(listing, **params)

    def _zones_of(self, rows: Sequence[Row]) -> Reply:
        """The subnets of these rows. By a filter: an unknown id would refuse the whole call."""
        named = {one for row in rows for one in _texts(row.get("SubnetIds"))}
        wanted, found = sorted(named), []
        for start in range(0, len(wanted), _SUBNETS_PER_FILTER):
            values = wanted[start : start + _SUBNETS_PER_FILTER]
            filters = [{"Name": "subnet-id", "Values": values}]
            reply = self._reading.whole(SUBNET_LIST, Filters=filters)
            if reply.outcome is not Outcome.ANSWERED:
                return reply
            found += reply.answer[SUBNET_LIST.member]
        return Reply(Outcome.ANSWERED, {SUBNET_LIST.member: found})

    def _keys(self, document: type[FactDocument], rows: Sequence[Row]) -> Keys:
        return Keys(self._reading, document, (row.get("KmsKeyId") for row in rows))

    def _learnt(
        self, document: type[FactDocument], listing: Listing, reply: Reply, parse: Parse
    ) -> Facts:
        """Facts out of a list that was counted page by page as it was read."""
        if reply.outcome is Outcome.ANSWERED:
            return self._reading.stated(document, listing.operation, reply.answer, parse)
        names = {feed: Unreadable(reply.code) for feed in _FEEDS[listing.operation]}
        return dict(names)


_FEEDS: dict[str, tuple[str, ...]] = {
    ASSOCIATION_LIST.operation: ("data_repository_associations",),
    VOLUME_LIST.operation: ("volumes",),
    MACHINE_LIST.operation: ("storage_virtual_machines",),
    SUBNETS: ("availability_zones",),
}


def _of_one(
    parse: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    member: str,
    id_member: str,
    own_id: str,
    answer: Mapping[str, Any],
) -> Mapping[str, Any]:
    """Parses the rows of a list that belong to one file system or cache."""
    rows = [row for row in answer[member] if row.get(id_member) == own_id]
    return parse({member: rows})


def _may_be_linked(row: Row) -> bool:
    """Whether data repository associations can exist (FSx API: DataRepositoryAssociation)."""
    lustre = row.get("LustreConfiguration")
    deployment = lustre.get("DeploymentType") if isinstance(lustre, dict) else None
    return (
        row.get("FileSystemType") == _LINKED
        and deployment != _SCRATCH_1
        and row.get("StorageType") != _GROWS
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _instant(value: object) -> datetime | None:
    return value if isinstance(value, datetime) else None


def _id(row: object, member: str) -> object:
    return row.get(member) if isinstance(row, dict) else None


def _tags(rows: object) -> dict[str, str] | None:
    """The tags of an entry; None for odd ones."""
    try:
        return tags_of(rows)
    except (LookupError, TypeError, ValueError):
        return None
