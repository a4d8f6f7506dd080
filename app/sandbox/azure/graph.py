"""Resource Graph: the inventory of all subscriptions in pages, as the real one gives it."""

import base64
import json
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from app.sandbox.azure import kql
from app.sandbox.azure.estate import AzureEstate
from app.sandbox.azure.held import Held
from app.sandbox.azure.model import Account, Json
from app.sandbox.azure.refusal import Refusal
from app.sandbox.story import MANAGEMENT_GROUPS, SUBSCRIPTIONS, TENANT_ID, Subscription
from app.sandbox.wire import Answer, Request, json_answer

STORAGE = "microsoft.storage/storageaccounts"
SUBSCRIPTION = "microsoft.resources/subscriptions"
DEFAULT_TOP, MAX_TOP = 100, 1000
QUOTA = {
    "x-ms-user-quota-remaining": "14",
    "x-ms-user-quota-resets-after": "00:00:05",
    "x-ms-ratelimit-remaining-tenant-resource-requests": "14",
}
_HEAVY = ("properties", "tags", "sku")  # cells that no order or condition here needs


class Graph:
    """Answers queries over the estate; remembers the order of the last few for paging."""

    def __init__(
        self,
        estate: AzureEstate,
        held: Held,
        subscriptions: Sequence[Subscription] = SUBSCRIPTIONS,
    ) -> None:
        self._estate, self._held = estate, held
        self._names = {each.subscription_id: each.display_name for each in subscriptions}
        self._places = lru_cache(maxsize=8)(self._find_places)

    def forget(self) -> None:
        """Drops remembered orders, after the estate has changed."""
        self._places.cache_clear()

    def answer(self, request: Request) -> Answer:
        """One page of one query; Refusal (400) for a query or options that are not right."""
        body = request.json()
        if not isinstance(body, dict) or not isinstance(body.get("query"), str):
            raise _bad("BadRequest", "The request body needs a query.")
        options = body.get("options") or {}
        query = _parsed(body["query"])
        subscriptions = _allowed(_asked(body), list(self._names))
        rows, total = self._rows(query, body["query"], subscriptions, _window(options))
        return json_answer(_page(query, rows, total, options), headers=QUOTA)

    def _rows(
        self, query: kql.Query, text: str, subscriptions: tuple[str, ...], window: slice
    ) -> tuple[list[Json], int]:
        if query.table == "resourcecontainers":
            found = _ordered(
                query, [_container_row(each, self._names[each]) for each in subscriptions]
            )
            return found[: query.limit][window], len(found[: query.limit])
        held = _ordered(
            query, [r for r in self._held.rows() if r["subscriptionId"] in subscriptions]
        )
        places = self._places(text, subscriptions)
        total = len(held) + len(places)
        total = total if query.limit is None else min(total, query.limit)
        end = min(window.stop, total)
        rest = slice(max(0, window.start - len(held)), max(0, end - len(held)))
        rows = [*held[window.start : end], *(self._row(place) for place in places[rest])]
        return rows, total

    def _find_places(self, text: str, subscriptions: tuple[str, ...]) -> Sequence[int]:
        """The places of all matching accounts in the order asked for, four bytes each."""
        query = kql.parse(text)
        cells = {"type": STORAGE}
        if not all(c.holds(cells) for c in query.conditions if c.column == "type"):
            return array("I")
        rest = [c for c in query.conditions if c.column != "type"]
        everything = set(subscriptions) == set(self._names)
        if not rest and everything and not query.order:
            return array("I", self._estate.places())
        found: list[tuple[tuple[str, ...], int]] = []
        for place in self._estate.places():
            row = light_row(self._estate.at(place))
            if row["subscriptionId"] in subscriptions and all(c.holds(row) for c in rest):
                found.append((tuple(str(row.get(name) or "") for name, _ in query.order), place))
        for n, (_, descending) in reversed(list(enumerate(query.order))):
            found.sort(key=lambda pair: pair[0][n], reverse=descending)
        return array("I", [place for _, place in found])

    def _row(self, place: int) -> Json:
        account = self._estate.at(place)
        document = self._estate.document(account)
        return {
            **light_row(account),
            "sku": document["sku"],
            "tags": dict(account.tags) if account.tags else None,
            "properties": document["properties"],
        }


def light_row(account: Account) -> Json:
    """The small cells of a row. Type, id and resource group come in Resource Graph's own case."""
    group = account.resource_group.lower()
    return {
        "id": account.resource_id.replace(
            f"/resourceGroups/{account.resource_group}/", f"/resourceGroups/{group}/"
        ),
        "name": account.name,
        "type": STORAGE,
        "tenantId": TENANT_ID,
        "kind": account.kind,
        "location": account.region,
        "resourceGroup": group,
        "subscriptionId": account.subscription.subscription_id,
        "managedBy": "",
        "plan": None,
        "identity": None,
        "zones": None,
        "extendedLocation": None,
    }


def _container_row(subscription_id: str, name: str) -> Json:
    return {
        **dict.fromkeys(kql.COLUMNS),
        "id": f"/subscriptions/{subscription_id}",
        "name": name,
        "type": SUBSCRIPTION,
        "tenantId": TENANT_ID,
        "subscriptionId": subscription_id,
        "properties": {
            "state": "Enabled",
            "managedByTenants": [],
            "managementGroupAncestorsChain": [
                {"displayName": group.title(), "name": group}
                for group, members in reversed(MANAGEMENT_GROUPS.items())
                if subscription_id in members
            ],
        },
    }


def _ordered(query: kql.Query, rows: list[Json]) -> list[Json]:
    found = [row for row in rows if all(c.holds(row) for c in query.conditions)]
    for column, descending in reversed(query.order):
        found.sort(key=lambda row: str(row.get(column) or ""), reverse=descending)
    return found


def _page(query: kql.Query, rows: list[Json], total: int, options: Json) -> Json:
    """The answer's envelope; `resultTruncated` is text, and true only when rows are lost."""
    end = _window(options).start + len(rows)
    more = end < total
    page: Json = {
        "totalRecords": total,
        "count": len(rows),
        "resultTruncated": "true" if more and not query.pageable else "false",
        "facets": [],
        "data": _data(query, rows, options),
    }
    if more and query.pageable:
        page["$skipToken"] = _token(end)
    return page


def _data(query: kql.Query, rows: list[Json], options: Json) -> object:
    table = [{name: _cell(row, path) for name, path in query.columns.items()} for row in rows]
    if options.get("resultFormat", "objectArray") == "objectArray":
        return table
    columns = [{"name": name, "type": _kind(name)} for name in query.columns]
    return {"columns": columns, "rows": [list(row.values()) for row in table]}


def _cell(row: Json, path: str) -> Any:  # noqa: ANN401 - a cell may hold any JSON
    value: Any = row
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _kind(name: str) -> str:
    return "object" if name in (*_HEAVY, "plan", "identity", "zones") else "string"


def _parsed(text: str) -> kql.Query:
    try:
        return kql.parse(text)
    except kql.QueryError as error:
        raise _bad("InvalidQuery", f"Query is invalid: {error}.") from error


def _asked(body: Json) -> object:
    """The subscriptions that a query names, or those below the management groups it names."""
    groups = body.get("managementGroups")
    if not groups:
        return body.get("subscriptions")
    return [one for group in groups for one in MANAGEMENT_GROUPS.get(str(group).lower(), ())]


def _allowed(asked: object, known: list[str]) -> tuple[str, ...]:
    """Those of the asked subscriptions that exist; others are left out without a word."""
    wanted = asked if isinstance(asked, list) else known
    found = tuple(each for each in known if each in {str(one).lower() for one in wanted})
    if not found:
        message = "There must be at least one subscription that the caller may read."
        raise _bad("NoValidSubscriptionsInQueryRequest", message)
    return found


def _window(options: Json) -> slice:
    """Which rows this page holds."""
    top = options.get("$top", DEFAULT_TOP)
    if not isinstance(top, int) or not 0 < top <= MAX_TOP:
        raise _bad("InvalidQueryOptions", f"$top must lie between 1 and {MAX_TOP}.")
    token = options.get("$skipToken")
    start = _start(token) if token else 0
    return slice(start, start + top)


def _token(start: int) -> str:
    return base64.b64encode(json.dumps({"from": start}).encode()).decode()


def _start(token: object) -> int:
    try:
        return int(json.loads(base64.b64decode(str(token), validate=True))["from"])
    except (ValueError, KeyError, TypeError) as error:
        raise _bad("InvalidSkipToken", "The skip token is not one of ours.") from error


def _bad(code: str, message: str) -> Refusal:
    refusal = Refusal(400, "BadRequest", "The request cannot be answered; see the details.")
    refusal.details = [{"code": code, "message": message}]
    return refusal
