"""Resources of the story beside storage accounts: their documents, by path, as ARM answers them.

A story names resources (listed by type and in Resource Graph), lists below them, and single
documents; a refusal may stand in place of any document or list.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from app.sandbox.azure.model import Json
from app.sandbox.azure.refusal import Refusal
from app.sandbox.story import SUBSCRIPTIONS, TENANT_ID, Subscription
from app.sandbox.wire import Answer, Request, json_answer

# Few rows a page, so that every list that can be paged is.
PAGE = 2
# The one filter that the lists here know (Microsoft.Compute/skus).
_PLACE = re.compile(r"location eq '([a-z0-9]+)'")
_READS = {"x-ms-ratelimit-remaining-subscription-reads": "249"}
Row = Mapping[str, object]
# A document as one way of asking shows it; None stands for Resource Graph.
View = Callable[[Json, Request | None], Json]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the story.

    `resources` are whole documents with id, name, type and location. `lists` and `documents` are
    by path, `posts` what the POSTs that read answer. `views` change a document of a type (in
    lower case) into what is shown of it: ARM leaves out what was not asked for. `cases` are name,
    region and what is special, for the table of the story.
    """

    resources: Sequence[Json] = ()
    lists: Mapping[str, Sequence[Json] | Refusal] = field(default_factory=dict)
    documents: Mapping[str, Json | Refusal] = field(default_factory=dict)
    posts: Mapping[str, Json | Refusal] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    cases: Sequence[tuple[str, str, str]] = ()


class Held:
    """All chapters together, looked up by path without letter case."""

    def __init__(
        self,
        chapters: Iterable[Chapter],
        subscriptions: Iterable[Subscription] = SUBSCRIPTIONS,
        page: int = PAGE,
    ) -> None:
        self._page = page
        self._subscriptions = frozenset(each.subscription_id for each in subscriptions)
        self._resources: dict[str, Json] = {}
        self._lists: dict[str, Sequence[Json] | Refusal] = {}
        self._documents: dict[str, Json | Refusal] = {}
        self._posts: dict[str, Json | Refusal] = {}
        self._views: dict[str, View] = {}
        self._hidden: set[str] = set()
        for chapter in chapters:
            self._resources |= {_key(one["id"]): one for one in chapter.resources}
            self._lists |= {_key(path): rows for path, rows in chapter.lists.items()}
            self._documents |= {_key(path): one for path, one in chapter.documents.items()}
            self._posts |= {_key(path): one for path, one in chapter.posts.items()}
            self._views |= chapter.views

    def hide(self, *ids: str) -> None:
        """Deletes resources, and all below them, until `restore`."""
        self._hidden |= {_key(one) for one in ids}

    def restore(self) -> None:
        """Undoes every deletion."""
        self._hidden.clear()

    def resource(self, resource_id: str) -> Json | None:
        """The document of a resource; None when there is none of this id."""
        path = _key(resource_id)
        return None if self._is_hidden(path) else self._resources.get(path)

    def answer(self, request: Request) -> Answer | None:
        """What ARM answers to a path; None when nothing of the story lies there."""
        path = _key(request.path)
        if request.method == "POST":
            found = self._posts.get(path)
            return None if found is None or self._is_hidden(path) else _shown(found)
        if self._is_hidden(path):
            raise Refusal(404, "ResourceNotFound", f"The Resource {request.path} was not found.")
        if path in self._resources:
            return _shown(self._viewed(self._resources[path], request))
        if path in self._documents:
            return _shown(self._documents[path])
        return self._list(path, request)

    def rows(self) -> list[Json]:
        """Rows of Resource Graph: types and resource groups in its own letter case."""
        shown = (
            self._resources[key] for key in sorted(self._resources) if not self._is_hidden(key)
        )
        return [self._row(document) for document in shown]

    def _list(self, path: str, request: Request) -> Answer | None:
        rows = self._lists.get(path)
        if rows is None:
            rows = self._of_type(path)
        if rows is None:
            return None
        if isinstance(rows, Refusal):
            raise rows
        place = _PLACE.fullmatch(request.parameter("$filter") or "")
        living = [
            row
            for row in rows
            if not self._is_hidden(_key(str(row.get("id", ""))))
            and (place is None or place[1] in row.get("locations", ()))
        ]
        return _paged([self._viewed(row, request) for row in living], request, self._page)

    def _of_type(self, path: str) -> list[Json] | None:
        """All resources of a type in a subscription: `/subscriptions/{id}/providers/{type}`."""
        parts = path.split("/")
        is_list = len(parts) == 6 and parts[3] == "providers"  # noqa: PLR2004
        if not is_list or parts[2] not in self._subscriptions:
            return None
        wanted = "/".join(parts[4:])
        found = [one for one in self._resources.values() if one["type"].lower() == wanted]
        return [one for one in found if _key(one["id"]).split("/")[2] == parts[2]]

    def _row(self, document: Json) -> Json:
        group = document["id"].split("/")[4]
        lowered = document["id"].replace(f"/{group}/", f"/{group.lower()}/", 1)
        columns = ("kind", "location", "tags", "zones", "sku", "managedBy", "identity")
        shown = self._viewed(document, None)
        return {
            **{name: shown.get(name) for name in columns},
            "id": lowered,
            "name": shown["name"],
            "type": shown["type"].lower(),
            "tenantId": TENANT_ID,
            "resourceGroup": group.lower(),
            "subscriptionId": document["id"].split("/")[2],
            "plan": None,
            "extendedLocation": None,
            "properties": shown.get("properties", {}),
        }

    def _viewed(self, document: Json, request: Request | None) -> Json:
        view = self._views.get(str(document.get("type", "")).lower())
        return view(document, request) if view else document

    def _is_hidden(self, path: str) -> bool:
        return any(path == one or path.startswith(one + "/") for one in self._hidden)


def operation_of(request: Request) -> str:
    """The name of a request in the ledger: `arm.`, its types, and how it asks."""
    head, _, tail = request.path.rpartition("/providers/")
    parts = tail.strip("/").split("/") if tail else head.strip("/").split("/")[2:]
    types = [parts[0], *parts[1::2]] if tail else parts
    if request.method == "POST":
        return f"arm.{'/'.join(types)}.post"
    is_list = len(parts) % 2 == 0
    return f"arm.{'/'.join(types)}.{'list' if is_list else 'get'}"


def _shown(found: Json | Refusal) -> Answer:
    if isinstance(found, Refusal):
        raise found
    return json_answer(found, headers=_READS)


def _paged(rows: Sequence[Json], request: Request, size: int) -> Answer:
    start = _start(request.parameter("$skiptoken"))
    page: Json = {"value": list(rows[start : start + size])}
    if start + size < len(rows):
        kept = [(n, v) for n, v in request.query if n.lower() != "$skiptoken"]
        query = "&".join(
            f"{quote(n)}={quote(v)}" for n, v in [*kept, ("$skiptoken", str(start + size))]
        )
        page["nextLink"] = f"{request.base}{quote(request.path)}?{query}"
    return json_answer(page, headers=_READS)


def _start(token: str | None) -> int:
    if token is None:
        return 0
    if not token.isdigit():
        raise Refusal(400, "InvalidSkipToken", "The skip token is not one of ours.")
    return int(token)


def _key(path: str) -> str:
    return "/" + path.strip("/").lower()
