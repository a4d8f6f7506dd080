"""Installs what we compare ourselves with, each into an environment of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

from app.bench.processes import BenchError
from app.kit.settings import ROOT, settings

_UV = (shutil.which("uv") or "", str(ROOT / ".tools/uv/bin/uv"))


class PeerError(BenchError):
    """A peer could not be installed, so there is nothing to compare with."""

    title = "Peer not available"


def installed(name: str, requirement: str) -> Path:
    """The folder of commands of a peer, installed at the first call; PeerError says what failed.

    `requirement` is exact, such as tool==1.2.3; another one replaces the environment.
    """
    folder = settings().home.resolve() / "bench" / name
    stamp = folder / "requirement"
    if not stamp.is_file() or stamp.read_text("utf-8") != requirement:
        shutil.rmtree(folder, ignore_errors=True)
        _install(folder, requirement)
        stamp.write_text(requirement, "utf-8")
    return folder / "bin"


def _install(folder: Path, requirement: str) -> None:
    python = str(folder / "bin/python")
    uv = next((path for path in _UV if path and Path(path).is_file()), None)
    if uv:
        _do([uv, "venv", "--quiet", "--python", sys.executable, str(folder)])
        _do([uv, "pip", "install", "--quiet", "--python", python, requirement])
    else:
        _do([sys.executable, "-m", "venv", str(folder)])
        _do([python, "-m", "pip", "install", "--quiet", requirement])


def _do(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PeerError(f"{' '.join(command)}: {done.stderr.strip()[-500:]}")
