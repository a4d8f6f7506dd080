"""Asks everything about one bucket; every call is a cell of its own. Runs in worker threads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from app.collectors.aws_s3 import mapping
from app.collectors.aws_s3.client import NO_SUCH_BUCKET, Listed, S3Client
from app.collectors.aws_s3.operations import BY_NAME, LOCATION, PARSERS, REPLICATION
from app.domain.fact_check import typed
from app.domain.facts import Fact, Present
from app.domain.replies import SKIPPED, Parse, Reply, understood
from app.domain.storage import S3BucketFacts


@dataclass(slots=True)
class BucketRead:
    """What one bucket answered, call by call. `gone`: S3 says that it does not exist (any more).

    `covered` False: it lies in a region that the connection leaves out, so no more was asked.
    """

    bucket: Listed
    facts: dict[str, Fact[Any]] = field(default_factory=dict)
    replies: list[tuple[str, Reply]] = field(default_factory=list)
    covered: bool = True

    @property
    def region_id(self) -> str | None:
        """Region of the bucket, None when it could not be read."""
        found = self.facts.get("bucket_region")
        return found.value if isinstance(found, Present) else None

    @property
    def gone(self) -> bool:
        """One call was answered with NoSuchBucket; that is always the last one."""
        return bool(self.replies) and self.replies[-1][1].code == NO_SUCH_BUCKET


class BucketReader:
    """Reads single buckets. `regions` are those of the account's buckets as far as known.

    `shared` are the facts that hold for each of them. Empty `covered` means every region, empty
    `wanted` every operation.
    """

    def __init__(
        self,
        client: S3Client,
        regions: Mapping[str, str | None],
        *,
        shared: Mapping[str, Fact[Any]] | None = None,
        covered: tuple[str, ...] = (),
        wanted: tuple[str, ...] = (),
    ) -> None:
        self._client, self._regions, self._covered = client, regions, covered
        self._shared = shared or {}
        self._wanted = frozenset(wanted or BY_NAME)
        self._places: dict[str, mapping.Place] = {}

    def read(self, bucket: Listed) -> BucketRead:
        """Asks one call after another, the location first."""
        read = BucketRead(bucket, dict(self._shared))
        if bucket.region_id:
            read.facts["bucket_region"] = Present(mapping.region_of(bucket.region_id))
        else:
            self._ask(read, LOCATION, mapping.location)
        # A bucket of unknown region is read: it may lie where we are to look.
        read.covered = read.region_id is None or not self._covered or self._is_covered(read)
        if read.covered and not read.gone:
            self._ask_the_rest(read)
        return read

    def _is_covered(self, read: BucketRead) -> bool:
        return read.region_id in self._covered

    def _ask_the_rest(self, read: BucketRead) -> None:
        questions: dict[str, Parse] = {**PARSERS, REPLICATION: partial(self._replication, read)}
        for operation, parse in questions.items():
            self._ask(read, operation, parse)
            if read.gone:
                return

    def _ask(self, read: BucketRead, operation: str, parse: Parse) -> None:
        reply = SKIPPED
        if operation in self._wanted:
            reply = self._client.ask(operation, read.bucket.name, read.region_id)
        reply, found = understood(reply, BY_NAME[operation].feeds, typed(S3BucketFacts, parse))
        read.facts.update(found)
        read.replies.append((operation, reply))

    def _replication(self, read: BucketRead, answer: Mapping[str, Any]) -> Mapping[str, Any]:
        arns = sorted(mapping.replication_destinations(answer))
        places = {arn: self._place(read, arn) for arn in arns}
        return mapping.replication(answer, places, self._client.account_id)

    def _place(self, read: BucketRead, arn: str) -> mapping.Place:
        """Where a destination lies: in our own list, in the ARN, or asked for once per sweep."""
        known = self._places.get(arn)
        if known is None:
            name = mapping.bucket_name(arn)
            ours, region = name in self._regions, self._regions.get(name)
            region = region or mapping.region_in_arn(arn)
            known = mapping.Place(region, ours=ours)
            if not region:
                known, reply = self._client.place(name, ours=ours)
                read.replies.append((LOCATION, reply))
            self._places[arn] = known
        return known
