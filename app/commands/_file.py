"""Files of members, such as `job register --file`: YAML or JSON of people, read with suspicion."""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml
from typing_extensions import override

from app.kit.clean import printable
from app.kit.errors import InvalidInputError

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 16
_MEND = "give the path of a YAML or JSON file"


def members(file: Path) -> dict[str, Any]:
    """The members that a file names; YAML holds JSON too.

    InvalidInputError names what is wrong: no file, no YAML, more than 1 MiB, nesting of more than
    16, a name that comes twice, or an alias (a few of them can stand for gigabytes).
    """
    try:
        text = _text(file)
        _refuse_dangerous(text)
        # Its constructors raise these for a date or number that there is not, and for odd tags.
        found = yaml.load(text, Loader=_Once)  # noqa: S506 - a SafeLoader
    except (OSError, yaml.YAMLError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInputError(printable(f"cannot read {file}: {error}"), mend=_MEND) from None
    if not isinstance(found, dict):
        raise InvalidInputError(
            f"{file} holds no members", mend="write one fact a line, such as phase: training"
        )
    return found


def _text(file: Path) -> str:
    with file.open("rb") as opened:
        found = opened.read(MAX_BYTES + 1)
    if len(found) > MAX_BYTES:
        raise ValueError(f"it holds more than {MAX_BYTES} bytes")
    return found.decode("utf-8")


def _refuse_dangerous(text: str) -> None:
    """Walks the events, which nothing can make grow, before anything is built of them."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError(f"*{event.anchor}: write it out, without an alias")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise ValueError(f"it is nested more than {MAX_DEPTH} deep")


class _Once(yaml.SafeLoader):
    """Takes no name twice: which of the two was meant cannot be told."""

    @override
    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        """As its base does; ValueError for a name that comes again."""
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"{twice} is given more than once")
        return super().construct_mapping(node, deep)
