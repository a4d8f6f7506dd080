"""Whether the buckets with lifecycle scripts keep versions: each is asked once in a sweep."""

from collections.abc import Iterable, Mapping

from app.clouds.parallel import stream
from app.collectors.aws_hyperpod.operations import VERSIONING
from app.collectors.aws_reading import AwsReading, Facts
from app.domain.collecting import Outcome
from app.domain.facts import Fact, Present
from app.domain.hyperpod import ScriptBucket
from app.domain.replies import UNEXPECTED, Reply

Buckets = Mapping[str, ScriptBucket]
# '' is a bucket that never kept versions: the answer then has no status (Amazon S3 API).
_STATUSES = frozenset({"Enabled", "Suspended", ""})


def script_buckets(reading: AwsReading, clusters: Iterable[Facts]) -> Buckets:
    """The buckets of these clusters by name."""
    names = {name for facts in clusters for name in _names(facts)}

    def ask(name: str) -> ScriptBucket:
        return _bucket(reading, name)

    return {one.name: one for one in stream(ask, sorted(names), threads=reading.threads)}


def script_bucket_facts(facts: Facts, buckets: Buckets) -> Fact[tuple[ScriptBucket, ...]]:
    """The buckets of one cluster; as unread as the cluster that names them."""
    named = facts["lifecycle_script_buckets"]
    if not isinstance(named, Present):
        return named
    return Present(tuple(buckets[name] for name in named.value))


def _bucket(reading: AwsReading, name: str) -> ScriptBucket:
    """Another account's bucket is refused: what its owner does with it is not ours to judge."""
    reply = reading.ask(VERSIONING, Bucket=name, ExpectedBucketOwner=reading.account_id)
    status = reply.answer.get("Status", "")
    if reply.outcome is Outcome.ANSWERED and status not in _STATUSES:
        reply = Reply(Outcome.FAILED, {}, UNEXPECTED, "a status of versioning that is none")
    reading.count(VERSIONING, reply)
    answered = reply.outcome is Outcome.ANSWERED
    return ScriptBucket(name, status if answered else None, reply.code)


def _names(facts: Facts) -> tuple[str, ...]:
    found = facts["lifecycle_script_buckets"]
    return found.value if isinstance(found, Present) else ()
