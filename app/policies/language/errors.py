"""The error of a wrong policy: where it is, what is wrong, and the line with a caret."""

import difflib
from collections.abc import Iterable

from typing_extensions import override

from app.kit.errors import InvalidInputError

EXCERPT_BEFORE = 60
EXCERPT_AFTER = 30


class PolicySyntaxError(InvalidInputError):
    """An expression or a message template cannot be accepted.

    `line` and `column` count from 1 in characters; `excerpt` is the line (cut to about 90
    characters) and below it a caret under the column.
    """

    title = "Policy not understood"

    def __init__(self, message: str, source: str, offset: int) -> None:
        self.message = message
        self.line, self.column = position(source, offset)
        self.excerpt = _excerpt(source, offset)
        where = f"{self.line}:{self.column}"
        super().__init__(f"{where}: {message}", errors=({"where": where, "what": message},))

    @override
    def __str__(self) -> str:
        return f"{self.detail}\n{self.excerpt}"


def position(source: str, offset: int) -> tuple[int, int]:
    """(line, column) of a character, both from 1."""
    return source.count("\n", 0, offset) + 1, offset - source.rfind("\n", 0, offset)


def _excerpt(source: str, offset: int) -> str:
    start = source.rfind("\n", 0, offset) + 1
    end = source.find("\n", offset)
    end = len(source) if end < 0 else end
    first = max(start, offset - EXCERPT_BEFORE)
    line = source[first : min(end, offset + EXCERPT_AFTER)]
    shown = "".join(char if char.isprintable() else " " for char in line)
    return f"  {shown}\n  {' ' * (offset - first)}^"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the likely name, or the short list of what there is."""
    names = list(known)
    likely = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    if likely:
        return f"; did you mean {likely[0]!r}?"
    few = 8
    listed = ", ".join(sorted(names)[:few]) + (", ..." if len(names) > few else "")
    return f"; there is {listed}" if names else ""
