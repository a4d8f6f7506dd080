"""`./atalaya` itself: what it explains, what it refuses, and which environment it uses."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from typer.main import get_command

from app.cli import gather

ROOT = Path(__file__).parents[2]
TOOLS = ("sh", "dirname", "cat", "cksum", "mkdir", "rm", "ln")
GROUPS = ("runtime", "sandbox", "dev", "assets")
NOBODY = 65534


class Script:
    """A copy of the script in a folder with a space, on a PATH that holds almost nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "a folder"
        self.tools = folder / "tools"
        self.folder.mkdir()
        self.tools.mkdir()
        shutil.copy(ROOT / "atalaya", self.folder)
        for group in GROUPS:
            (self.folder / f"requirements-{group}.lock").write_text(f"# {group}\n")
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found, tool
            (self.tools / tool).symlink_to(found)

    def install(self, group: str) -> None:
        """An environment of which the stamp says that it is as locked; its python only echoes."""
        python = self.folder / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text('#!/bin/sh\necho "$@"\n')
        python.chmod(0o755)
        locks = b"".join(
            (self.folder / f"requirements-{name}.lock").read_bytes() for name in (group, "assets")
        )
        stamp = subprocess.run(["cksum"], input=locks, check=True, capture_output=True)
        (self.folder / ".venv" / f".stamp-{group}").write_bytes(stamp.stdout)

    def run(
        self, *arguments: str, user: int | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs it with an otherwise empty environment from another folder."""
        return subprocess.run(
            [str(self.folder / "atalaya"), *arguments],
            check=False,
            cwd="/",
            env={"PATH": str(self.tools), **variables},
            capture_output=True,
            text=True,
            user=user,
            group=user,
        )


@pytest.fixture
def script(tmp_path: Path) -> Script:
    return Script(tmp_path)


def test_help_needs_nothing_and_is_the_default(script: Script) -> None:
    asked, bare = script.run("--help"), script.run()
    assert asked.returncode == bare.returncode == 0
    assert asked.stdout == bare.stdout
    assert "up [--sandbox]" in asked.stdout


@pytest.mark.parametrize("command", ["test", "check", "lock"])
def test_what_the_script_does_itself_explains_itself_and_does_nothing(
    script: Script, command: str
) -> None:
    for asked in ("--help", "-h"):
        done = script.run(command, asked)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"Usage: ./atalaya {command}")
    assert not (script.folder / ".venv").exists()


def names(command: object, prefix: str = "") -> list[str]:
    """Every command by its words."""
    subcommands: dict[str, object] = getattr(command, "commands", {})
    if not subcommands:
        return [prefix.strip()]
    return [name for key, sub in subcommands.items() for name in names(sub, f"{prefix} {key}")]


def test_help_explains_every_command(script: Script) -> None:
    lines = [set(re.findall(r"[\w-]+", line)) for line in script.run("--help").stdout.splitlines()]
    missing = [
        name
        for name in names(get_command(gather()))
        if not any(set(name.split()) <= words for words in lines)
    ]
    assert missing == []


def test_without_an_interpreter_it_says_so_in_one_line(script: Script) -> None:
    done = script.run("up")
    lines = done.stderr.strip().splitlines()
    assert done.returncode == 2
    assert lines[-1].startswith("atalaya: needs Python 3.11 to 3.14")
    assert done.stdout == ""
    assert not (script.folder / ".venv").exists()


def test_a_chosen_interpreter_that_does_not_fit_is_named(script: Script) -> None:
    old = script.tools / "old-python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = script.run("up", PYTHON=str(old))
    assert done.returncode == 2
    assert f"PYTHON={old} is not a Python 3.11 to 3.14" in done.stderr


def test_a_folder_that_cannot_be_written_is_named() -> None:
    with tempfile.TemporaryDirectory(prefix="atalaya-") as folder:
        script = Script(Path(folder))
        Path(folder).chmod(0o755)
        script.folder.chmod(0o555)
        done = script.run("up", user=NOBODY if os.geteuid() == 0 else None)
        script.folder.chmod(0o755)
    assert done.returncode == 2
    assert "make it writable" in done.stderr


def wants_to_install(done: subprocess.CompletedProcess[str]) -> bool:
    """There is no interpreter on this PATH, so all that it can do is say so."""
    return done.returncode == 2 and "needs Python" in done.stderr


@pytest.mark.parametrize("command", ["web", "up", "db"])
@pytest.mark.parametrize("group", ["runtime", "sandbox", "dev"])
def test_a_larger_environment_serves_the_product(script: Script, command: str, group: str) -> None:
    script.install(group)
    done = script.run(command, "--option", "two words")
    assert done.stdout == f"-m app.cli {command} --option two words\n"
    assert done.stderr == ""


def test_a_sandbox_needs_the_sandbox_environment(script: Script) -> None:
    script.install("runtime")
    assert wants_to_install(script.run("up", "--sandbox"))
    assert not wants_to_install(script.run("up"))


def test_a_changed_lock_is_installed_anew(script: Script) -> None:
    script.install("runtime")
    (script.folder / "requirements-runtime.lock").write_text("# changed\n")
    assert wants_to_install(script.run("web"))


def test_tests_run_in_parallel_with_the_arguments_given(script: Script) -> None:
    script.install("dev")
    done = script.run("test", "--browser", "-k", "some words")
    assert done.stdout.splitlines()[-1].endswith("-n 2 --dist worksteal --browser -k some words")
