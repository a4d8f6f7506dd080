"""Azure Resource Manager and Resource Graph of one connection: read only, paged, paced, typed."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx2

from app.clouds.azure_calls import AzureCalls, Json, document, origin
from app.clouds.azure_config import AzureConfig, parse_config
from app.clouds.azure_credentials import TokenSource, token_source
from app.clouds.azure_paces import GRAPH as GRAPH_BUCKET
from app.clouds.azure_paces import METRICS, bucket_of
from app.clouds.azure_versions import API_VERSIONS, GRAPH, reads
from app.clouds.endpoints import Resolver, check_endpoint, system_resolver
from app.clouds.failures import CallFailedError
from app.clouds.paging import Pages
from app.clouds.source import Source
from app.clouds.waits import longest_wait

# Subscriptions per query: Azure's guidance against throttling says at most some hundreds.
SUBSCRIPTIONS_PER_QUERY = 100
_ROWS_PER_PAGE = 1000
_REGION = re.compile(r"[a-z0-9]{1,40}")
_ACCEPTED, _NO_CONTENT = 202, 204
_LONGEST_OPERATION_SECONDS = 600.0
_POLL_SECONDS = 5.0


class AzureClient:
    """One connection's client. Safe to share between threads; made once per sweep and process.

    The bearer token goes only to the origin of the configured Resource Manager, and one of its own
    audience to Azure Monitor. `resolve` answers host names for the guard of a custom endpoint;
    clock and sleep can be replaced in tests.
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
        self._calls = AzureCalls(
            source,
            self.config,
            credential or token_source(self.config, source.secret),
            resolve=resolve,
            clock=clock,
            sleep=sleep,
        )

    @property
    def throttled(self) -> int:
        """Throttled answers within the last call of this thread, retried ones included."""
        return self._calls.throttled

    def get(self, path: str, api: str, **parameters: str) -> Json:
        """The JSON document at a path. Raises CallFailedError after at most four attempts."""
        return self._call("GET", path, params={"api-version": API_VERSIONS[api], **parameters})

    def post(self, path: str, api: str, body: Mapping[str, Any] | None = None) -> Json:
        """The answer to one of the few POSTs that only read; ValueError for any other path.

        An answer that is made in the background is waited for, at most ten minutes.
        """
        if not reads(path):
            raise ValueError(f"{path} is not known to only read")
        request: dict[str, Any] = {"params": {"api-version": API_VERSIONS[api]}}
        if body is not None:
            request["json"] = dict(body)
        answer = self._answer("POST", path, **request)
        return document(answer) if answer.status_code != _ACCEPTED else self._result(answer)

    def pages(self, path: str, api: str, **parameters: str) -> Pages[Json]:
        """Pages of a list. `nextLink` is opaque: it carries api-version and position itself."""
        return Pages(
            lambda link: self._call("GET", link) if link else self.get(path, api, **parameters),
            lambda page: _next(page, "nextLink"),
        )

    def posted_pages(self, path: str, api: str) -> Pages[Json]:
        """Pages of a list that is asked for by one of the POSTs that read; the rest are GETs."""
        return Pages(
            lambda link: self._call("GET", link) if link else self.post(path, api),
            lambda page: _next(page, "nextLink"),
        )

    def graph(
        self, query: str, subscriptions: Sequence[str] = (), groups: Sequence[str] = ()
    ) -> Pages[Json]:
        """Pages of a Resource Graph query that must project `id`, over at most 100 subscriptions.

        `groups` are management groups to ask instead. Without `id` there is no key for the next
        page and rows are lost (Resource Graph: working with data): the list is incomplete then.
        """
        if len(subscriptions) > SUBSCRIPTIONS_PER_QUERY:
            raise ValueError("too many subscriptions for one query")
        where = {"managementGroups": [*groups]} if groups else {"subscriptions": [*subscriptions]}
        return Pages(
            lambda key: self._query(query, where, key),
            lambda page: _next(page, "$skipToken"),
            # The flag is text in the documents that Azure sends.
            is_cut=lambda page: str(page.get("resultTruncated")).lower() == "true",
        )

    def metrics(
        self, subscription: str, region: str, resource_ids: Sequence[str], **parameters: str
    ) -> Json:
        """Metrics of at most 50 resources of one type, subscription and region (metrics:getBatch).

        `region` comes from answers of Azure and becomes a host name, so it is checked.
        """
        if not _REGION.fullmatch(region):
            message = f"{region[:50]!r} is no region."
            raise CallFailedError(message, code="InvalidRegion", permanent=True)
        answer = self._calls.answer(
            "POST",
            f"{self.config.metrics_url(region)}/subscriptions/{subscription}/metrics:getBatch",
            self.config.cloud.metrics_scope,
            METRICS + subscription,
            params={"api-version": API_VERSIONS["metrics"], **parameters},
            json={"resourceids": list(resource_ids)},
        )
        return document(answer)

    def close(self) -> None:
        """Ends the connections."""
        self._calls.close()

    def _query(self, query: str, where: Mapping[str, Any], key: str | None) -> Json:
        options: Json = {"resultFormat": "objectArray", "$top": _ROWS_PER_PAGE}
        if key:
            options["$skipToken"] = key
        body = {"query": query, "options": options, **where}
        return self._call("POST", GRAPH, params={"api-version": API_VERSIONS["graph"]}, json=body)

    def _call(self, method: str, where: str, **request: Any) -> Json:  # noqa: ANN401 - httpx2's
        return document(self._answer(method, where, **request))

    def _answer(self, method: str, where: str, **request: Any) -> httpx2.Response:  # noqa: ANN401
        url = self._own_url(where)
        bucket = GRAPH_BUCKET if where == GRAPH else bucket_of(where)
        return self._calls.answer(method, url, self.config.cloud.scope, bucket, **request)

    def _result(self, answer: httpx2.Response) -> Json:
        """What a read came to that is made in the background (Azure: asynchronous operations)."""
        until = self._calls.now() + _LONGEST_OPERATION_SECONDS
        while answer.status_code == _ACCEPTED:
            headers = answer.headers
            link = headers.get("location") or headers.get("azure-asyncoperation") or ""
            wait = longest_wait(headers)
            wait = _POLL_SECONDS if wait is None else wait
            if not link or self._calls.now() + wait > until:
                raise CallFailedError("No result within ten minutes.", code="StillRunning")
            self._calls.sleep(wait)
            answer = self._answer("GET", link)
        return {} if answer.status_code == _NO_CONTENT else document(answer)

    def _own_url(self, where: str) -> str:
        """A path on our origin, or a link that stays on it; a foreign link is never followed."""
        if where.startswith("/") and not where.startswith("//"):
            return self.config.resource_manager + where
        if origin(where) != origin(self.config.resource_manager):
            raise CallFailedError(
                f"A list goes on at {where[:100]!r}, which is another host.",
                code="ForeignNextLink",
                permanent=True,
            )
        return where


def _next(page: Json, member: str) -> str | None:
    """Where a list goes on; CallFailedError for what is no text: its end is not known then."""
    found = page.get(member)
    if found is None or isinstance(found, str):
        return found
    raise CallFailedError(f"The {member} of a list is no text.", code="MalformedAnswer")


def check_config(config: Mapping[str, Any], *, allow_private: bool) -> AzureConfig:
    """What saving a connection checks: every setting, and where its endpoint leads."""
    checked = parse_config(config)
    check_endpoint(checked.resource_manager, allow_private=allow_private)
    return checked
