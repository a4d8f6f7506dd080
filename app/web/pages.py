"""What every page has: its title, where it stands, and the shell around it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from app.kit.i18n import Translator, translator
from app.web.formats import Formats


@dataclass(frozen=True, slots=True)
class Crumb:
    """A page above this one."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class NavItem:
    """An entry of the sidebar. `attention` marks the count as something to look at."""

    area: str
    label: str
    icon: str
    url: str
    key: str
    count: int | None = None
    attention: bool = False


@dataclass(frozen=True, slots=True)
class NavGroup:
    """Entries under one heading, which may be empty."""

    title: str
    items: tuple[NavItem, ...]


@dataclass(frozen=True, slots=True)
class Person:
    """Who is signed in."""

    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Toast:
    """What was done, and the form that undoes it (no address: it can't be undone).

    `name` and `values` are what `text` was made of; see `toasts.TEXTS`.
    """

    name: str
    values: Mapping[str, str]
    text: str
    undo_url: str
    undo_fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Shell:
    """What surrounds a page. `here` is its own address, to come back to after a form.

    `theme` is auto, light or dark; `sources_fresh` of `sources` are up to date. Without `counted`
    nothing was asked of the database, so the shell must not say that there is nothing.
    """

    language: str
    theme: str
    shortcuts: bool
    now: datetime
    here: str
    organisation: str
    sandbox: bool
    csrf_token: str = ""
    person: Person | None = None
    nav: tuple[NavGroup, ...] = ()
    counted: bool = False
    regions: int = 0
    sources: int = 0
    sources_fresh: int = 0
    last_sweep_at: datetime | None = None
    toast: Toast | None = None

    @property
    def t(self) -> Translator:
        """Speaks the reader's language."""
        return translator(self.language)

    @property
    def formats(self) -> Formats:
        """Writes values in the reader's language."""
        return Formats(self.t)

    def with_toast(self, toast: Toast) -> "Shell":
        """The same shell that also says what was just done."""
        return replace(self, toast=toast)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Base of all pages; what a template may use is exactly the fields of its page.

    `TEMPLATE` is the whole page. `PARTS` are what htmx may ask for, by the id of the element that
    it will replace. `AREA` is the entry of the sidebar that is lit.
    """

    TEMPLATE: ClassVar[str] = ""
    PARTS: ClassVar[Mapping[str, str]] = {}
    AREA: ClassVar[str] = ""

    title: str
    crumbs: tuple[Crumb, ...] = ()
