"""The lists of HyperPod, and rows that can be told apart: only those have an identity."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.collectors.aws_hyperpod.operations import CLUSTERS, NODES, PLANS, QUOTAS, SCHEDULERS, TAGS
from app.collectors.aws_reading import AwsReading, Listing, Row, tags_of
from app.domain.collecting import Outcome
from app.domain.replies import UNEXPECTED, Reply

_PAGE = {"MaxResults": 100}  # the most that these lists give
CLUSTER_LIST = Listing(CLUSTERS, "ClusterSummaries", params=_PAGE)
NODE_LIST = Listing(NODES, "ClusterNodeSummaries", params=_PAGE)
# A machine that is being made has the second alone.
NODE_IDS = ("InstanceId", "NodeLogicalId")
PLAN_LIST = Listing(PLANS, "TrainingPlanSummaries", params=_PAGE)
QUOTA_LIST = Listing(QUOTAS, "ComputeQuotaSummaries", params=_PAGE)
SCHEDULER_LIST = Listing(SCHEDULERS, "ClusterSchedulerConfigSummaries", params=_PAGE)
TAG_LIST = Listing(TAGS, "Tags")


@dataclass(frozen=True, slots=True)
class Named:
    """The rows of a list that say what they are; `cut` tells why it is not whole, '' if it is."""

    rows: list[Row]
    cut: str


def named(
    reading: AwsReading, listing: Listing, ids: Sequence[str], *needed: str, **params: object
) -> Named:
    """Reads a list, each row once. The first of `ids` that a row has says what it is.

    A row without any, or without what else is `needed`, is counted as a failure and left out.
    """
    rows = reading.rows(listing, **params)
    found: dict[str, Row] = {}
    odd = False
    for row in rows:
        id_ = next((row[name] for name in ids if _is_text(row.get(name))), "")
        if id_ and all(_is_text(row.get(name)) for name in needed):
            found[id_] = row  # what is told again is newer
            continue
        odd = True
        reply = Reply(Outcome.FAILED, {}, UNEXPECTED, "a row that does not say what it is")
        reading.count(listing.operation, reply)
    return Named([*found.values()], rows.cut or (UNEXPECTED if odd else ""))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def tags_of_resource(reading: AwsReading, arn: str) -> dict[str, str] | None:
    """The tags of a cluster or plan; None when they could not be read."""
    reply = reading.whole(TAG_LIST, ResourceArn=arn)
    if reply.outcome is not Outcome.ANSWERED:
        return None
    try:
        return tags_of(reply.answer[TAG_LIST.member])
    except (LookupError, TypeError, ValueError) as error:
        reading.count(TAGS, Reply(Outcome.FAILED, {}, UNEXPECTED, type(error).__name__))
        return None
