"""Reads the fields of a policy's YAML with their types, gathering every fault with its place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from app.policies.language import PolicySyntaxError
from app.policies.language.errors import did_you_mean
from app.policies.yaml_source import Located, Place

Word = TypeVar("Word", bound=StrEnum)


class Faults:
    """What is wrong with a policy so far, in the order of finding."""

    def __init__(self) -> None:
        self.found: list[tuple[Place, str]] = []

    def add(self, place: Place, message: str) -> None:
        self.found.append((place, message))

    def add_syntax(self, source: Located, error: PolicySyntaxError) -> None:
        """A fault inside an expression or template, with its place in the file."""
        place = source.at(error.line, error.column)
        exact = 0 < error.line <= len(source.lines)
        self.add(place, error.message if exact else f"{error.detail} (of this text)")


class Form:
    """One mapping of the file; unknown and missing keys are faults at once."""

    def __init__(
        self, source: Located, faults: Faults, required: Sequence[str], optional: Sequence[str] = ()
    ) -> None:
        self.place = source.place
        self.faults = faults
        self.fields: dict[str, Located] = {}
        if not isinstance(source.value, dict):
            faults.add(source.place, f"expected fields such as {required[0]}: ...")
            return
        known = (*required, *optional)
        for key, value in source.value.items():
            if key in known:
                self.fields[key] = value
            else:
                faults.add(source.keys[key], f"unknown field {key!r}{did_you_mean(key, known)}")
        for key in required:
            if key not in source.value:
                faults.add(source.place, f"the field {key!r} is missing")

    def text(self, key: str, *, limit: int, pattern: re.Pattern[str] | None = None) -> str:
        """A text of at most `limit` characters, '' when the field is not there."""
        found = self.fields.get(key)
        if found is None:
            return ""
        if not isinstance(found.value, str):
            self.faults.add(found.place, f"{key} must be text; put it in quotes")
            return ""
        value = found.value.strip()
        if not value or len(value) > limit:
            self.faults.add(found.place, f"{key} must have between 1 and {limit} characters")
        elif pattern and not pattern.fullmatch(value):
            self.faults.add(found.place, f"{key} must be lower-case words such as data-cools")
        return value

    def word(self, key: str, words: type[Word], default: Word) -> Word:
        """One of the words of an enum."""
        found = self.fields.get(key)
        if found is None:
            return default
        for word in words:
            if found.value == word.value:
                return word
        listed = ", ".join(word.value for word in words)
        self.faults.add(found.place, f"{key} must be one of {listed}")
        return default

    def items(self, key: str) -> Iterator[Located]:
        """The entries of a list; nothing when the field is not there."""
        found = self.fields.get(key)
        if found is None:
            return
        if not isinstance(found.value, list) or not found.value:
            self.faults.add(found.place, f"{key} must be a list with at least one entry")
            return
        yield from found.value

    def mapping(self, key: str) -> Mapping[str, Located]:
        """The entries of a mapping; empty when the field is not there."""
        found = self.fields.get(key)
        if found is None:
            return {}
        if not isinstance(found.value, dict):
            self.faults.add(found.place, f"{key} must have fields, such as name: value")
            return {}
        return found.value

    def strings(self, key: str) -> tuple[str, ...]:
        """A list of texts; each that is none is a fault."""
        found = list(self.items(key))
        for item in found:
            if not isinstance(item.value, str):
                self.faults.add(item.place, f"{key} must be a list of texts")
        return tuple(item.value for item in found if isinstance(item.value, str))

    def number(self, key: str) -> float | None:
        """A number, None when the field is not there."""
        found = self.fields.get(key)
        if found is None:
            return None
        if isinstance(found.value, int | float) and not isinstance(found.value, bool):
            return found.value
        self.faults.add(found.place, f"{key} must be a number")
        return None
