"""Azure Resource Manager and Resource Graph of one connection: read only, paged, paced, typed."""

import random
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

import httpx2
import orjson

from app.clouds.azure_config import AzureConfig, parse_config
from app.clouds.azure_credentials import TokenSource, token, token_source
from app.clouds.azure_errors import BAD_TOKEN, failure_of, network_failure
from app.clouds.endpoints import Resolver, check_endpoint, system_resolver
from app.clouds.failures import CallFailedError
from app.clouds.guarded_http import GuardedTransport
from app.clouds.pacing import Pacer
from app.clouds.paging import Pages
from app.clouds.source import Source
from app.clouds.waits import longest_wait
from app.kit.version import VERSION

# Pinned to versions whose answers were seen; sovereign clouds lag behind the newest.
API_VERSIONS: Mapping[str, str] = MappingProxyType(
    {"subscriptions": "2022-12-01", "storage": "2023-05-01", "graph": "2022-10-01"}
)
GRAPH = "/providers/Microsoft.ResourceGraph/resources"
# Subscriptions per query: Azure's guidance against throttling says at most some hundreds.
_SUBSCRIPTIONS_PER_QUERY = 100
_ROWS_PER_PAGE = 1000
_ATTEMPTS = 4
_CONNECT_SECONDS, _READ_SECONDS = 5.0, 30.0
_RETRIED = frozenset({408, 429, 500, 502, 503, 504})
_TOO_MANY_REQUESTS, _UNAUTHORIZED = 429, 401
_CLAIMS = re.compile(r'claims="([^"]+)"')
_LARGEST_ANSWER_BYTES = 64 * 1024 * 1024
Json = dict[str, Any]


class AzureClient:
    """One connection's client. Safe to share between threads; made once per sweep and process.

    The bearer token goes only to the origin of the configured Resource Manager. `resolve` answers
    host names for the guard of a custom endpoint; clock and sleep can be replaced in tests.
    """

    def __init__(
        self,
        source: Source,
        *,
        credential: TokenSource | None = None,
        resolve: Resolver = system_resolver,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.config: AzureConfig = parse_config(source.config)
        check_endpoint(
            self.config.resource_manager,
            allow_private=source.allow_private_endpoints,
            resolve=resolve,
        )
        self._credential = credential or token_source(self.config, source.secret)
        self._sleep = sleep
        self._pacer = Pacer(
            self.config.requests_per_second, burst=source.threads, clock=clock, sleep=sleep
        )
        self._of_thread = threading.local()
        self._http = httpx2.Client(
            transport=GuardedTransport(
                allow_private=source.allow_private_endpoints,
                connections=source.threads,
                resolve=resolve,
            ),
            timeout=httpx2.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS),
            headers={"User-Agent": f"atalaya/{VERSION}", "Accept": "application/json"},
            follow_redirects=False,
        )

    @property
    def throttled(self) -> int:
        """Throttled answers within the last call of this thread, retried ones included."""
        return getattr(self._of_thread, "throttled", 0)

    def get(self, path: str, api: str, **parameters: str) -> Json:
        """The JSON document at a path. Raises CallFailedError after at most four attempts."""
        return self._call("GET", path, params={"api-version": API_VERSIONS[api], **parameters})

    def pages(self, path: str, api: str, **parameters: str) -> Pages[Json]:
        """Pages of a list. `nextLink` is opaque: it carries api-version and position itself."""
        return Pages(
            lambda link: self._call("GET", link) if link else self.get(path, api, **parameters),
            lambda page: page.get("nextLink"),
        )

    def graph(self, query: str, subscriptions: Sequence[str]) -> Pages[Json]:
        """Pages of a Resource Graph query that must project `id`, over at most 100 subscriptions.

        Without `id` there is no key for the next page and rows are lost (Resource Graph:
        working with data), which makes the list incomplete.
        """
        if len(subscriptions) > _SUBSCRIPTIONS_PER_QUERY:
            raise ValueError("too many subscriptions for one query")
        return Pages(
            lambda key: self._query(query, list(subscriptions), key),
            lambda page: page.get("$skipToken"),
            # The flag is text in the documents that Azure sends.
            is_cut=lambda page: str(page.get("resultTruncated")).lower() == "true",
        )

    def close(self) -> None:
        """Ends the connections."""
        self._http.close()

    def _query(self, query: str, subscriptions: list[str], key: str | None) -> Json:
        options: Json = {"resultFormat": "objectArray", "$top": _ROWS_PER_PAGE}
        if key:
            options["$skipToken"] = key
        body = {"query": query, "subscriptions": subscriptions, "options": options}
        return self._call("POST", GRAPH, params={"api-version": API_VERSIONS["graph"]}, json=body)

    def _call(self, method: str, where: str, **request: Any) -> Json:  # noqa: ANN401 - httpx2's
        self._of_thread.throttled = 0
        url = self._own_url(where)
        claims: str | None = None
        for attempt in range(_ATTEMPTS):
            last = attempt + 1 == _ATTEMPTS
            try:
                answer = self._send(method, url, claims, request)
            except CallFailedError as error:
                if error.permanent or last:
                    raise
                self._sleep(_back_off(attempt))
                continue
            if answer.is_success:
                return _document(answer)
            claims = self._next_try(answer, claims, attempt, last=last)
        raise AssertionError("the last attempt returns or raises")

    def _send(
        self, method: str, url: str, claims: str | None, request: Mapping[str, Any]
    ) -> httpx2.Response:
        self._pacer.take()
        bearer = token(self._credential, self.config.cloud.scope, claims)
        headers = {"Authorization": f"Bearer {bearer}"}
        try:
            return self._http.request(method, url, headers=headers, **request)
        except httpx2.InvalidURL as error:  # made of a name that no address can hold
            raise CallFailedError(str(error), code="InvalidAddress", permanent=True) from error
        except httpx2.HTTPError as error:
            raise network_failure(error) from error

    def _next_try(
        self, answer: httpx2.Response, claims: str | None, attempt: int, *, last: bool
    ) -> str | None:
        """Waits before another attempt and gives its claims; raises when there is to be none."""
        failure = failure_of(answer)
        if answer.status_code == _UNAUTHORIZED and claims is None and not last:
            challenge = _CLAIMS.search(answer.headers.get("www-authenticate", ""))
            if challenge:
                return challenge[1]
            if failure.code in BAD_TOKEN:
                raise failure
        if answer.status_code == _TOO_MANY_REQUESTS:
            self._of_thread.throttled = self.throttled + 1
        if last or answer.status_code not in _RETRIED:
            raise failure
        wait = longest_wait(answer.headers)
        if not self._pacer.pause(wait if wait is not None else _back_off(attempt)):
            raise failure  # longer than a sweep can bear
        return claims

    def _own_url(self, where: str) -> str:
        """A path on our origin, or a link that stays on it; a foreign link is never followed."""
        if where.startswith("/") and not where.startswith("//"):
            return self.config.resource_manager + where
        if _origin(where) != _origin(self.config.resource_manager):
            raise CallFailedError(
                f"A list goes on at {where[:100]!r}, which is another host.",
                code="ForeignNextLink",
                permanent=True,
            )
        return where


def check_config(config: Mapping[str, Any], *, allow_private: bool) -> AzureConfig:
    """What saving a connection checks: every setting, and where its endpoint leads."""
    checked = parse_config(config)
    check_endpoint(checked.resource_manager, allow_private=allow_private)
    return checked


def _origin(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and effective port: `https://host` and `https://host:443` are one place."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "", None, None
    return parts.scheme, parts.hostname, port or {"https": 443, "http": 80}.get(parts.scheme)


def _back_off(attempt: int) -> float:
    return min(2.0**attempt, 8.0) * random.uniform(0.5, 1.0)  # noqa: S311 - spreads retries


def _document(answer: httpx2.Response) -> Json:
    if len(answer.content) > _LARGEST_ANSWER_BYTES:
        raise CallFailedError("The answer is too large.", code="AnswerTooLarge")
    try:
        document = orjson.loads(answer.content)
    except ValueError as error:
        raise CallFailedError(str(error), code="MalformedAnswer", status=200) from error
    if not isinstance(document, dict):
        raise CallFailedError("The answer is no JSON object.", code="MalformedAnswer", status=200)
    return document
