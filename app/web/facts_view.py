"""Facts as pages show them: present, absent and unreadable told apart, never a bare dash."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from app.domain.fact_kinds import FACT_KINDS
from app.domain.fact_schema import TRUNCATED, Field, fields_of
from app.domain.facts import FactSet
from app.domain.health import PASSING
from app.domain.jobs import NOT_DECLARED
from app.domain.storage_places import NOT_REPORTED
from app.domain.transfer import STILL_RUNNING
from app.kit.i18n import Translator, mark
from app.web.formats import Formats
from app.web.highlight import to_json
from app.web.pages import Shell

# Values of more characters than this are folded away.
SHORT_VALUE = 120
# Nobody was refused anything: the source has no word for it, or not yet.
GAPS: Mapping[str, str] = {
    "NotTold": mark("Not told"),
    NOT_REPORTED: mark("Not told"),
    NOT_DECLARED: mark("Not declared"),
    STILL_RUNNING: mark("Still running"),
}
# Another system knows it, such as ToldByQumuloAlone.
TOLD_ELSEWHERE = "ToldBy"


@dataclass(frozen=True, slots=True)
class Cell:
    """One value: a status shape or '', its text, a line of meaning below."""

    shape: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class FactLine:
    """One fact of a resource. `document` is its value as JSON when it is not a plain one."""

    name: str
    doc: str
    source: str
    cell: Cell
    document: Markup | None
    evidence_url: str


@dataclass(frozen=True, slots=True)
class FactGroup:
    """Facts of one document: as collected, or derived from those."""

    title: str
    lines: tuple[FactLine, ...]


class Reader:
    """Reads facts of one resource and says in words what became of each."""

    def __init__(self, facts: FactSet, shell: Shell) -> None:
        self._facts = facts
        self._t: Translator = shell.t
        self._formats: Formats = shell.formats

    def value(self, name: str) -> Any:
        """The value of a present fact, else None."""
        return self._facts.present.get(name)

    def is_present(self, name: str) -> bool:
        """Whether the source answered with a value."""
        return name in self._facts.present

    def is_known(self, name: str) -> bool:
        """Whether the source answered, be it with a value or that there is none."""
        return name in self._facts.present or name in self._facts.absent

    def count(self, number: int) -> str:
        """How many entries a list has."""
        text = self._t.ngettext("%(num)s entry", "%(num)s entries", number)
        return text % {"num": self._t.number(number)}

    def cell(self, name: str, write: Callable[[Any], Cell], *, absent: Cell | None = None) -> Cell:
        """The fact in words: `write` for a value, `absent` for a known absence."""
        if name in self._facts.present:
            return write(self._facts.present[name])
        if name in self._facts.absent:
            return absent or Cell("", self._t.gettext("None"))
        return self.gap(name)

    def gap(self, name: str) -> Cell:
        """A fact that was not read: refused with a code, or never collected."""
        code = self._facts.unreadable.get(name)
        if code is None:
            return Cell("unknown", self._t.gettext("Not collected"))
        known = GAPS.get(code)
        if known:
            return Cell("unknown", self._t.gettext(known))
        if code.startswith(TOLD_ELSEWHERE):
            return Cell("unknown", self._t.gettext("Not told"), code)
        if code.startswith(PASSING):
            return Cell("unknown", self._t.gettext("Changing"), code.removeprefix(PASSING).strip())
        return Cell("unknown", self._t.gettext("Not readable"), code)

    def plain(self, value: Any) -> Cell:
        """Any value as text."""
        if isinstance(value, bool):
            return Cell("", self._t.gettext("Yes") if value else self._t.gettext("No"))
        if isinstance(value, int | float):
            return Cell("", self._t.number(value, 1))
        if isinstance(value, str):
            return Cell("", value)
        if not value:
            return Cell("", self._t.gettext("None"))
        return Cell("", self.count(len(value)))

    def days(self, value: float) -> Cell:
        """A number of days."""
        return Cell("", self._formats.days(value))


def groups_of(facts: FactSet, kind: str, resource_id: str, shell: Shell) -> tuple[FactGroup, ...]:
    """All facts that a resource of this kind can have, whatever became of them."""
    t, reader = shell.t, Reader(facts, shell)
    documents = FACT_KINDS.get(kind, ())
    titles = (t.gettext("As the source says"), t.gettext("What follows from it"))
    fields = [fields_of(document) for document in documents]
    groups = (*fields[:1], *((tuple(chain(*fields[1:])),) if fields[1:] else ()))
    return tuple(
        FactGroup(title, tuple(_line(reader, field, resource_id) for field in group))
        for title, group in zip(titles, groups, strict=False)
    )


def _line(reader: Reader, field: Field, resource_id: str) -> FactLine:
    value = reader.value(field.name)
    folded = isinstance(value, list | dict) or len(str(value)) > SHORT_VALUE
    cell = reader.cell(field.name, reader.plain)
    if folded and isinstance(value, str):
        cell = Cell(cell.shape, value[:SHORT_VALUE] + "…")
    query = urlencode({"resource_id": resource_id, "fact": field.name})
    return FactLine(
        name=field.name,
        doc=field.doc,
        source=field.source,
        cell=cell,
        document=to_json(value) if folded and value else None,
        evidence_url=f"/evidence/resource-fact?{query}",
    )


@dataclass(frozen=True, slots=True)
class Change:
    """One fact that differs between two revisions; None: it was not there."""

    name: str
    before: str | None
    after: str | None


def changes(before: FactSet | None, after: FactSet) -> tuple[Change, ...]:
    """Facts whose value, absence or unreadability differ, by name."""
    if before is None:
        return ()
    old, new = _flat(before), _flat(after)
    names = sorted(old.keys() | new.keys())
    return tuple(
        Change(name, old.get(name), new.get(name))
        for name in names
        if old.get(name) != new.get(name)
    )


def _flat(facts: FactSet) -> Mapping[str, str]:
    """Each fact as one text that tells the three states apart."""
    found = {
        name: json.dumps(value, ensure_ascii=False, sort_keys=True)
        for name, value in facts.present.items()
        if name != TRUNCATED
    }
    found |= dict.fromkeys(facts.absent, "absent")
    return found | {name: f"unreadable: {code}" for name, code in facts.unreadable.items()}


@dataclass(frozen=True, slots=True)
class RevisionLine:
    """One revision with what it changed against the one before."""

    number: int
    valid_from: datetime
    digest: str
    current: bool
    first: bool
    changes: tuple[Change, ...]
