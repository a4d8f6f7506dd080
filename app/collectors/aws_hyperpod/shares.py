"""Shares and turns of the teams: lists of a whole region, told apart by cluster."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.collectors.aws_hyperpod import mapping
from app.collectors.aws_hyperpod.listing import QUOTA_LIST, SCHEDULER_LIST
from app.collectors.aws_hyperpod.operations import BY_NAME, QUOTA
from app.collectors.aws_reading import AwsReading, Facts, Listing, Row
from app.domain.collecting import Outcome
from app.domain.facts import Unreadable
from app.domain.hyperpod import HyperpodClusterFacts
from app.domain.replies import UNEXPECTED, Reply

_CONFIG = "ComputeQuotaConfig"
_Parse = Callable[[Sequence[Row]], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Shares:
    """The reply of each list: its rows by ARN of the cluster."""

    quotas: Reply
    schedulers: Reply

    @classmethod
    def of_region(cls, reading: AwsReading) -> "Shares":
        """Asks for both lists."""
        return cls(_by_cluster(reading, QUOTA_LIST), _by_cluster(reading, SCHEDULER_LIST))

    def facts(self, reading: AwsReading, arn: str) -> Facts:
        """The facts of one cluster."""
        quotas = _with_resources(reading, self.quotas, arn)
        return _facts(reading, QUOTA_LIST, quotas, arn, mapping.quotas) | _facts(
            reading, SCHEDULER_LIST, self.schedulers, arn, mapping.scheduler_configs
        )


def _by_cluster(reading: AwsReading, listing: Listing) -> Reply:
    reply = reading.whole(listing)
    if reply.outcome is not Outcome.ANSWERED:
        return reply
    found: dict[str, list[Row]] = defaultdict(list)
    for row in reply.answer[listing.member]:
        arn = row.get("ClusterArn") if isinstance(row, dict) else None
        if not isinstance(arn, str):  # whose it is nobody knows, so that none is known whole
            odd = Reply(Outcome.FAILED, {}, UNEXPECTED, "a row without its cluster")
            reading.count(listing.operation, odd)
            return odd
        found[arn].append(row)
    return Reply(Outcome.ANSWERED, found)


def _with_resources(reading: AwsReading, quotas: Reply, arn: str) -> Reply:
    """Describes those shares whose list entry leaves out what they consist of."""
    rows: list[Row] = []
    for row in quotas.answer.get(arn, ()):
        if _CONFIG in row:
            rows.append(row)
            continue
        reply = reading.ask(QUOTA, ComputeQuotaId=row.get("ComputeQuotaId"))
        reading.count(QUOTA, reply)
        if reply.outcome is not Outcome.ANSWERED:
            return reply
        rows.append(dict(reply.answer))
    return Reply(Outcome.ANSWERED, {arn: rows}) if rows else quotas


def _facts(reading: AwsReading, listing: Listing, reply: Reply, arn: str, parse: _Parse) -> Facts:
    if reply.outcome is not Outcome.ANSWERED:
        feeds = BY_NAME[listing.operation].feeds
        return dict.fromkeys(feeds, Unreadable(reply.code))
    return reading.stated(
        HyperpodClusterFacts,
        listing.operation,
        reply.answer,
        lambda answer: parse(answer.get(arn, ())),
    )
