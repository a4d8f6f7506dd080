"""Commands run in this process, as `./atalaya WORDS` would."""

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from app import cli
from tests.support import processes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left: exit code and both streams."""

    code: int
    out: str
    err: str


@pytest.fixture
def atalaya(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Outcome]:
    """Call it with the words of a command line."""

    def call(*words: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["atalaya", *words])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        return Outcome(int(ended.value.code or 0), captured.out, captured.err)

    return call


@pytest.fixture
def free_port() -> int:
    """A port of loopback that nobody listens on."""
    return processes.free_port()
