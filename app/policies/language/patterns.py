"""Regular expressions of policies: RE2 only, so that no pattern can run for ever."""

from collections.abc import Callable
from functools import lru_cache

import re2


class BadPatternError(ValueError):
    """RE2 does not accept the pattern; the text says why."""


@lru_cache(maxsize=1024)
def searcher(pattern: str) -> Callable[[str], object]:
    """A function: text -> match or None, wherever in the text. BadPatternError."""
    options = re2.Options()
    options.log_errors = False  # or each bad pattern of an author is a line on stderr
    try:
        search: Callable[[str], object] = re2.compile(pattern, options).search
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise BadPatternError(text) from None
    return search
