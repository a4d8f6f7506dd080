"""`./atalaya check`: every gate that needs no running product, each with ok or failed."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.support import compose, template_lint, tracked_text

ROOT = Path(__file__).parents[2]
IMPORT_CONTRACTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One gate: its name, what it had to say when it failed, and how long it took."""

    name: str
    report: str
    seconds: float

    @property
    def line(self) -> str:
        """What is printed about it."""
        word = "failed" if self.report else "ok"
        return f"{word:7} {self.name} ({self.seconds:.1f} s)"


def run(*arguments: str, environment: dict[str, str] | None = None) -> str:
    """Runs a Python tool; its output when it failed, else nothing."""
    done = subprocess.run(
        [sys.executable, *arguments],
        check=False,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return (done.stdout.strip() or f"exit code {done.returncode}") if done.returncode else ""


def migrations() -> str:
    """The tables of a database brought up by the migrations are those of the code."""
    with tempfile.TemporaryDirectory(prefix="atalaya-check-") as folder:
        environment = {"ATALAYA_DATABASE_URL": f"sqlite:///{folder}/check.db"}
        return run("-m", "app.cli", "db", "upgrade", environment=environment) or run(
            "-m", "alembic", "check", environment=environment
        )


GATES: dict[str, Callable[[], str]] = {
    "lint": lambda: run("-m", "ruff", "check", "--quiet", "."),
    "format": lambda: run("-m", "ruff", "format", "--check", "."),
    "types": lambda: run("-m", "mypy"),
    "import contracts": lambda: run("-c", IMPORT_CONTRACTS),
    "templates": lambda: "\n".join(template_lint.all_problems()),
    "migrations": migrations,
    "docker-compose.yml": lambda: "\n".join(compose.problems(compose.FILE.read_text())),
    "hosts and paths": lambda: "\n".join(tracked_text.all_problems()),
}


def measured(name: str) -> Outcome:
    """Passes one gate."""
    begun = time.monotonic()
    try:
        report = GATES[name]()
    except Exception as error:  # noqa: BLE001 - a gate that breaks is shut
        report = f"{type(error).__name__}: {error}"
    return Outcome(name, report, time.monotonic() - begun)


def main() -> int:
    """Exit code 1 when a gate is shut."""
    with ThreadPoolExecutor(2) as pool:
        outcomes = []
        for outcome in pool.map(measured, GATES):
            print(outcome.line, flush=True)
            outcomes.append(outcome)
    failed = [outcome for outcome in outcomes if outcome.report]
    for outcome in failed:
        print(f"\n--- {outcome.name}\n{outcome.report}")
    print(f"\n{len(failed)} of {len(outcomes)} checks failed" if failed else "\nall checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
