"""Lists whose state is their address: filters, order, columns and page are links."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field

from app.domain.paging import Page, PageRequest
from app.kit.i18n import Translator

T = TypeVar("T")
PAGE_KEYS = ("after", "before")
ROWS = 50


class ListQuery(BaseModel):
    """What the address of every list can say."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    q: str = Field("", max_length=200)
    after: str = Field("", max_length=8_000)
    before: str = Field("", max_length=8_000)
    format: Literal["html", "csv"] = "html"

    @property
    def window(self) -> PageRequest:
        """Which page of the list."""
        return PageRequest(limit=ROWS, after=self.after, before=self.before)

    @property
    def known(self) -> dict[str, str]:
        """The parameters that were given, apart from the format."""
        given = self.model_dump(mode="json", exclude_unset=True, exclude={"format"})
        return {name: str(value) for name, value in given.items() if value}


@dataclass(frozen=True, slots=True)
class Address:
    """A path with its query; empty values are left out."""

    path: str
    query: Mapping[str, str]

    def url(self, **changes: str) -> str:
        """The address with these parameters changed; any change goes back to the first page."""
        query = {key: value for key, value in self.query.items() if key not in PAGE_KEYS}
        query.update(changes)
        text = urlencode({key: value for key, value in query.items() if value})
        return f"{self.path}?{text}" if text else self.path

    @property
    def hidden(self) -> tuple[tuple[str, str], ...]:
        """What a search form has to carry along: everything but the text and the page."""
        skipped = {*PAGE_KEYS, "q"}
        return tuple((k, v) for k, v in self.query.items() if v and k not in skipped)

    @property
    def filters(self) -> int:
        """How many filters are set; order and columns are none."""
        quiet = {*PAGE_KEYS, "sort", "hide", "state"}
        return sum(1 for key, value in self.query.items() if value and key not in quiet)


@dataclass(frozen=True, slots=True)
class Option:
    """One value that a filter can take."""

    label: str
    url: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter: set (`value`, shown as `shown`), or a menu of options."""

    name: str
    label: str
    value: str
    shown: str
    clear_url: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that a filter can take, before it has an address."""

    value: str
    label: str
    count: int | None = None


def filter_of(address: Address, name: str, label: str, choices: Iterable[Choice]) -> Filter:
    """The filter `name` of a list; an unknown present value is shown as it is."""
    value = address.query.get(name, "")
    known = tuple(choices)
    shown = next((choice.label for choice in known if choice.value == value), value)
    options = tuple(
        Option(choice.label, address.url(**{name: choice.value}), choice.count) for choice in known
    )
    return Filter(name, label, value, shown, address.url(**{name: ""}), options)


@dataclass(frozen=True, slots=True)
class Head:
    """A column's head. `direction` is ascending, descending or empty; no `url`, no sorting.

    `cls` says how early the column is dropped: c-lo under 980 px, c-md under 640.
    """

    id: str
    label: str
    url: str = ""
    direction: str = ""
    numeric: bool = False
    cls: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column that can be switched off; `url` switches it."""

    id: str
    label: str
    shown: bool
    url: str


def sorted_head(address: Address, head: Head, *, up: str, down: str, sort: str) -> Head:
    """A head whose link orders by it, and turns the order round when it already does.

    `up` and `down` are the names of the two orders; without `up` there is only one direction.
    """
    direction = {down: "descending"}.get(sort, "")
    if up and sort == up:
        direction = "ascending"
    other = up if up and sort != up else down
    return Head(head.id, head.label, address.url(sort=other), direction, head.numeric, head.cls)


@dataclass(frozen=True, slots=True)
class Pager:
    """Previous, next and where this page stands."""

    label: str
    text: str
    previous_url: str
    next_url: str


def pager_of(t: Translator, address: Address, page: Page[T]) -> Pager:
    """The pager of a keyset page."""
    return Pager(
        label=t.gettext("Pages"),
        text=_position(t, page),
        previous_url=address.url(before=page.previous) if page.previous else "",
        next_url=address.url(after=page.next) if page.next else "",
    )


def _position(t: Translator, page: Page[T]) -> str:
    if not page.items or page.first is None:
        return t.gettext("None")
    known = {
        "first": t.number(page.first),
        "last": t.number(page.first + len(page.items) - 1),
    }
    if page.total is None:
        return t.gettext("%(first)s to %(last)s") % known
    return t.gettext("%(first)s to %(last)s of %(total)s") % {
        **known,
        "total": t.number(page.total),
    }
