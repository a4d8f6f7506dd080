"""Six answers about each of many buckets, the same in every run: S3's documents from a formula."""

from collections.abc import Iterator
from typing import NamedTuple

ACCOUNT = "123456789012"
SIX = ("location", "versioning", "lifecycle", "replication", "encryption", "tagging")
_NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"'
_KEY = f"arn:aws:kms:us-west-2:{ACCOUNT}:key/0f0f0f0f-0000-4000-8000-000000000000"


class Answer(NamedTuple):
    """Status and XML body."""

    status: int
    body: str


def name_of(number: int) -> str:
    """Name of the bucket with this number."""
    return f"atalaya-bench-{number:05}"


def listing(buckets: int) -> Answer:
    """ListBuckets as an older S3 answers it: whole, without the regions."""
    entries = "".join(
        f"<Bucket><Name>{name_of(number)}</Name>"
        f"<CreationDate>2026-0{number % 9 + 1}-01T08:00:00.000Z</CreationDate></Bucket>"
        for number in range(buckets)
    )
    owner = "<Owner><ID>0f0f</ID></Owner>"
    return _document("ListAllMyBucketsResult", f"{owner}<Buckets>{entries}</Buckets>")


def caller() -> Answer:
    """GetCallerIdentity."""
    result = (
        f"<GetCallerIdentityResult><Arn>arn:aws:iam::{ACCOUNT}:user/bench</Arn>"
        f"<UserId>AIDABENCH</UserId><Account>{ACCOUNT}</Account></GetCallerIdentityResult>"
    )
    space = 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"'
    return Answer(200, f"<GetCallerIdentityResponse {space}>{result}</GetCallerIdentityResponse>")


def answers(buckets: int) -> Iterator[tuple[str, str, Answer]]:
    """(bucket, question, answer) of every bucket."""
    for number in range(buckets):
        for question, make in _QUESTIONS.items():
            yield name_of(number), question, make(number)


def _document(root: str, inner: str) -> Answer:
    return Answer(200, f'<?xml version="1.0"?><{root} {_NAMESPACE}>{inner}</{root}>')


def _error(code: str, status: int = 404) -> Answer:
    return Answer(
        status,
        f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>{code}</Message></Error>',
    )


def _location(number: int) -> Answer:
    region = {0: "", 1: "eu-west-1", 2: "eu-central-1"}.get(number % 10, "us-west-2")
    return _document("LocationConstraint", region)


def _versioning(number: int) -> Answer:
    status = {0: "", 1: "<Status>Suspended</Status>"}.get(number % 4, "<Status>Enabled</Status>")
    return _document("VersioningConfiguration", status)


def _lifecycle(number: int) -> Answer:
    if number == 3:  # noqa: PLR2004 - one bucket of all is closed to us, as in real estates
        return _error("AccessDenied", 403)
    if number % 3 == 0:
        return _error("NoSuchLifecycleConfiguration")
    moves = "".join(
        f"<Transition><Days>{days}</Days><StorageClass>{where}</StorageClass></Transition>"
        for days, where in ((30, "STANDARD_IA"), (90, "GLACIER"), (270, "DEEP_ARCHIVE"))
    )
    prefix = "raw/" if number % 5 == 0 else ""
    return _document(
        "LifecycleConfiguration",
        f"<Rule><ID>cool</ID><Filter><Prefix>{prefix}</Prefix></Filter><Status>Enabled</Status>"
        f"{moves}<NoncurrentVersionExpiration><NoncurrentDays>365</NoncurrentDays>"
        "</NoncurrentVersionExpiration></Rule><Rule><ID>parts</ID><Filter><Prefix/></Filter>"
        "<Status>Enabled</Status><AbortIncompleteMultipartUpload><DaysAfterInitiation>7"
        "</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>",
    )


def _replication(number: int) -> Answer:
    if number != 0:
        return _error("ReplicationConfigurationNotFoundError")
    return _document(
        "ReplicationConfiguration",
        f"<Role>arn:aws:iam::{ACCOUNT}:role/copy</Role><Rule><ID>to-eu</ID><Priority>1</Priority>"
        "<Status>Enabled</Status><Filter><Prefix/></Filter><DeleteMarkerReplication>"
        "<Status>Disabled</Status></DeleteMarkerReplication><Destination>"
        f"<Bucket>arn:aws:s3:::{name_of(1)}</Bucket></Destination></Rule>",
    )


def _encryption(number: int) -> Answer:
    if number % 5:
        return _error("ServerSideEncryptionConfigurationNotFoundError")
    default = f"<SSEAlgorithm>aws:kms</SSEAlgorithm><KMSMasterKeyID>{_KEY}</KMSMasterKeyID>"
    return _document(
        "ServerSideEncryptionConfiguration",
        "<Rule><ApplyServerSideEncryptionByDefault>"
        f"{default}</ApplyServerSideEncryptionByDefault></Rule>",
    )


def _tagging(number: int) -> Answer:
    if number % 7 == 0:
        return _error("NoSuchTagSet")
    pairs = {"dataset": f"corpus-{number % 40}", "owner": "ml-platform", "residency": "eu"}
    tags = "".join(
        f"<Tag><Key>{key}</Key><Value>{value}</Value></Tag>" for key, value in pairs.items()
    )
    return _document("Tagging", f"<TagSet>{tags}</TagSet>")


_QUESTIONS = dict(
    zip(
        SIX,
        (_location, _versioning, _lifecycle, _replication, _encryption, _tagging),
        strict=True,
    )
)
