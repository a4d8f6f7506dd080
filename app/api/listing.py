"""Lists: limit and keys in, a page of ready bytes or a CSV file out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import attrgetter
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import urlencode

from fastapi import Depends, Query, Request
from pydantic import BaseModel, TypeAdapter
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.api.shapes import PageOut
from app.domain.paging import Page, PageRequest
from app.http.conditional import answer
from app.http.downloads import Columns, Fetch, csv_download
from app.http.paths import path_of
from app.kit.errors import InvalidInputError

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)
LIMIT = 50
MAX_LIMIT = 200
KEY_LENGTH = 8000
POSITION = "n"


class ListFormat(StrEnum):
    """What a list is sent as."""

    JSON = "json"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class Wish:
    """Which window of a list, and in which form."""

    page: PageRequest
    format: ListFormat


async def get_wish(
    request: Request,
    limit: Annotated[
        int, Query(ge=1, le=MAX_LIMIT, description="Rows per window.", examples=[50])
    ] = LIMIT,
    after: Annotated[
        str, Query(max_length=KEY_LENGTH, description="`next` of another window.", examples=[""])
    ] = "",
    before: Annotated[
        str,
        Query(max_length=KEY_LENGTH, description="`previous` of another window.", examples=[""]),
    ] = "",
    format: Annotated[  # noqa: A002 - the name in the address
        ListFormat,
        Query(description="`csv` sends all rows that match, without windows.", examples=["json"]),
    ] = ListFormat.JSON,
) -> Wish:
    """The window of a list that the query string names."""
    windowed = {"limit", "after", "before"} & set(request.query_params)
    if format is ListFormat.CSV and windowed:
        name = min(windowed)
        raise InvalidInputError(
            "format=csv sends the whole list, so it has no window",
            mend=f"leave out {name}",
            errors=({"where": f"?{name}", "what": "not together with format=csv"},),
        )
    return Wish(PageRequest(limit=limit, after=after, before=before), format)


ListWish = Annotated[Wish, Depends(get_wish)]


class Listing(Generic[T, M]):
    """How one kind of row is sent: its name, its model, and its columns as CSV."""

    def __init__(
        self,
        name: str,
        model: type[M],
        make: Callable[[T], M],
        columns: Columns[T],
    ) -> None:
        self._name = name
        self._make = make
        self._columns = columns
        self._adapter = TypeAdapter(PageOut[model])  # type: ignore[valid-type]

    def answer(self, request: Request, session: Session, wish: Wish, fetch: Fetch[T]) -> Response:
        """The window as JSON with ETag and Link, or everything as CSV."""
        if wish.format is ListFormat.CSV:
            return csv_download(self._name, self._columns, fetch, session)
        page = fetch(session, page=wish.page)
        out: PageOut[M] = PageOut(
            items=[self._make(item) for item in page.items],
            next=page.next or None,
            previous=page.previous or None,
            total=page.total,
        )
        response = answer(request, self._adapter.dump_json(out))
        if link := _links(request, page):
            response.headers["Link"] = link
        return response


def columns(*names: str) -> Columns[Any]:
    """Columns of CSV that are attributes of the row, by name."""
    return {name: attrgetter(name) for name in names}


def document(request: Request, out: BaseModel, *, version: int | None = None) -> Response:
    """One thing as JSON with ETag."""
    return answer(request, out.model_dump_json().encode(), version=version)


def whole(items: Sequence[T]) -> Fetch[T]:
    """A list that is read at once and cut into windows here; its keys are positions."""

    def fetch(_session: Session, /, *, page: PageRequest) -> Page[T]:
        start, end = _cut(page, len(items))
        return Page(
            items=tuple(items[start:end]),
            next=f"{POSITION}{end}" if end < len(items) else "",
            previous=f"{POSITION}{start}" if start > 0 else "",
            total=len(items),
            first=start + 1 if items else None,
        )

    return fetch


def _cut(page: PageRequest, count: int) -> tuple[int, int]:
    if page.after and page.before:
        raise InvalidInputError("after and before exclude each other", mend="send one of them")
    key = page.after or page.before
    digits = key.removeprefix(POSITION)
    if key and (key == digits or not digits.isascii() or not digits.isdecimal()):
        raise InvalidInputError(
            "the page key is not one of this list",
            mend="leave out `after` and `before`, and follow the links of the answer",
        )
    position = min(int(digits[:9] or 0), count)
    if page.before:
        return max(0, position - page.limit), position
    return position, min(position + page.limit, count)


def _links(request: Request, page: Page[T]) -> str:
    """RFC 8288: the neighbours as addresses that keep filters and order."""
    kept = [
        (name, value)
        for name, value in request.query_params.multi_items()
        if name not in {"after", "before"}
    ]
    found = [("next", "after", page.next), ("prev", "before", page.previous)]
    return ", ".join(
        f'<{path_of(request.scope)}?{urlencode([*kept, (name, key)])}>; rel="{rel}"'
        for rel, name, key in found
        if key
    )
