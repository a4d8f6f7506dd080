"""Reads our Markdown pages: their blocks of code, the commands in them, their links."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").rglob("*.md")),
)
_BLOCK = re.compile(r"^```([a-z]*)( test)?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_OUR_COMMAND = re.compile(r"\$\((\./atalaya [^)]*)\)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `runs`: its first line says `test`, so a test runs what it holds."""

    page: str
    language: str
    runs: bool
    text: str

    def lines(self) -> Iterator[str]:
        """Command lines without comments, those that a backslash continues as one."""
        for line in self.text.replace("\\\n", " ").splitlines():
            words = line.strip()
            if words and not words.startswith("#"):
                yield words


def blocks(page: Path) -> list[Block]:
    """All fenced blocks of a page, in order."""
    name, text = str(page.relative_to(ROOT)), page.read_text(encoding="utf-8")
    return [Block(name, found[1], bool(found[2]), found[3]) for found in _BLOCK.finditer(text)]


def our_commands(line: str) -> list[list[str]]:
    """Words after `./atalaya` of each call in a line of shell, `$(...)` included."""
    inner = [shlex.split(found)[1:] for found in _OUR_COMMAND.findall(line)]
    words = shlex.split(_OUR_COMMAND.sub("", line), comments=True)
    while words and re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    return [*inner, words[1:]] if words and words[0] == "./atalaya" else inner


def links(page: Path) -> list[str]:
    """Targets of all links that stay in this repository."""
    targets = _LINK.findall(_BLOCK.sub("", page.read_text(encoding="utf-8")))
    return [target for target in targets if "://" not in target]


def anchors(page: Path) -> set[str]:
    """What a link may name after `#` on a page, as GitHub makes it of the headings."""
    headings = _HEADING.findall(_BLOCK.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", found.lower()).replace(" ", "-") for found in headings}


def rows(text: str) -> list[list[str]]:
    """Cells of all table rows, heads and rules left out."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return [row for row in cells if not set(row[0]) <= {"-"}]
