"""The blocks of README and handbook that are marked `test` do what they show."""

import re
import shlex
import string
import subprocess
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from sqlalchemy import Engine
from starlette.testclient import TestClient

from app.kit.clock import utc_now
from tests.commands.conftest import Outcome
from tests.support import callers, estate
from tests.support.handbook_text import PAGES, ROOT, Block, blocks
from tests.support.http_fixtures import app, whole_app

__all__ = ["app", "whole_app"]
Atalaya = Callable[..., Outcome]
MARKED = [
    block for page in PAGES for block in blocks(page) if block.language == "sh" and block.runs
]


class Reader:
    """Somebody who types what a page shows, line by line; every line must succeed."""

    def __init__(self, atalaya: Atalaya, program: TestClient) -> None:
        self._atalaya = atalaya
        self._program = program
        self._variables: dict[str, str] = {}
        self.said: list[str] = []

    def type(self, block: Block) -> None:
        """Runs a block."""
        for line in block.lines():
            assignment = re.fullmatch(r"([A-Z_]+)=(?:\$\((.*)\)|(.*))", line)
            if assignment:
                name, command, text = assignment.groups()
                self._variables[name] = self._run(command) if command else text
            else:
                self.said.append(self._run(line))

    def _run(self, line: str) -> str:
        words = shlex.split(string.Template(line).substitute(self._variables), comments=True)
        if words[0] == "curl":
            return self._curl(words[1:])
        assert words[0] == "./atalaya", line
        if words[1:] == ["--help"]:
            script = [str(ROOT / "atalaya"), "--help"]
            return subprocess.run(script, check=True, capture_output=True, text=True).stdout
        done = self._atalaya(*words[1:])
        assert done.code == 0, (line, done.err)
        return done.out.strip()

    def _curl(self, words: list[str]) -> str:
        options: dict[str, list[str]] = {"-X": ["GET"], "-H": [], "-d": [""]}
        address = ""
        while words:
            if words[0] in options:
                options[words[0]].append(words[1])
                words = words[2:]
            else:
                address, words = words[0], words[1:]
        answer = self._program.request(
            options["-X"][-1],
            address,
            headers=dict(header.split(": ", 1) for header in options["-H"]),
            content=options["-d"][-1],
        )
        assert answer.is_success, (address, answer.text)
        return answer.text


@pytest.fixture
def reader(app: FastAPI, installation: Engine, atalaya: Atalaya) -> Reader:
    """At an installation that has read and judged a few buckets."""
    del installation
    now = utc_now()
    estate.sweep(estate.connect(now, "seeded"), [estate.seen("alpha")], now)
    estate.judge(now)
    return Reader(atalaya, callers.client(app))


def test_what_is_marked_works_as_shown(reader: Reader) -> None:
    for block in MARKED:
        reader.type(block)
    said = "\n".join(reader.said)
    assert "Usage: ./atalaya COMMAND" in said
    assert "added aws production" in said
    assert "is in order" in said
    assert '"items":[' in said


def test_the_readme_marks_what_can_run() -> None:
    assert len([block for block in MARKED if block.page == "README.md"]) >= 6
