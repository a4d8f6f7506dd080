"""Starts what is measured in fresh processes of their own."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from app.kit.errors import AtalayaError
from app.kit.settings import ROOT

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH", "SSL_CERT_FILE")


class BenchError(AtalayaError):
    """A contestant did not do its work, so there is nothing to compare."""

    title = "Bench failed"


def environment(**more: str) -> dict[str, str]:
    """A plain environment: nothing of the caller's settings or credentials gets in."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "PYTHONPATH": str(ROOT), **more}


def python(module: str, *arguments: str) -> list[str]:
    """The command that runs a module of ours."""
    return [sys.executable, "-m", module, *arguments]


def finished(command: Sequence[str], env: Mapping[str, str]) -> str:
    """What a process printed until its end; BenchError with its last words when it fails.

    A small shell stands between, because a process inherits the peak memory of the one that
    starts it, and this one is large.
    """
    shell = ["/bin/sh", "-c", '"$@"; exit $?', "measure", *command]
    done = subprocess.run(shell, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"{' '.join(command)}: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


@contextmanager
def server(command: Sequence[str], env: Mapping[str, str]) -> Iterator[str]:
    """A server that prints its address on its first line; stopped at the end."""
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip() if process.stdout else ""
        if not address:
            raise BenchError(f"{' '.join(command)} did not start")
        yield address
    finally:
        process.terminate()
        process.wait()
        if process.stdout:
            process.stdout.close()
