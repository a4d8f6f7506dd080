"""One sweep of a region: list, ask for what is set per file system in parallel, stream."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from app.clouds.parallel import stream
from app.collectors.aws_efs import mapping
from app.collectors.aws_efs.operations import (
    BACKUPS,
    FILE_SYSTEM_LIST,
    FILE_SYSTEMS,
    LIFECYCLE,
    NO_REPLICATION,
    REPLICATION_LIST,
    REPLICATIONS,
)
from app.collectors.aws_keys import Keys
from app.collectors.aws_reading import AwsReading, Facts, Row, tags_of
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.efs import EfsFileSystemFacts
from app.domain.facts import Unreadable
from app.domain.replies import UNEXPECTED, Reply


class Sweep:
    """Reads one region once."""

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading

    def observations(self) -> Iterator[Observation]:
        """File systems as they are read, whether their list was whole, then the coverage."""
        rows = self._reading.rows(FILE_SYSTEM_LIST)
        found = list(rows)
        named = [row for row in found if _has_an_id(row)]
        self._replications = self._all_replications() if named else Reply(Outcome.ANSWERED)
        self._keys = Keys(self._reading, EfsFileSystemFacts, map(_key_id, named))
        yield from stream(self._file_system, named, threads=self._reading.threads)
        yield self._reading.listed(EfsFileSystemFacts, rows.cut or self._odd(found, named))
        yield from self._reading.reports()

    def _odd(self, found: list[Row], named: list[Row]) -> str:
        """The code of a list with entries that cannot be told apart."""
        if len(named) == len(found):
            return ""
        reply = Reply(Outcome.FAILED, {}, UNEXPECTED, "an entry without FileSystemId")
        self._reading.count(FILE_SYSTEMS, reply)
        return UNEXPECTED

    def _all_replications(self) -> Reply:
        """The replications of the region, in one call instead of one per file system."""
        reply = self._reading.whole(REPLICATION_LIST)
        if reply.code == NO_REPLICATION:
            return Reply(Outcome.ANSWERED, {REPLICATION_LIST.member: []})
        return reply

    def _file_system(self, row: Row) -> ResourceSeen:
        own_id, reading, kind = row["FileSystemId"], self._reading, EfsFileSystemFacts
        facts = EfsFileSystemFacts(
            **reading.stated(kind, FILE_SYSTEMS, row, self._here),
            **self._keys.of(_key_id(row)),
            **self._copies(own_id),
            **reading.learn(kind, LIFECYCLE, mapping.lifecycle, FileSystemId=own_id),
            **reading.learn(kind, BACKUPS, mapping.backup_policy, FileSystemId=own_id),
        )
        return self._seen(facts, row)

    def _here(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**mapping.file_system(row), "file_system_region": self._reading.region_id}

    def _copies(self, own_id: str) -> Facts:
        reply = self._replications
        if reply.outcome is not Outcome.ANSWERED:
            return {"replications": Unreadable(reply.code)}

        def parse(answer: Mapping[str, Any]) -> Mapping[str, Any]:
            return mapping.replications(answer, own_id, self._reading.account_id)

        return self._reading.stated(EfsFileSystemFacts, REPLICATIONS, reply.answer, parse)

    def _seen(self, facts: EfsFileSystemFacts, row: Row) -> ResourceSeen:
        """EFS never gives an id twice."""
        reading, own_id, tags = self._reading, row["FileSystemId"], _tags(row)
        at, created_at = f"{reading.region_id}:{reading.account_id}", row.get("CreationTime")
        return reading.seen(
            facts,
            native_id=f"arn:{reading.partition}:elasticfilesystem:{at}:file-system/{own_id}",
            name=(tags or {}).get("Name") or own_id,
            created_at=created_at if isinstance(created_at, datetime) else None,
            tags=tags,
        )


def _has_an_id(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("FileSystemId"), str)


def _key_id(row: Row) -> object:
    return row.get("KmsKeyId")


def _tags(row: Row) -> dict[str, str] | None:
    try:
        return tags_of(row["Tags"])
    except (LookupError, TypeError, ValueError):
        return None
