"""The simulated AWS as one service: moto, and the layer that corrects what moto answers wrongly."""

import re
import threading
from collections.abc import Iterator
from dataclasses import replace

from typing_extensions import override

from app.sandbox.aws import (
    bent,
    control,
    datasync,
    documents,
    ec2,
    efs,
    eks,
    file_parts,
    fsx,
    hyperpod,
    kept,
    keys,
    metrics,
    modelled,
    organizations,
    regions,
    story_access,
    story_metrics,
)
from app.sandbox.aws.answers import Answerer, Question
from app.sandbox.aws.backend import Backend
from app.sandbox.aws.errors import AwsRefusal, access_denied
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws.kept import Known
from app.sandbox.aws.model import EVERY_READ, Bucket
from app.sandbox.aws.requests import AwsCall, identify
from app.sandbox.aws.rules import NEW_BUCKET_ENCRYPTION, NEW_BUCKET_PUBLIC_BLOCK
from app.sandbox.faults import Effect, Fault
from app.sandbox.gate import Service
from app.sandbox.wire import Answer, Request

# What moto lacks or answers wrongly, beside S3.
_OWN: dict[str, Answerer] = {
    **organizations.ANSWERS,
    **regions.ANSWERS,
    **control.ANSWERS,
    **eks.ANSWERS,
    **hyperpod.ANSWERS,
    **metrics.ANSWERS,
    **story_metrics.ANSWERS,
    **ec2.ANSWERS,
    **fsx.ANSWERS,
    **efs.ANSWERS,
    **datasync.ANSWERS,
    **file_parts.ANSWERS,
    **story_access.ANSWERS,
}
_LISTED = re.compile(rb"<Name>([^<]+)</Name><CreationDate>([^<]+)</CreationDate>")
_CONSTRAINT = re.compile(rb"<LocationConstraint[^>]*>([^<]*)</LocationConstraint>")


class AwsService(Service):
    """S3 with its account-wide switches, STS, the accounts of Organizations and their regions."""

    def __init__(self, estate: AwsEstate) -> None:
        self.estate = estate
        self._backend = Backend()
        self._keys = keys.Keys()
        self._known: dict[str, Known] = {}
        self._deleted: set[str] = set()  # made again later, they have a new date of creation
        self._lock = threading.Lock()

    def reset(self) -> None:
        """Empties every account, in moto too."""
        self._known.clear()
        self._deleted.clear()
        self._backend.reset()

    @override
    def operation(self, request: Request) -> str:
        return identify(request).operation

    @override
    def answer(self, request: Request) -> Answer:
        call = identify(request)
        try:
            account_id = self._keys.account_of(call, request)
            if call.service != "s3":
                return self._beside_s3(call, request, account_id)
            if call.action == "ListDirectoryBuckets" or call.bucket.endswith(story_access.SUFFIX):
                return self._directory(call, account_id)
            if call.action == "ListBuckets":
                return self._buckets(request, account_id)
            self._guard(call, request, account_id)
            return self._s3(call, request, account_id)
        except AwsRefusal as refusal:
            return refusal.answer(call)

    def _beside_s3(self, call: AwsCall, request: Request, account_id: str) -> Answer:
        if call.operation == "sts.AssumeRole":
            return self._assume(request)
        own = _OWN.get(call.operation)
        if own is None:
            return self._backend.ask(request)
        result = own(Question(account_id, call.region, call.params))
        return modelled.written(call.service, call.action, result)

    def _directory(self, call: AwsCall, account_id: str) -> Answer:
        """Directory buckets, which moto does not know."""
        question = Question(account_id, call.region, call.params)
        if not call.bucket:
            result = story_access.list_directory_buckets(question)
        else:
            result = story_access.directory_bucket(question, call.bucket, call.action)
        return documents.serialized(call.action, result)

    def _assume(self, request: Request) -> Answer:
        role = keys.role_asked(request)
        answer = self._backend.ask(request)
        self._keys.remember(role, answer)
        return answer

    def _guard(self, call: AwsCall, request: Request, account_id: str) -> None:
        """Refuses what the real S3 would: foreign buckets, wrong owners, denied reads."""
        bucket = self.estate.invented_named(call.bucket)
        known = self._known.get(call.bucket)
        owner = bucket.account.account_id if bucket else known and known.account_id
        if owner is None:
            return
        scripted = self.estate.scripted_named(call.bucket)
        expected = request.headers.get("x-amz-expected-bucket-owner", owner)
        if account_id != owner or expected != owner:
            secret = call.action != "HeadBucket" or (scripted and scripted.denied == EVERY_READ)
            where = bucket or known
            region = where.region if where and not secret else ""
            raise access_denied(f"{call.operation} on another account's bucket", region)
        if scripted and request.method in ("GET", "HEAD") and scripted.denies(call.operation):
            raise access_denied(call.operation)

    def _s3(self, call: AwsCall, request: Request, account_id: str) -> Answer:
        bucket = self.estate.invented_named(call.bucket)
        if bucket:
            return documents.invented(bucket, call.action)
        if call.action == "CreateBucket":
            return self._create(call, request, account_id)
        known = self._known.get(call.bucket)
        scripted = self.estate.scripted_named(call.bucket)
        if known and call.action in documents.LACKING:
            return documents.lacking(scripted or Bucket(call.bucket, ""), call.action)
        if known and scripted and scripted.uploads and call.action == "ListMultipartUploads":
            return documents.uploads(scripted)
        answer = self._backend.ask(request)
        if known is None or answer.status >= 300:  # noqa: PLR2004 - HTTP's own classes
            return answer
        return self._mended(call, request, known, answer)

    def _mended(self, call: AwsCall, request: Request, known: Known, answer: Answer) -> Answer:
        """Moto's answer, corrected where moto is known to lose or change something."""
        if call.action == "DeleteBucket":
            self._known.pop(call.bucket, None)
            self._deleted.add(call.bucket)
        elif call.action == "GetBucketLocation":
            found = known.constraint
            location = {"LocationConstraint": found} if found else {}
            return documents.serialized("GetBucketLocation", location)
        elif call.subresource in kept.SUBRESOURCES:
            return known.keep(call, request, answer)
        return answer

    def _create(self, call: AwsCall, request: Request, account_id: str) -> Answer:
        """Creates a bucket as today's S3 does: encrypted, closed to the public, `EU` allowed."""
        found = _CONSTRAINT.search(request.body)
        constraint = found[1].decode() if found else None
        if constraint == "EU":
            body = request.body.replace(b">EU<", b">eu-west-1<")
            answer = self._backend.ask(replace(request, body=body))
        else:
            answer = self._backend.ask(request)
        if answer.status == 200:  # noqa: PLR2004 - HTTP's own OK
            region = "eu-west-1" if constraint == "EU" else constraint or "us-east-1"
            with self._lock:
                self._known[call.bucket] = Known(account_id, region, constraint)
            self._new_bucket_defaults(request)
        return answer

    def _new_bucket_defaults(self, request: Request) -> None:
        path = request.raw_path
        for sub, root, settings in (
            ("encryption", "ServerSideEncryptionConfiguration", NEW_BUCKET_ENCRYPTION),
            ("publicAccessBlock", "PublicAccessBlockConfiguration", NEW_BUCKET_PUBLIC_BLOCK),
        ):
            body = _flat_xml(root, settings)
            self._backend.ask(replace(request, method="PUT", target=f"{path}?{sub}", body=body))

    def _buckets(self, request: Request, account_id: str) -> Answer:
        """ListBuckets with pages, regions and the estate's dates of creation."""
        plain = replace(request, target="/")
        answer = self._backend.ask(plain)
        if answer.status >= 300:  # noqa: PLR2004 - HTTP's own classes
            return answer
        after = documents.start_after(request)
        rows = self._rows(answer.body, account_id, after)
        return documents.bucket_list(request, rows, account_id)

    def _rows(self, body: bytes, account_id: str, after: str) -> Iterator[documents.ListedBucket]:
        listed = sorted((name.decode(), date.decode()) for name, date in _LISTED.findall(body))
        for name, date in listed:
            if name > after:
                scripted, known = self.estate.scripted_named(name), self._known.get(name)
                same = scripted if name not in self._deleted else None
                created = f"{same.created_at:%Y-%m-%dT%H:%M:%S.000Z}" if same else date
                region = known.region if known else "us-east-1"
                yield documents.ListedBucket(name, created, region)
        for bucket in self.estate.invented_of(account_id, after):
            created = f"{bucket.created_at:%Y-%m-%dT%H:%M:%S.000Z}"
            yield documents.ListedBucket(bucket.name, created, bucket.region)

    @override
    def refusal(self, request: Request, fault: Fault) -> Answer:
        code = fault.code or str(fault.status)
        message = fault.message or "Injected by the sandbox."
        return AwsRefusal(fault.status, code, message).answer(identify(request))

    @override
    def bend_next(self, request: Request, answer: Answer, effect: Effect) -> Answer:
        """Makes a list go on for ever with one and the same token."""
        call = identify(request)
        return (
            bent.s3(request, answer) if call.service == "s3" else bent.modelled_list(call, answer)
        )

    @override
    def admin(self, request: Request) -> Answer | None:
        return None


def _flat_xml(root: str, settings: object) -> bytes:
    """A small settings document: lists repeat their element in the singular."""
    return f"<{root}>{_xml_of(settings)}</{root}>".encode()


def _xml_of(value: object) -> str:
    if isinstance(value, dict):
        return "".join(
            "".join(f"<{name[:-1]}>{_xml_of(item)}</{name[:-1]}>" for item in inner)
            if isinstance(inner, list)
            else f"<{name}>{_xml_of(inner)}</{name}>"
            for name, inner in value.items()
        )
    return str(value).lower() if isinstance(value, bool) else str(value)
