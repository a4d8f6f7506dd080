"""Reads lists that come in pages, to their end or to the point where the source goes in circles."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Page = TypeVar("Page")

REPEATED_TOKEN = "RepeatedToken"  # noqa: S105 - a code, not a secret
TOO_MANY_PAGES = "TooManyPages"
CUT = "ListCut"


class Pages(Generic[Page]):
    """Iterates the pages of one list; then `complete`, `code`, `requests` tell how it went.

    `fetch(token)` asks for a page, the first with None; `token_of(page)` is the key of the next
    one, falsy at the end. A key that was already used ends the list incomplete: following it
    would never end. `is_cut(page)` is for sources that say there is more but give no key.
    An error of `fetch` passes through and leaves the list incomplete.
    """

    def __init__(
        self,
        fetch: Callable[[str | None], Page],
        token_of: Callable[[Page], str | None],
        *,
        is_cut: Callable[[Page], bool] = lambda _: False,
        most_pages: int = 100_000,
    ) -> None:
        self._fetch, self._token_of, self._is_cut = fetch, token_of, is_cut
        self._most_pages = most_pages
        self.complete, self.code, self.requests = False, "", 0

    def __iter__(self) -> Iterator[Page]:
        token: str | None = None
        used: set[str] = set()
        while self.requests < self._most_pages:
            page = self._fetch(token)
            self.requests += 1
            yield page
            token = self._token_of(page)
            if not token:
                self._end(page)
                return
            if token in used:
                self.code = REPEATED_TOKEN
                return
            used.add(token)
        self.code = TOO_MANY_PAGES

    def _end(self, page: Page) -> None:
        self.complete = not self._is_cut(page)
        self.code = "" if self.complete else CUT
