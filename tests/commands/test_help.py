"""Every command says in a whole sentence what it does."""

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from app.cli import gather

# What a list of commands leaves for the sentence on 80 columns beside the longest name.
LIST_WIDTH = 60


def every(command: Any, path: str = "./atalaya") -> Iterator[tuple[str, Any]]:
    """Path and command, groups too."""
    for name, found in getattr(command, "commands", {}).items():
        yield f"{path} {name}", found
        yield from every(found, f"{path} {name}")


def test_lists_of_commands_show_whole_sentences() -> None:
    shown = {
        path: found.get_short_help_str(LIST_WIDTH) for path, found in every(get_command(gather()))
    }
    assert len(shown) > 20
    assert [path for path, text in shown.items() if not text or text.endswith("...")] == []


def test_every_option_and_argument_is_explained() -> None:
    dumb = [
        f"{path} {parameter.name}"
        for path, found in every(get_command(gather()))
        for parameter in found.params
        if not getattr(parameter, "help", None)
    ]
    assert dumb == []
