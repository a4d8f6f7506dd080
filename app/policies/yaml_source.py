"""Reads the YAML of a policy: a small safe part of it, with the place of every value.

Scalars follow the core schema of YAML 1.2 (only `true` and `false` are booleans, `010` and
`1:30` are text). Aliases, anchors, tags, several documents, duplicate keys and deep nesting are
refused before anything is built.
"""

import re
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple, Protocol

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

MAX_BYTES = 64 * 1024
MAX_DEPTH = 16
MAX_PARTS = 5000

_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,39})")
_FLOAT = re.compile(r"[-+]?(0|[1-9][0-9]{0,39})(\.[0-9]{1,40})?([eE][-+]?[0-9]{1,3})?")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
_OTHER_BOOLEANS = frozenset({"yes", "no", "on", "off", "y", "n"})


class Place(NamedTuple):
    """Line and column in the file, both from 1."""

    line: int
    column: int


class SourceError(Exception):
    """The text is not YAML of the accepted kind."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


@dataclass(frozen=True, slots=True)
class Located:
    """A value with its place: a scalar, `dict[str, Located]` or `list[Located]`.

    `keys` has the places of a mapping's keys, `lines` where each line of a text begins in the
    file (empty when the text was folded and its lines no longer have places of their own).
    """

    value: object
    place: Place
    keys: dict[str, Place]
    lines: tuple[Place, ...]

    def at(self, line: int, column: int) -> Place:
        """The place in the file of a place in this text; its start when that is not known."""
        if not 0 < line <= len(self.lines):
            return self.place
        start = self.lines[line - 1]
        return Place(start.line, start.column + column - 1)

    def plain(self) -> object:
        """The value with all places taken off."""
        if isinstance(self.value, dict):
            return {key: item.plain() for key, item in self.value.items()}
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        return self.value


def read(text: str) -> Located:
    """The one document in the text; SourceError says what is wrong and where."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise SourceError(f"a policy is at most {MAX_BYTES // 1024} KiB of text", Place(1, 1))
    try:
        _refuse_dangerous(text)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        raise SourceError(_words_of(error), _place(error.problem_mark)) from None
    except yaml.reader.ReaderError as error:
        code = error.character if isinstance(error.character, int) else ord(error.character)
        message = f"the character U+{code:04X} cannot stand in YAML"
        raise SourceError(message, _place_of_offset(text, error.position)) from None
    if node is None:
        raise SourceError("the policy is empty", Place(1, 1))
    return _located(node, text.split("\n"))


def _refuse_dangerous(text: str) -> None:
    """Walks the events, which nothing can make grow, before the tree is built."""
    depth = documents = 0
    for number, event in enumerate(yaml.parse(text, Loader=yaml.SafeLoader)):
        place = _place(event.start_mark)
        if number > MAX_PARTS:
            raise SourceError(f"more than {MAX_PARTS} keys and values", place)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise SourceError("anchors and aliases are not used in policies", place)
        if getattr(event, "tag", None):
            raise SourceError("tags such as !!str are not used in policies", place)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        documents += isinstance(event, yaml.DocumentStartEvent)
        if depth > MAX_DEPTH:
            raise SourceError(f"nested more than {MAX_DEPTH} deep", place)
        if documents > 1:
            raise SourceError("one policy per file; a second document begins here", place)


def _located(node: Node, lines: list[str]) -> Located:
    if isinstance(node, MappingNode):
        return _mapping(node, lines)
    place = _place(node.start_mark)
    if isinstance(node, ScalarNode):
        return Located(_scalar(node), place, {}, _text_lines(node, lines))
    items: list[Node] = node.value
    return Located([_located(item, lines) for item in items], place, {}, ())


def _mapping(node: MappingNode, lines: list[str]) -> Located:
    found: dict[str, Located] = {}
    keys: dict[str, Place] = {}
    for key, value in node.value:
        place = _place(key.start_mark)
        if not isinstance(key, ScalarNode):
            raise SourceError("a key must be a plain word", place)
        if key.value in found:
            raise SourceError(f"{key.value!r} is given twice", place)
        found[key.value] = _located(value, lines)
        keys[key.value] = place
    return Located(found, _place(node.start_mark), keys, ())


def _scalar(node: ScalarNode) -> object:
    text = node.value
    if node.style is not None:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text.lower() in _OTHER_BOOLEANS:
        message = f"write true or false, or quote the text: '{text}'"
        raise SourceError(message, _place(node.start_mark))
    if _INT.fullmatch(text):
        return int(text)
    return _number(text, _place(node.start_mark)) if _FLOAT.fullmatch(text) else text


def _number(text: str, place: Place) -> float:
    number = float(text)
    if not isfinite(number):
        raise SourceError(f"{text} is too large a number", place)
    return number


def _text_lines(node: ScalarNode, lines: list[str]) -> tuple[Place, ...]:
    start = _place(node.start_mark)
    if node.style == "|":
        content = lines[start.line : node.end_mark.line]
        first = next((line for line in content if line.strip()), "")
        indent = len(first) - len(first.lstrip())
        return tuple(Place(start.line + 1 + row, indent + 1) for row in range(len(content)))
    if node.start_mark.line == node.end_mark.line:
        quote = 0 if node.style is None else 1
        return (Place(start.line, start.column + quote),)
    return ()


class _Mark(Protocol):
    """What PyYAML's marks, in Python and in C, have in common."""

    line: int
    column: int


def _place(mark: _Mark | None) -> Place:
    return Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)


def _place_of_offset(text: str, offset: int) -> Place:
    line = text.count("\n", 0, offset) + 1
    return Place(line, offset - text.rfind("\n", 0, offset))


def _words_of(error: yaml.MarkedYAMLError) -> str:
    return "not YAML: " + "; ".join(part for part in (error.context, error.problem) if part)
