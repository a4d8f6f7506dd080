"""One sweep over the buckets of an account: list, read in parallel, stream what was learned."""

from collections.abc import Iterator
from typing import Any

from app.clouds.aws_config import AwsConfig, known_regions
from app.clouds.failures import CallFailedError
from app.clouds.parallel import stream
from app.collectors.aws_s3.client import NO_SUCH_BUCKET, Listed, S3Client, listed, stated_time
from app.collectors.aws_s3.operations import ACCOUNT_BLOCK, BY_NAME, LIST, OPERATIONS, WHO
from app.collectors.aws_s3.reading import BucketRead, BucketReader
from app.collectors.aws_s3_words import account_public_access_block
from app.domain.collecting import ListingDone, Observation, Outcome, ResourceSeen
from app.domain.coverage import Coverage
from app.domain.facts import Fact, Present, Unreadable
from app.domain.replies import SKIPPED, Reply, understood
from app.domain.storage import S3BucketFacts
from app.kit.clock import utc_now

KIND = S3BucketFacts.KIND
_FACTS = tuple(name for operation in OPERATIONS for name in operation.feeds)


class Sweep:
    """Reads one account once. Worker threads only ask; the reading thread counts and yields.

    A scope is the account with a region; buckets of unknown region have the account alone.
    """

    def __init__(self, client: S3Client, config: AwsConfig, threads: int) -> None:
        self._client, self._config, self._threads = client, config, threads
        self._account = client.account_id
        self._coverage = Coverage()

    def observations(self) -> Iterator[Observation]:
        """Buckets as they are read, then what was listed, then the coverage.

        Raises CallFailedError when the list cannot be read for another reason than a missing
        right: then nothing is known.
        """
        self._coverage.count(self._account, WHO, Outcome.ANSWERED)
        buckets, cut = self._list()
        regions = {bucket.name: bucket.region_id for bucket in buckets}
        vanished: list[Listed] = []
        reader = self._reader(regions, self._of_account())
        for read in stream(reader.read, buckets, threads=self._threads):
            self._count(read)
            regions[read.bucket.name] = read.region_id
            if read.gone:
                vanished.append(read.bucket)
            elif read.covered:
                yield self._seen(read)
        yield from self._still_listed(vanished)
        yield from self._listed(cut, {region for region in regions.values() if region})
        yield from self._coverage.reports()

    def _reader(self, regions: dict[str, str | None], shared: dict[str, Fact[Any]]) -> BucketReader:
        return BucketReader(
            self._client,
            regions,
            shared=shared,
            covered=self._config.regions,
            wanted=self._config.operations,
        )

    def _of_account(self) -> dict[str, Fact[Any]]:
        """What holds for every bucket of the account; asked once."""
        wanted = not self._config.operations or ACCOUNT_BLOCK in self._config.operations
        reply = self._client.ask_account(ACCOUNT_BLOCK) if wanted else SKIPPED
        feeds = BY_NAME[ACCOUNT_BLOCK].feeds
        reply, facts = understood(reply, feeds, account_public_access_block)
        self._count_reply(self._account, ACCOUNT_BLOCK, reply)
        return facts

    def _list(self) -> tuple[list[Listed], str]:
        """The buckets, each once, and why the list is not whole ('' when it is)."""
        pages = self._client.pages()
        buckets: dict[Listed, None] = {}
        try:
            for page in pages:
                self._count_list(Outcome.ANSWERED)
                told_at = stated_time(page)
                if told_at:
                    skew = (told_at - utc_now()).total_seconds()
                    self._coverage.note_skew(self._account, LIST, skew)
                buckets |= dict.fromkeys(listed(page))
        except CallFailedError as error:
            if not buckets and not error.denied:
                raise
            outcome = Outcome.DENIED if error.denied else Outcome.FAILED
            self._count_list(outcome, (error.code, error.detail))
            return list(buckets), error.code
        return list(buckets), pages.code

    def _count_list(self, outcome: Outcome, fault: tuple[str, str] = ("", "")) -> None:
        throttled = self._client.throttled
        self._coverage.count(self._account, LIST, outcome, throttled=throttled, fault=fault)

    def _count(self, read: BucketRead) -> None:
        scope = self._scope(read.region_id)
        for operation, reply in read.replies:
            self._count_reply(scope, operation, reply)

    def _count_reply(self, scope: str, operation: str, reply: Reply) -> None:
        self._coverage.count(
            scope,
            operation,
            reply.outcome,
            throttled=reply.throttled,
            fault=("", "") if reply.outcome is Outcome.ABSENT else (reply.code, reply.message),
        )

    def _seen(self, read: BucketRead) -> ResourceSeen:
        bucket, tags = read.bucket, read.facts["bucket_tags"]
        arn = f"arn:{self._client.partition}:s3:::{bucket.name}"
        readable = tags.value if isinstance(tags, Present) else {}
        return ResourceSeen(
            kind=KIND,
            immutable_id=f"{arn}@{bucket.created_at.isoformat()}" if bucket.created_at else arn,
            native_id=arn,
            name=bucket.name,
            sub_account_id=self._account,
            region_id=read.region_id,
            created_at=bucket.created_at,
            tags=None if isinstance(tags, Unreadable) else readable,
            facts=S3BucketFacts(**read.facts),
            scope=self._scope(read.region_id),
        )

    def _still_listed(self, vanished: list[Listed]) -> Iterator[ResourceSeen]:
        """Buckets that answered "no such bucket" although a second look at the list shows them.

        Only the list may say that a bucket is gone, so these stay, unreadable.
        """
        if not vanished:
            return
        present, whole = self._second_look()
        for bucket in vanished:
            if not whole or bucket in present:
                facts = dict.fromkeys(_FACTS, Unreadable(NO_SUCH_BUCKET))
                yield self._seen(BucketRead(bucket, {**facts}))

    def _second_look(self) -> tuple[frozenset[Listed], bool]:
        try:
            buckets, cut = self._list()
        except CallFailedError:
            return frozenset(), False
        return frozenset(buckets), not cut

    def _listed(self, cut: str, found: set[str]) -> Iterator[ListingDone]:
        """One list tells of every region it covers, also of those that turned out empty."""
        if cut:
            yield ListingDone(KIND, self._account, complete=False, code=cut)
            return
        regions = known_regions().items()
        everywhere = {region for region, part in regions if part == self._client.partition}
        covered = set(self._config.regions) or everywhere | found
        for region in (None, *sorted(covered)):
            yield ListingDone(KIND, self._scope(region), complete=True)

    def _scope(self, region: str | None) -> str:
        return f"{self._account}/{region}" if region else self._account
