"""AWS clients of one connection: credentials, cached read-only clients, typed failures, waits."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Self
from urllib.parse import urlsplit

import botocore.session
from botocore import xform_name
from botocore.client import BaseClient
from botocore.config import Config

from app.clouds.aws_config import AwsConfig, CredentialMode, parse_config, partition_of
from app.clouds.aws_errors import (
    FAILURES,
    NAMED_ROOTS,
    failure_of,
    is_throttled,
    parsed,
    refuse_other_document,
    refuse_unreadable_json,
)
from app.clouds.aws_organization import checked_account, not_open
from app.clouds.aws_paces import ServicePacers
from app.clouds.aws_sessions import assumed, given_session, role_session
from app.clouds.endpoints import (
    Resolver,
    allowed_addresses,
    check_endpoint,
    is_address,
    system_resolver,
)
from app.clouds.failures import CallFailedError
from app.clouds.pacing import Pace, Pacer
from app.clouds.source import Source, own_account
from app.clouds.waits import longest_wait
from app.kit.errors import CollectorError, InvalidInputError
from app.kit.version import VERSION

_READS = ("Get", "List", "Describe", "Head", "Lookup")
_ALSO_ALLOWED = frozenset({"AssumeRole"})
_CONNECT_SECONDS, _READ_SECONDS = 5, 20
_ATTEMPTS = 4
# Whole, because what botocore puts together for itself it puts together anew for every request.
_USER_AGENT = f"atalaya/{VERSION} botocore/{botocore.__version__}"


class WriteRefusedError(Exception):
    """A programming error: an operation that is not a read was about to be sent."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the credentials are."""

    account_id: str
    arn: str


class AwsClients:
    """All clients of one account of a connection. Safe to share between threads.

    Clients are dear (the first of a service costs some 0.4 s), so each (service, region) is made
    once. `resolve` answers host names for the guard of a custom endpoint. When the source names
    a sub account, every client works in it, by a role that the connection's own credentials
    assume; `own` are clients of these credentials that several accounts share, with their pace.
    """

    def __init__(
        self,
        source: Source,
        *,
        resolve: Resolver = system_resolver,
        own: "AwsClients | None" = None,
    ) -> None:
        self.config = parse_config(source.config)
        self._account_id = checked_account(source.sub_account_id)
        self._threads = source.threads
        self._allow_private, self._resolve = source.allow_private_endpoints, resolve
        self.named_endpoint: tuple[str, int] | None = (
            own.named_endpoint if own else self._checked_endpoint()
        )
        self._clients: dict[tuple[str, str], BaseClient] = {}
        self._lock = threading.RLock()
        self.pacers = ServicePacers()
        self._made_own = self._account_id != "" and own is None
        self._own = AwsClients(own_account(source), resolve=resolve) if self._made_own else own
        rate = self.config.requests_per_second
        self.pace: Pace = self._own.pace if self._own else Pace(Pacer(rate, burst=source.threads))
        self._session = (
            self._member_session(self._own) if self._own else self._given_session(source)
        )

    @property
    def throttled(self) -> int:
        """Throttled answers within the last `call` of this thread, retried ones included."""
        return getattr(self.pace.of_thread, "throttled", 0)

    def call(self, service: str, operation: str, region: str, **params: object) -> dict[str, Any]:
        """The answer to one operation (in AWS's spelling) as botocore parsed it.

        Raises CallFailedError after at most four attempts.
        """
        self.pace.of_thread.throttled = 0
        try:
            return parsed(getattr(self.client(service, region), xform_name(operation)), params)
        except FAILURES as error:
            raise failure_of(error) from error

    def identity(self) -> Identity:
        """Who we are there. Needs no permission. CallFailedError when the credentials are no good,
        or when they belong to another account than was asked for.
        """
        answer = self.call("sts", "GetCallerIdentity", self.config.home_region)
        account_id, arn = str(answer.get("Account") or ""), str(answer.get("Arn") or "")
        expected = self._account_id or self.config.account_id
        if expected and account_id != expected:
            raise CallFailedError(
                f"These credentials belong to account {account_id or '(none)'}, "
                f"the connection is for {expected}.",
                code="WrongAccount",
                permanent=True,
            )
        return Identity(account_id, arn)

    def close(self) -> None:
        """Closes all connections; to be called when nobody calls any more."""
        for client in self._clients.values():
            client.close()
        if self._own and self._made_own:
            self._own.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _checked_endpoint(self) -> tuple[str, int] | None:
        """A custom endpoint whose name has to be judged again at each call."""
        if not self.config.endpoint_url:
            return None
        host, port = check_endpoint(
            self.config.endpoint_url, allow_private=self._allow_private, resolve=self._resolve
        )
        return None if is_address(host) else (host, port)

    def client(self, service: str, region: str) -> BaseClient:
        """The client of one service in one region.

        CallFailedError when the account is another one than that of the credentials, and the
        settings do not open it.
        """
        if self._own and not self._role[0]:
            return self._own.client(service, region)
        found = self._clients.get((service, region))
        if found is None:
            with self._lock:
                found = self._clients.get((service, region))
                if found is None:
                    found = self._guarded(self._session, service, region)
                    self._clients[service, region] = found
        return found

    def _guarded(self, session: botocore.session.Session, service: str, region: str) -> BaseClient:
        client = session.create_client(
            service,
            region_name=region,
            endpoint_url=self.config.endpoint_url or None,
            config=self._client_config(),
        )
        events: Any = client.meta.events
        events.register("before-call", _refuse_writes)
        with self._lock:
            pacer = self.pacers.of(service, region)
        events.register("before-send", partial(self._before_send, pacer))
        if self.config.endpoint_url:
            events.register("before-sign", self._keep_to_endpoint)
        name = client.meta.service_model.service_id.hyphenize()
        # botocore's own handler sits on the same event; the first that decides wins
        events.register_first(f"needs-retry.{name}", partial(self._after_answer, pacer))
        if "json" in client.meta.service_model.resolved_protocol:
            events.register("before-parse", refuse_unreadable_json)
        for operation in NAMED_ROOTS:
            events.register(f"before-parse.{name}.{operation}", refuse_other_document)
        return client

    def _client_config(self) -> Config:
        s3: Any = {"us_east_1_regional_endpoint": "regional"}
        if self.config.endpoint_url:  # a host of its own has no names for buckets, nor sessions
            s3 |= {"addressing_style": "path", "disable_s3_express_session_auth": True}
        return Config(
            retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
            connect_timeout=_CONNECT_SECONDS,
            read_timeout=_READ_SECONDS,
            max_pool_connections=self._threads,
            user_agent=_USER_AGENT,
            parameter_validation=False,  # every operation and its parameters are our own
            s3=s3,
        )

    def _keep_to_endpoint(self, request: Any, **_: object) -> None:  # noqa: ANN401 - botocore's AWSRequest
        """A custom endpoint is one host: some services put an account's id before its name."""
        host = urlsplit(self.config.endpoint_url).netloc
        request.url = urlsplit(request.url)._replace(netloc=host).geturl()

    def _before_send(self, pacer: Pacer, **_: object) -> None:
        """Each attempt waits for its turn, at its API and in all that the connection may ask.

        A custom endpoint's name is judged again.
        """
        if self.named_endpoint:
            host, port = self.named_endpoint
            allowed_addresses(host, port, allow_private=self._allow_private, resolve=self._resolve)
        pacer.take()
        self.pace.pacer.take()

    def _after_answer(self, pacer: Pacer, response: Any = None, **_: object) -> bool | None:  # noqa: ANN401 - botocore's pair
        """Counts throttled answers and holds that API back as long as the answer asks for.

        botocore backs off by itself but reads no wait header of S3. None leaves the decision to
        it; False ends the retries, for a wait that is longer than a sweep can bear.
        """
        if not response:
            return None
        http, parsed = response
        if not is_throttled(http.status_code, str(parsed.get("Error", {}).get("Code", ""))):
            return None
        self.pace.of_thread.throttled = self.throttled + 1
        return None if pacer.pause(longest_wait(http.headers) or 0) else False

    @cached_property
    def own_account_id(self) -> str:
        """The account that the connection's credentials belong to; asked once."""
        return self._own.own_account_id if self._own else self.identity().account_id

    @cached_property
    def _role(self) -> tuple[str, str]:
        """ARN and external id of the role that opens the account; '' when it is the own one."""
        account_id, organization = self._account_id, self.config.organization
        if account_id == self.own_account_id:
            return "", ""
        if organization is None:
            raise not_open(account_id, "the setting organization is missing")
        if not organization.covers(account_id):
            raise not_open(account_id, "the setting organization leaves it out")
        partition = partition_of(self.config.home_region)
        return organization.role_arn(account_id, partition), organization.external_id

    def _member_session(self, own: "AwsClients") -> botocore.session.Session:
        home = self.config.home_region
        return role_session(lambda: assumed(own.client("sts", home), *self._role))

    def _given_session(self, source: Source) -> botocore.session.Session:
        given = self.config.credentials
        session = given_session(given, source.secret)
        if given.mode is not CredentialMode.ASSUME_ROLE:
            return session
        home = self.config.home_region
        return role_session(
            lambda: assumed(self._guarded(session, "sts", home), given.role_arn, given.external_id)
        )


def open_clients(source: Source) -> AwsClients:
    """Clients for a sweep: settings that are no good are a CollectorError, for good."""
    try:
        return AwsClients(source)
    except InvalidInputError as error:
        raise CollectorError(
            error.detail, code="InvalidConfiguration", permanent=True, mend=error.mend
        ) from error


def check_config(config: Mapping[str, Any], *, allow_private: bool) -> AwsConfig:
    """What saving a connection checks: every setting, and where its endpoint leads."""
    checked = parse_config(config)
    if checked.endpoint_url:
        check_endpoint(checked.endpoint_url, allow_private=allow_private)
    return checked


def _refuse_writes(model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's OperationModel
    """Read-only by construction: whatever the credentials could do, these clients cannot."""
    if not model.name.startswith(_READS) and model.name not in _ALSO_ALLOWED:
        raise WriteRefusedError(f"{model.name} is not a read")
