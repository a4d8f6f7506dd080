"""One sweep over what stands beside the buckets of a region: three lists, each with its details."""

from collections.abc import Iterator

from app.clouds.parallel import stream
from app.collectors.aws_reading import NO_ENDPOINT, AwsReading, Facts, Row
from app.collectors.aws_s3_access import mapping
from app.collectors.aws_s3_access.operations import (
    ACCOUNT_BLOCK,
    DIRECTORY_BUCKETS,
    ENCRYPTION,
    GET_LENS,
    GET_POINT,
    LENSES,
    LIFECYCLE,
    LIST_DIRECTORY,
    LIST_LENS,
    LIST_POINTS,
    POINTS,
    POLICY_STATUS,
)
from app.collectors.aws_s3_words import account_public_access_block, encryption, moment
from app.domain.access_points import S3AccessPointFacts
from app.domain.collecting import Observation, ResourceSeen
from app.domain.directory_buckets import S3DirectoryBucketFacts
from app.domain.replies import UNEXPECTED
from app.domain.storage_lens import S3StorageLensFacts


class Sweep:
    """Reads one region once. Worker threads ask for details; the reading thread yields."""

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading
        account = reading.account_id
        self._account = {"AccountId": account}
        self._arn = f"arn:{reading.partition}:s3:{reading.region_id}:{account}"
        self._blocked: Facts = {}

    def observations(self) -> Iterator[Observation]:
        """Access points, directory buckets, lenses, each list with its end; then the coverage."""
        yield from self._points()
        yield from self._directory_buckets()
        yield from self._lenses()
        yield from self._reading.reports()

    def _points(self) -> Iterator[Observation]:
        rows = self._reading.rows(POINTS, **self._account)
        found = list(rows)
        named = [row for row in found if _is_text(row, "Name")]
        if named:
            self._blocked = self._reading.learn(
                S3AccessPointFacts, ACCOUNT_BLOCK, account_public_access_block, **self._account
            )
        yield from stream(self._point, named, threads=self._reading.threads)
        cut = rows.cut or _nameless(found, named)
        yield self._reading.listed(S3AccessPointFacts, cut)

    def _point(self, row: Row) -> ResourceSeen:
        reading, named = self._reading, {**self._account, "Name": row["Name"]}
        reply = reading.ask(GET_POINT, **named)
        facts = {
            **self._blocked,
            **reading.stated(S3AccessPointFacts, LIST_POINTS, row, mapping.listed_point),
            **reading.understood(S3AccessPointFacts, GET_POINT, reply, mapping.point),
            **reading.learn(S3AccessPointFacts, POLICY_STATUS, mapping.policy_status, **named),
        }
        return reading.seen(
            S3AccessPointFacts(**facts),
            native_id=f"{self._arn}:accesspoint/{row['Name']}",
            name=row["Name"],
            created_at=moment(reply.answer.get("CreationDate")),
            parent_native_id=self._bucket_arn(row),
        )

    def _bucket_arn(self, row: Row) -> str:
        """The bucket that an access point is a door of, whoever owns it; '' for what is none."""
        name = row["Bucket"] if _is_text(row, "Bucket") else ""
        return f"arn:{self._reading.partition}:s3:::{name}" if name else ""

    def _directory_buckets(self) -> Iterator[Observation]:
        rows = self._reading.rows(DIRECTORY_BUCKETS)
        found = list(rows)
        named = [row for row in found if _is_text(row, "Name")]
        yield from stream(self._directory_bucket, named, threads=self._reading.threads)
        # Where the region has no host for them there is no list that could end.
        if rows.cut != NO_ENDPOINT:
            cut = rows.cut or _nameless(found, named)
            yield self._reading.listed(S3DirectoryBucketFacts, cut)

    def _directory_bucket(self, row: Row) -> ResourceSeen:
        # An expected owner, as for other buckets, is not taken here (S3 API, GetBucketEncryption).
        reading, name = self._reading, row["Name"]
        kind = S3DirectoryBucketFacts
        region = reading.region_id
        facts = {
            **reading.stated(
                kind, LIST_DIRECTORY, row, lambda one: mapping.directory_bucket(one["Name"], region)
            ),
            **reading.learn(kind, ENCRYPTION, encryption, Bucket=name),
            **reading.learn(kind, LIFECYCLE, mapping.lifecycle, Bucket=name),
        }
        where = f"{reading.region_id}:{reading.account_id}"
        return reading.seen(
            S3DirectoryBucketFacts(**facts),
            native_id=f"arn:{reading.partition}:s3express:{where}:bucket/{name}",
            name=name,
            created_at=moment(row.get("CreationDate")),
            reused_name=True,
        )

    def _lenses(self) -> Iterator[Observation]:
        """Those at home in this region; the list may name others too, read in theirs."""
        rows = self._reading.rows(LENSES, **self._account)
        found = list(rows)
        named = [row for row in found if _is_text(row, "Id") and _is_text(row, "HomeRegion")]
        here = [row for row in named if row["HomeRegion"] == self._reading.region_id]
        yield from stream(self._lens, here, threads=self._reading.threads)
        cut = rows.cut or _nameless(found, named)
        yield self._reading.listed(S3StorageLensFacts, cut)

    def _lens(self, row: Row) -> ResourceSeen:
        reading, kind = self._reading, S3StorageLensFacts
        named = {**self._account, "ConfigId": row["Id"]}
        facts = {
            **reading.stated(kind, LIST_LENS, row, mapping.listed_lens),
            **reading.learn(kind, GET_LENS, mapping.lens, **named),
        }
        return reading.seen(
            S3StorageLensFacts(**facts),
            native_id=f"{self._arn}:storage-lens/{row['Id']}",
            name=row["Id"],
        )


def _is_text(row: Row, member: str) -> bool:
    return isinstance(row.get(member), str)


def _nameless(found: list[Row], named: list[Row]) -> str:
    """A row without a name cannot be told from others: the list is not understood whole."""
    return "" if len(named) == len(found) else UNEXPECTED
