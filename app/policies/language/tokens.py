"""Cuts the text of an expression into tokens that know their place."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.policies.language.errors import PolicySyntaxError

MAX_CHARACTERS = 4096

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n]+|//[^\n]*)
      |(?P<float>[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)
      |(?P<int>[0-9]+)
      |(?P<string>'(?:[^'\\\n]|\\[^\n])*'|"(?:[^"\\\n]|\\[^\n])*")
      |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
      |(?P<op>&&|\|\||==|!=|<=|>=|[-+*/%<>!?:.,()\[\]])""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_SIMPLE = dict(zip("abfnrtv\\'\"`?", "\a\b\f\n\r\t\v\\'\"`?", strict=True))
_HINTS = {
    "=": "unexpected '='; equality is '=='",
    "&": "unexpected '&'; 'and' is written '&&'",
    "|": "unexpected '|'; 'or' is written '||'",
    "'": "this string is not closed",
    '"': "this string is not closed",
    "{": "maps cannot be written in a policy",
}


class Token(NamedTuple):
    """`kind` is float, int, string, name, op or end; `offset` its place in the source."""

    kind: str
    text: str
    offset: int


def tokens(source: str) -> list[Token]:
    """All tokens but blanks and comments, closed by one of kind `end`.

    PolicySyntaxError: longer than 4,096 characters, or something that is no token.
    """
    if len(source) > MAX_CHARACTERS:
        message = f"longer than {MAX_CHARACTERS} characters ({len(source)}); split the policy"
        raise PolicySyntaxError(message, source, MAX_CHARACTERS)
    return [*_cut(source), Token("end", "", len(source))]


def _cut(source: str) -> Iterator[Token]:
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None or match.lastgroup is None:
            hint = _HINTS.get(source[at], f"unexpected character {source[at]!a}")
            raise PolicySyntaxError(hint, source, at)
        if match.lastgroup != "blank":
            yield Token(match.lastgroup, match.group(), at)
        at = match.end()


def text_of(token: Token, source: str) -> str:
    """The text a string token stands for, its escapes resolved as in CEL."""

    def resolve(match: re.Match[str]) -> str:
        digits = match[1] or match[2] or match[3]
        found = _character(int(digits, 16)) if digits else _SIMPLE.get(match[4])
        if found is None:
            message = f"unknown escape {match[0]!a} in a string"
            raise PolicySyntaxError(message, source, token.offset + 1 + match.start())
        return found

    text = _ESCAPE.sub(resolve, token.text[1:-1])
    bad = next((char for char in text if _is_surrogate(ord(char))), None)
    if bad is not None:
        raise PolicySyntaxError(f"{bad!a} is not a Unicode character", source, token.offset)
    return text


def _character(code: int) -> str | None:
    return chr(code) if code <= 0x10FFFF and not _is_surrogate(code) else None  # noqa: PLR2004 - Unicode's last


def _is_surrogate(code: int) -> bool:
    return 0xD800 <= code <= 0xDFFF  # noqa: PLR2004 - the range Unicode reserves for UTF-16
