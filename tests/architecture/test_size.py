"""Nothing grows past what fits in the head."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40
FILES = sorted((ROOT / "app").rglob("*.py"))


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length in lines of every function of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_there_is_something_to_measure() -> None:
    assert len(FILES) > 50


@pytest.mark.parametrize("room", sorted({path.relative_to(ROOT).parts[1] for path in FILES}))
def test_files_stay_small(room: str) -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in FILES
        if path.relative_to(ROOT).parts[1] == room
        and (lines := path.read_text(encoding="utf-8").count("\n")) > MAX_FILE_LINES
    }
    assert long == {}


@pytest.mark.parametrize("room", sorted({path.relative_to(ROOT).parts[1] for path in FILES}))
def test_functions_stay_small(room: str) -> None:
    long = {
        f"{path.relative_to(ROOT)}:{name}": lines
        for path in FILES
        if path.relative_to(ROOT).parts[1] == room
        for name, lines in functions(path)
        if lines > MAX_FUNCTION_LINES
    }
    assert long == {}
