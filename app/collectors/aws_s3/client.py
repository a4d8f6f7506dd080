"""Asks S3, thinly: one method per question, failures as replies, lists to their end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.clouds.aws import AwsClients
from app.clouds.aws_config import partition_of
from app.clouds.aws_errors import REGION_NOT_ENABLED
from app.clouds.failures import CallFailedError
from app.clouds.paging import Pages
from app.clouds.waits import http_date
from app.collectors.aws_s3.mapping import Place, region_of
from app.collectors.aws_s3.operations import ABSENT_CODES, INVENTORY, LOCATION, TIERING, UPLOADS
from app.collectors.aws_s3_words import utc
from app.domain.collecting import Outcome
from app.domain.replies import UNEXPECTED, Reply

NO_SUCH_BUCKET = "NoSuchBucket"
# The date of creation is right only there; elsewhere it moves with every change of a bucket's
# policy or rules (Amazon S3 API: Bucket; aws/aws-cli#3597).
_LISTING_REGION = {"aws": "us-east-1", "aws-cn": "cn-north-1", "aws-us-gov": "us-gov-west-1"}
_BUCKETS_PER_PAGE = 1000
# Leftovers are told by a sample: the first page is the largest that S3 gives, and one call.
UPLOADS_PER_PAGE = 1000
_LISTS = {
    INVENTORY: "InventoryConfigurationList",
    TIERING: "IntelligentTieringConfigurationList",
}
_REGION_HEADER = "x-amz-bucket-region"


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of ListBuckets; `region_id` only where the service tells it there."""

    name: str
    created_at: datetime | None
    region_id: str | None


class S3Client:
    """S3 of one account. Safe to share between threads."""

    def __init__(self, clients: AwsClients, account_id: str) -> None:
        self._clients, self.account_id = clients, account_id
        self.home_region = clients.config.home_region
        self.partition = partition_of(self.home_region)
        self._listing_region = (
            self.home_region
            if clients.config.endpoint_url
            else _LISTING_REGION.get(self.partition, self.home_region)
        )

    @property
    def throttled(self) -> int:
        """Throttled answers within the last call of this thread."""
        return self._clients.throttled

    def pages(self) -> Pages[dict[str, Any]]:
        """Pages of ListBuckets. Asked in pages because a large account is refused otherwise, and
        because only then the answer tells the regions.
        """
        return Pages(self._list_page, lambda page: page.get("ContinuationToken"))

    def ask(self, operation: str, bucket: str, region: str | None) -> Reply:
        """The reply to one question about a bucket of this account, sent to its region.

        S3 itself leads a call with a wrong or unknown region to the right one; botocore follows.
        """
        if member := _LISTS.get(operation):
            return self._reply(
                operation, region, lambda: self._whole(operation, member, bucket, region)
            )
        more = {"MaxUploads": UPLOADS_PER_PAGE} if operation == UPLOADS else {}
        return self._reply(operation, region, lambda: self._ask(operation, bucket, region, **more))

    def ask_account(self, operation: str) -> Reply:
        """The reply to one question about the whole account, asked of its home region."""
        service, _, action = operation.partition(":")
        account = {"AccountId": self.account_id}
        return self._reply(
            operation,
            None,
            lambda: self._clients.call(service, action, self.home_region, **account),
        )

    def place(self, name: str, *, ours: bool) -> tuple[Place, Reply]:
        """Where a bucket lies that replication leads to.

        Another account's bucket normally denies its location, but HeadBucket tells the region in
        a header also to those whom the bucket refuses (Amazon S3 API: HeadBucket).
        """
        headed = None if ours else self._head(name)
        if headed:
            return Place(headed), Reply(Outcome.ANSWERED, throttled=self._clients.throttled)
        try:
            answer = self._clients.call("s3", "GetBucketLocation", self.home_region, Bucket=name)
        except CallFailedError as error:
            return Place(None, error.code, ours), self._no_answer(LOCATION, None, error)
        region = region_of(answer["LocationConstraint"])
        return Place(region, ours=ours), Reply(Outcome.ANSWERED, throttled=self._clients.throttled)

    def _head(self, name: str) -> str | None:
        headers: Mapping[str, str]
        try:
            answer = self._clients.call("s3", "HeadBucket", self.home_region, Bucket=name)
            headers = answer.get("ResponseMetadata", {}).get("HTTPHeaders", {})
        except CallFailedError as error:
            headers = error.headers
        return headers.get(_REGION_HEADER)

    def _list_page(self, token: str | None) -> dict[str, Any]:
        more = {"ContinuationToken": token} if token else {}
        page = self._clients.call(
            "s3", "ListBuckets", self._listing_region, MaxBuckets=_BUCKETS_PER_PAGE, **more
        )
        if not isinstance(page.get("Buckets"), list):
            raise CallFailedError("ListBuckets answered without a list.", code=UNEXPECTED)
        return page

    def _ask(
        self, operation: str, bucket: str, region: str | None, **more: object
    ) -> dict[str, Any]:
        return self._clients.call(
            "s3",
            operation.partition(":")[2],
            region or self.home_region,
            Bucket=bucket,
            # A name that somebody else has taken meanwhile answers 403, not foreign facts.
            ExpectedBucketOwner=self.account_id,
            **more,
        )

    def _whole(
        self, operation: str, member: str, bucket: str, region: str | None
    ) -> dict[str, Any]:
        """All rows of a list of configurations, for which botocore has no paginator."""
        pages = Pages(
            lambda token: self._ask(
                operation, bucket, region, **({"ContinuationToken": token} if token else {})
            ),
            lambda page: page.get("NextContinuationToken") if page.get("IsTruncated") else None,
            is_cut=lambda page: page.get("IsTruncated") is not False,
        )
        found = [one for page in pages for one in page.get(member, ())]
        if not pages.complete:
            raise CallFailedError("The list of configurations does not end.", code=pages.code)
        return {member: found}

    def _reply(
        self, operation: str, region: str | None, call: Callable[[], dict[str, Any]]
    ) -> Reply:
        try:
            answer = call()
        except CallFailedError as error:
            return self._no_answer(operation, region, error)
        return Reply(Outcome.ANSWERED, answer, throttled=self._clients.throttled)

    def _no_answer(self, operation: str, region: str | None, error: CallFailedError) -> Reply:
        outcome = Outcome.DENIED if error.denied else Outcome.FAILED
        if error.code == ABSENT_CODES.get(operation):
            outcome = Outcome.ABSENT
        elif error.code == NO_SUCH_BUCKET or self._is_off(region, error.code):
            outcome = Outcome.SKIPPED
        return Reply(outcome, {}, error.code, error.detail, throttled=self._clients.throttled)

    def _is_off(self, region: str | None, code: str) -> bool:
        """The account is fine at home, so it is this region that is not switched on."""
        return code in REGION_NOT_ENABLED and region not in (None, self.home_region)


def stated_time(page: Mapping[str, Any]) -> datetime | None:
    """The service's own clock when it answered."""
    headers = page.get("ResponseMetadata", {}).get("HTTPHeaders", {})
    return http_date(headers.get("date", ""))


def listed(page: Mapping[str, Any]) -> list[Listed]:
    """The entries of one page of ListBuckets."""
    return [
        Listed(entry["Name"], utc(entry.get("CreationDate")), entry.get("BucketRegion"))
        for entry in page["Buckets"]
    ]
