"""README and handbook pages name only what exists: commands, options, files, rooms, errors."""

import json
import re
import struct
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.exceptions import TyperException
from typer.main import get_command

from app.cli import gather
from app.collectors.registry import collectors
from app.domain.collecting import Provider
from tests.support.handbook_text import PAGES, ROOT, anchors, blocks, links, our_commands

README = ROOT / "README.md"
SCRIPT = (ROOT / "atalaya").read_text(encoding="utf-8")
BY_THE_SCRIPT = ("test", "check", "lock", "help")
PICTURE = ROOT / "docs/pictures/overview.png"
PICTURE_BYTES = 250_000
PICTURE_WIDTH = 1440


def fault(words: list[str]) -> str:
    """What is wrong with a command line of ours; '' when it would be accepted."""
    if not words or words[0] in (*BY_THE_SCRIPT, "--help"):
        return "" if not words or words[0] in SCRIPT else f"no command {words[0]}"
    command: Any = get_command(gather())
    while hasattr(command, "commands"):
        if not words or words[0] not in command.commands:
            return f"no command {words[0] if words else 'at the end'}"
        command, words = command.commands[words[0]], words[1:]
    if "--help" in words:
        return ""
    try:
        command.make_context(command.name, list(words))
    except TyperException as error:
        return str(error)
    return ""


def shown_commands() -> list[tuple[str, str, list[str]]]:
    """(page, line, words) of every call of ours in a block of shell."""
    return [
        (block.page, line, words)
        for page in PAGES
        for block in blocks(page)
        if block.language == "sh"
        for line in block.lines()
        for words in our_commands(line)
    ]


def test_every_command_that_is_shown_exists_with_its_options() -> None:
    shown = shown_commands()
    wrong = {f"{page}: {line}": fault(words) for page, line, words in shown if fault(words)}
    assert wrong == {}
    assert len(shown) > 15


@pytest.mark.parametrize(
    "words",
    [
        ["uup"],
        ["up", "--sandbocks"],
        ["report"],
        ["report", "2026-W48", "--format", "docx"],
        ["token", "make", "x"],
        ["token"],
    ],
)
def test_a_command_that_does_not_exist_is_found(words: list[str]) -> None:
    assert fault(words)


def test_commands_in_running_text_exist_too() -> None:
    known = {*BY_THE_SCRIPT, *getattr(get_command(gather()), "commands", {}), "COMMAND"}
    named = {
        (str(page.relative_to(ROOT)), word)
        for page in PAGES
        for word in re.findall(r"\./atalaya (\w[\w-]*)", page.read_text(encoding="utf-8"))
    }
    assert {(page, word) for page, word in named if word not in known} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_the_tree_of_rooms_is_that_of_the_code() -> None:
    tree = next(block.text for block in blocks(README) if block.language == "text")
    rooms = {path.name for path in (ROOT / "app").iterdir() if path.name[0] not in "_."}
    named = set(re.findall(r"(?:app/)?(\w+(?:/|\.py))(?=\s)", tree.split("\n\n")[0]))
    assert {name.rstrip("/") for name in named} == rooms


def test_errors_that_are_explained_are_those_of_the_code() -> None:
    said = " ".join(path.read_text("utf-8") for path in (ROOT / "app").rglob("*.py")) + SCRIPT
    said = re.sub(r'"\s+f?"', "", said)  # sentences are often split over two lines
    table = README.read_text("utf-8").split("## When something does not work")[1]
    quoted = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    parts = [part.strip() for text in quoted for part in text.split("…") if part.strip()]
    assert [part for part in parts if part not in said] == []
    assert len(parts) > 8


def test_generated_parts_are_marked() -> None:
    text = README.read_text("utf-8")
    assert re.findall(r"<!-- ([\w-]+) -->", text) == ["aws-policy", "azure-role", "settings"]


def test_decisions_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in sorted((ROOT / "docs/decisions").glob("*.md"))]
    assert numbers[0] == 1
    assert all(after == before + 1 for before, after in pairwise(numbers))


def test_the_picture_is_a_small_png_of_the_named_width() -> None:
    head = PICTURE.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    assert struct.unpack(">I", head[16:20])[0] == PICTURE_WIDTH
    assert PICTURE.stat().st_size <= PICTURE_BYTES


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_are_named_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    rooms = "app|tests|templates|static|docs|locale|migrations"
    named = re.findall(rf"`((?:{rooms})/[\w./*-]+)`", text)
    assert [name for name in named if not list(ROOT.glob(name.rstrip("/")))] == []


def test_the_stairs_that_are_drawn_are_those_of_the_contract() -> None:
    page = ROOT / "docs/architecture.md"
    drawn = next(block.text for block in blocks(page) if block.language == "text")
    lines = [re.split(r" {2,}", line)[0] for line in drawn.strip().splitlines()]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    stairs = next(c["layers"] for c in contracts["contracts"] if c["type"] == "layers")
    assert lines == stairs


@pytest.mark.parametrize("provider", list(Provider))
def test_the_rights_that_are_asked_for_are_those_of_the_collectors_and_only_read(
    provider: Provider,
) -> None:
    text = README.read_text("utf-8")
    part = {Provider.AWS: "aws-policy", Provider.AZURE: "azure-role"}[provider]
    found = re.search(rf"<!-- {part} -->\n```json\n(.*?)```", text, re.DOTALL)
    assert found
    document = json.loads(found[1])
    asked = document["Statement"][0]["Action"] if "Statement" in document else document["Actions"]
    entered = [one["Action"] for one in document.get("Statement", ())[1:] if one["Resource"] != "*"]
    of_provider = [c for c in collectors().values() if c.provider is provider]
    used = {operation.permission for c in of_provider for operation in c.operations}
    assert sorted(used - {"sts:AssumeRole"}) == asked
    assert entered == ([["sts:AssumeRole"]] if provider is Provider.AWS else [])
    # Two of the POSTs that only read are actions of their own (app/clouds/azure_versions.py).
    reads = r":(Get|List|Describe)|/read$|/(listReplications|listNodes)/action$"
    assert [one for one in asked if not re.search(reads, one)] == []
