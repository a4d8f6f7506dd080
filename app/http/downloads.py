"""Lists as CSV: all rows that match, streamed page by page."""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, TypeVar

from sqlalchemy.orm import Session
from starlette.responses import Response, StreamingResponse

from app.domain.paging import Page, PageRequest
from app.kit import csv_text
from app.store.session import transaction

T = TypeVar("T")
MEDIA_TYPE = "text/csv; charset=utf-8; header=present"
ROWS_AT_ONCE = 500
Columns = Mapping[str, Callable[[T], object]]


class Fetch(Protocol[T]):
    """A query that all arguments but session and window were given to."""

    def __call__(self, session: Session, /, *, page: PageRequest) -> Page[T]:
        """One window of the list."""


def csv_download(name: str, columns: Columns[T], fetch: Fetch[T], session: Session) -> Response:
    """The whole list as a file `name.csv`.

    The first page is read in the request's own session, so that a wrong filter is still answered
    as an error; the others each in a short one, so that a slow reader holds no transaction.
    """
    first = fetch(session, page=PageRequest(limit=ROWS_AT_ONCE))
    headers = {
        "Content-Disposition": attachment(f"{name}.csv"),
        "Cache-Control": "no-store",
    }
    return StreamingResponse(_lines(columns, fetch, first), headers=headers, media_type=MEDIA_TYPE)


def attachment(name: str) -> str:
    """A Content-Disposition that saves as `name`, which has to be plain ASCII."""
    return f'attachment; filename="{name}"'


def _lines(columns: Columns[T], fetch: Fetch[T], page: Page[T]) -> Iterator[bytes]:
    yield csv_text.row(columns).encode()
    while True:
        lines = (csv_text.row(read(item) for read in columns.values()) for item in page.items)
        yield "".join(lines).encode()
        if not page.next:
            return
        with transaction(readonly=True) as session:
            page = fetch(session, page=PageRequest(limit=ROWS_AT_ONCE, after=page.next))
