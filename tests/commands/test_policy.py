from collections.abc import Callable
from pathlib import Path

import pytest

from app.policies.registry import built_in
from tests.commands.conftest import Outcome

Atalaya = Callable[..., Outcome]


@pytest.fixture
def text() -> str:
    """A policy that is in order."""
    return next(iter(built_in().values())).text


def test_a_policy_in_order_is_confirmed(atalaya: Atalaya, tmp_path: Path, text: str) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(text)
    done = atalaya("policy", "check", str(file))
    assert done.code == 0
    assert "is in order" in done.out


def test_every_fault_is_named_with_its_line(atalaya: Atalaya, tmp_path: Path, text: str) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(text.replace("severity:", "sevrity:", 1))
    done = atalaya("policy", "check", str(file))
    assert (done.code, done.out) == (2, "")
    assert f"{file}:" in done.err
    assert "sevrity" in done.err


def test_a_hostile_file_cannot_steer_the_terminal(
    atalaya: Atalaya, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(text.replace("severity: ", 'severity: "\\e]0;x\\a\\e[2J" #', 1))
    done = atalaya("policy", "check", str(file))
    assert done.code == 2
    assert "severity" in done.err
    assert done.err.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    ("content", "words"), [(None, "cannot read"), (b"\xff\xfe", "is not UTF-8 text")]
)
def test_what_cannot_be_read_is_named(
    atalaya: Atalaya, tmp_path: Path, content: bytes | None, words: str
) -> None:
    file = tmp_path / "policy.yaml"
    if content is not None:
        file.write_bytes(content)
    done = atalaya("policy", "check", str(file))
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
