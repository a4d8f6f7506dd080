"""A real moto server on loopback with faults laid over it, and a ledger of what was asked."""

import io
import re
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import boto3
from botocore.config import Config
from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from typing_extensions import override
from werkzeug.serving import make_server

from app.sandbox.aws import modelled
from app.sandbox.wire import Request

ACCOUNT = "123456789012"
ACCOUNT_BLOCK = "account-publicAccessBlock"
ACCESS_KEY_ID = "AKIAIOSFODNN7EXAMPLE"
Environ = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """One request. `question`: the S3 sub-resource (lifecycle, …), ACCOUNT_BLOCK,
    or the action of another API, whose `parameters` are in boto3's words.
    `account`: whose key signed it, and for which `region` and `service`.
    """

    method: str
    bucket: str
    question: str
    parameters: dict[str, Any]
    headers: dict[str, str] = field(repr=False)
    account: str = ACCOUNT
    region: str = ""
    service: str = "s3"


@dataclass
class Fault:
    """An answer given instead of moto's; the patterns match whole words. `times` None: always.

    `parameters` are those that must be asked with. Without a status only the delay applies and
    moto answers.
    """

    bucket: str = ".*"
    question: str = ".*"
    method: str = ".*"
    status: int = 0
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    times: int | None = None
    delay_seconds: float = 0
    account: str = ".*"
    region: str = ".*"
    service: str = ".*"
    parameters: dict[str, Any] = field(default_factory=dict)

    def fits(self, asked: Asked) -> bool:
        pairs = (
            (self.bucket, asked.bucket),
            (self.question, asked.question),
            (self.method, asked.method),
            (self.account, asked.account),
            (self.region, asked.region),
            (self.service, asked.service),
        )
        same = all(asked.parameters.get(name) == one for name, one in self.parameters.items())
        return self.times != 0 and same and all(re.fullmatch(*pair) for pair in pairs)


def query_refusal(code: str, status: int, **where: Any) -> Fault:
    """An error document of a query API, such as STS."""
    error = f"<Error><Code>{code}</Code><Message>told to say {code}</Message></Error>"
    return Fault(status=status, body=f"<ErrorResponse>{error}</ErrorResponse>", **where)


def refusal(code: str, status: int, **where: Any) -> Fault:
    """An error document of S3."""
    body = f"<Error><Code>{code}</Code><Message>told to say {code}</Message></Error>"
    return Fault(status=status, body=body, **where)


def not_configured() -> list[Fault]:
    """What S3 says of a bucket without these settings, where moto answers a list of objects."""
    empty = "<ListBucketIntelligentTieringConfigurationsOutput><IsTruncated>false</IsTruncated>"
    return [
        Fault(
            question="intelligent-tiering",
            status=200,
            body=f"{empty}</ListBucketIntelligentTieringConfigurationsOutput>",
        ),
        refusal("MetadataConfigurationNotFound", 404, question="metadataConfiguration"),
    ]


class AwsWire:
    """`url` answers like AWS. `faults` apply first match first; `asked` is the ledger."""

    def __init__(self) -> None:
        self._moto = DomainDispatcherApplication(create_backend_app)
        self._server = make_server(
            "127.0.0.1", 0, self._answer, threaded=True, request_handler=_Quiet
        )
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self._lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.faults: list[Fault] = []
        self.asked: list[Asked] = []
        self._clients: dict[tuple[str, str], Any] = {}
        self._accounts: dict[str, str] = {}

    def client(self, service: str, region: str = "us-west-2") -> Any:
        """A plain boto3 client, to fill moto with."""
        make: Callable[..., Any] = boto3.client
        if (service, region) not in self._clients:
            self._clients[service, region] = make(
                service,
                region_name=region,
                endpoint_url=self.url,
                config=Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}),
                aws_access_key_id=ACCESS_KEY_ID,
                aws_secret_access_key="x",
            )
        return self._clients[service, region]

    def bucket(self, name: str, region: str = "us-west-2") -> Any:
        """Makes a bucket and returns a client of its region."""
        s3 = self.client("s3", region)
        where = {"CreateBucketConfiguration": {"LocationConstraint": region}}
        s3.create_bucket(Bucket=name, **({} if region == "us-east-1" else where))
        self.asked.clear()
        return s3

    def account_block(self, switches: dict[str, bool]) -> None:
        """Sets the public access block of the whole account."""
        with closing(self._control()) as client:
            client.put_public_access_block(
                AccountId=ACCOUNT, PublicAccessBlockConfiguration=switches
            )
        self.asked.clear()

    def access_point(self, name: str, bucket: str, vpc: str) -> None:
        """Makes an access point of one network."""
        with closing(self._control()) as client:
            client.create_access_point(
                AccountId=ACCOUNT, Name=name, Bucket=bucket, VpcConfiguration={"VpcId": vpc}
            )
        self.asked.clear()

    def _control(self) -> Any:
        """A client of S3 Control, to fill moto with."""
        make: Callable[..., Any] = boto3.client
        return make(
            "s3control",
            region_name="us-west-2",
            use_ssl=False,
            # Its hosts are named after accounts; as a proxy, moto answers for all of them.
            config=Config(proxies={"http": self.url}),
            aws_access_key_id=ACCESS_KEY_ID,
            aws_secret_access_key="x",
        )

    def questions(self, question: str) -> list[Asked]:
        """The requests with this sub-resource or action."""
        return [asked for asked in self.asked if asked.question == question]

    def reset(self) -> None:
        """An empty AWS without faults."""
        self.faults.clear()
        request = urllib.request.Request(f"{self.url}/moto-api/reset", method="POST")  # noqa: S310
        with urllib.request.urlopen(request):  # noqa: S310 - our own loopback server
            self.asked.clear()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        asked = _asked(environ, self._accounts)
        with self._lock:
            self.asked.append(asked)
            fault = next((fault for fault in self.faults if fault.fits(asked)), Fault())
            if fault.times is not None:
                fault.times -= 1
        time.sleep(fault.delay_seconds)
        if not fault.status:
            answer = list(self._moto(environ, start))
            if asked.question == "AssumeRole":
                self._remember(asked, b"".join(answer))
            return answer
        body = b"" if asked.method == "HEAD" else fault.body.encode()
        headers = {"Content-Type": "application/xml", "Content-Length": str(len(body))}
        start(f"{fault.status} Told", list({**headers, **fault.headers}.items()))
        return [body]

    def _remember(self, asked: Asked, answer: bytes) -> None:
        """Which account a key of an assumed role acts in."""
        for key in re.findall(r"<AccessKeyId>([^<]+)<", answer.decode()):
            self._accounts[key] = asked.parameters["RoleArn"].split(":")[4]


def _asked(environ: Environ, accounts: dict[str, str]) -> Asked:
    query = parse_qs(environ["QUERY_STRING"], keep_blank_values=True)
    parameters = {name: values[0] for name, values in query.items()}
    bucket = environ["PATH_INFO"].strip("/").partition("/")[0]
    question = next((name for name, value in parameters.items() if not value), "")
    headers = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): str(value)
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    method = environ["REQUEST_METHOD"]
    scope = re.search(r"Credential=([^/]+)/\d+/([^/]+)/([^/]+)/", headers.get("authorization", ""))
    key, region, signed = scope.groups() if scope else ("", "", "s3")
    account = accounts.get(key, ACCOUNT)
    service = modelled.service_of(signed, environ["PATH_INFO"])
    if service == "s3":
        if signed == "s3express" and not bucket:
            question = "ListDirectoryBuckets"
        return Asked(method, bucket, question, parameters, headers, account, region)
    found = modelled.read(service, _request(environ, headers))
    if found is None:
        return Asked(method, "", "", {}, headers, account, region, service)
    question = ACCOUNT_BLOCK if found.action.endswith("PublicAccessBlock") else found.action
    return Asked(method, "", question, dict(found.params), headers, account, region, service)


def _request(environ: Environ, headers: dict[str, str]) -> Request:
    """The request as the sandbox reads it; its body stays there for moto."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    environ["wsgi.input"] = io.BytesIO(body)
    target = environ.get("RAW_URI") or environ["PATH_INFO"]
    headers = {"content-type": environ.get("CONTENT_TYPE", ""), **headers}
    return Request(environ["REQUEST_METHOD"], target, headers, body)


class _Quiet(MotoRequestHandler):
    """moto's handler without the access log."""

    @override
    def log_request(self, *_: object) -> None:
        """Says nothing."""
