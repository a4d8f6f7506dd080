"""Fact documents of any kind: what a test does not name is known to be absent."""

from typing import TypeVar

from app.domain.facts import (
    ABSENT,
    Absent,
    Fact,
    FactDocument,
    Present,
    Unreadable,
    fact_names,
)

Document = TypeVar("Document", bound=FactDocument)


def filled(kind: type[Document], **values: object) -> Document:
    """A document with these values (or facts), all others absent."""
    facts: dict[str, Fact[object]] = dict.fromkeys(fact_names(kind), ABSENT)
    unknown = values.keys() - facts.keys()
    assert not unknown, f"{kind.__name__} has no {sorted(unknown)}"
    for name, value in values.items():
        facts[name] = value if isinstance(value, Present | Absent | Unreadable) else Present(value)
    return kind(**facts)
