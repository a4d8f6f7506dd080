"""Single calls to Azure: paced per bucket, retried, with the token of their own audience."""

import random
import re
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx2
import orjson

from app.clouds.azure_config import AzureConfig
from app.clouds.azure_credentials import TokenSource, token
from app.clouds.azure_errors import BAD_TOKEN, failure_of, network_failure
from app.clouds.azure_paces import AzurePacers
from app.clouds.endpoints import Resolver
from app.clouds.failures import CallFailedError
from app.clouds.guarded_http import GuardedTransport
from app.clouds.pacing import Pacer
from app.clouds.source import Source
from app.clouds.waits import longest_wait
from app.kit.version import VERSION

_ATTEMPTS = 4
_CONNECT_SECONDS, _READ_SECONDS = 5.0, 30.0
_RETRIED = frozenset({408, 429, 500, 502, 503, 504})
_TOO_MANY_REQUESTS, _UNAUTHORIZED = 429, 401
_CLAIMS = re.compile(r'claims="([^"]+)"')
_LARGEST_ANSWER_BYTES = 64 * 1024 * 1024
_QUOTA_LEFT = "x-ms-user-quota-remaining"
Json = dict[str, Any]


class AzureCalls:
    """Sends requests and reads their answers. Safe to share between threads."""

    def __init__(
        self,
        source: Source,
        config: AzureConfig,
        credential: TokenSource,
        *,
        resolve: Resolver,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._credential, self._sleep, self._clock = credential, sleep, clock
        self._pacers = AzurePacers(
            config.requests_per_second,
            lambda rate, burst: Pacer(rate, burst=burst, clock=clock, sleep=sleep),
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

    def sleep(self, seconds: float) -> None:
        """Waits without holding anybody else back."""
        self._sleep(seconds)

    def now(self) -> float:
        """Seconds of a clock that never runs backwards."""
        return self._clock()

    def close(self) -> None:
        """Ends the connections."""
        self._http.close()

    def answer(
        self,
        method: str,
        url: str,
        scope: str,
        bucket: str,
        **request: Any,  # noqa: ANN401 - httpx2's
    ) -> httpx2.Response:
        """The successful answer. CallFailedError after at most four attempts.

        `scope` is the audience of the token, `bucket` names the pacer that the call waits for.
        """
        self._of_thread.throttled = 0
        pacer = self._pacers.of(bucket)
        claims: str | None = None
        for attempt in range(_ATTEMPTS):
            last = attempt + 1 == _ATTEMPTS
            pacer.take()
            try:
                answer = self._send(method, url, token(self._credential, scope, claims), request)
            except CallFailedError as error:
                if error.permanent or last:
                    raise
                self._sleep(_back_off(attempt))
                continue
            if answer.is_success:
                _spare(pacer, answer)
                return answer
            claims = self._next_try(answer, pacer, claims, attempt, last=last)
        raise AssertionError("the last attempt returns or raises")

    def _send(
        self, method: str, url: str, bearer: str, request: Mapping[str, Any]
    ) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {bearer}"}
        try:
            return self._http.request(method, url, headers=headers, **request)
        except httpx2.InvalidURL as error:  # made of a name that no address can hold
            raise CallFailedError(str(error), code="InvalidAddress", permanent=True) from error
        except httpx2.HTTPError as error:
            raise network_failure(error) from error

    def _next_try(
        self,
        answer: httpx2.Response,
        pacer: Pacer,
        claims: str | None,
        attempt: int,
        *,
        last: bool,
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
        if not pacer.pause(wait if wait is not None else _back_off(attempt)):
            raise failure  # longer than a sweep can bear
        return claims


def document(answer: httpx2.Response) -> Json:
    """The JSON object of an answer; CallFailedError when it is something else."""
    if len(answer.content) > _LARGEST_ANSWER_BYTES:
        raise CallFailedError("The answer is too large.", code="AnswerTooLarge")
    try:
        found = orjson.loads(answer.content)
    except ValueError as error:
        raise CallFailedError(str(error), code="MalformedAnswer", status=200) from error
    if not isinstance(found, dict):
        raise CallFailedError("The answer is no JSON object.", code="MalformedAnswer", status=200)
    return found


def origin(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and effective port: `https://host` and `https://host:443` are one place."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "", None, None
    return parts.scheme, parts.hostname, port or {"https": 443, "http": 80}.get(parts.scheme)


def _spare(pacer: Pacer, answer: httpx2.Response) -> None:
    """Waits for a quota that this answer used up, before the next call is refused."""
    if answer.headers.get(_QUOTA_LEFT, "").strip() == "0":
        pacer.pause(longest_wait(answer.headers) or 0.0)


def _back_off(attempt: int) -> float:
    return min(2.0**attempt, 8.0) * random.uniform(0.5, 1.0)  # noqa: S311 - spreads retries
