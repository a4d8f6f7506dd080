"""References lead to one secret each, and a wrong one is never repeated in a complaint."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.kit.errors import CollectorError
from app.kit.secrets import MAX_BYTES, read_secret, resolve_secret

SHOWN = "inner-things"


@pytest.fixture
def holding(tmp_path: Path) -> Callable[[bytes], str]:
    """A reference to a file with these bytes."""

    def made(content: bytes) -> str:
        path = tmp_path / "secret"
        path.write_bytes(content)
        return f"file:{path}"

    return made


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
def test_a_file_gives_its_line_without_the_end(
    holding: Callable[[bytes], str], ending: bytes
) -> None:
    assert resolve_secret(holding(b"s3cr3t+/=" + ending)) == "s3cr3t+/="


def test_a_mounted_secret_may_be_a_link(holding: Callable[[bytes], str], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(holding(b"s3cr3t").removeprefix("file:"))
    assert resolve_secret(f"file:{tmp_path / 'link'}") == "s3cr3t"


def test_a_variable_gives_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READER_KEY", "s3cr3t")
    assert resolve_secret("env:READER_KEY") == "s3cr3t"


@pytest.mark.parametrize(
    "content",
    [
        f"root:x:0:0\n{SHOWN}:x:1:1\n".encode(),
        f"A={SHOWN}\0B=2".encode(),
        f"{SHOWN}\ttabbed".encode(),
        f"\x1b[31m{SHOWN}".encode(),
        f"{SHOWN} é".encode(),
        SHOWN.encode() + b"\xff\xfe",
        b"\n",
        b"",
        SHOWN.encode() * MAX_BYTES,
    ],
)
def test_what_is_no_secret_is_refused_and_not_repeated(
    holding: Callable[[bytes], str], content: bytes
) -> None:
    with pytest.raises(CollectorError) as refused:
        resolve_secret(holding(content))
    assert SHOWN not in f"{refused.value!r} {refused.value.__cause__!r}"


@pytest.mark.parametrize(
    "reference",
    ["file:/proc/self/environ", "file:/dev/zero", "file:/dev/stdin", "file:/nowhere", "file:/\0"],
)
def test_only_plain_files_are_read(reference: str) -> None:
    for read in (resolve_secret, read_secret):
        with pytest.raises(CollectorError, match=r"plain file|cannot be read"):
            read(reference)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CollectorError, match="plain file"):
        resolve_secret(f"file:{tmp_path / 'pipe'}")


@pytest.mark.parametrize("reference", ["env:ATALAYA_DATABASE_URL", "env:", "file:relative", "x"])
def test_other_references_lead_nowhere(reference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATALAYA_DATABASE_URL", "sqlite://")
    with pytest.raises(CollectorError, match="is not env:NAME or file:/path"):
        resolve_secret(reference)


def test_a_certificate_is_read_as_it_is(holding: Callable[[bytes], str]) -> None:
    assert read_secret(holding(b"-----BEGIN\nx\n\xff")) == b"-----BEGIN\nx\n\xff"
