"""Workers count into files of the home folder; the web process shows them with its own figures."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.kit import metrics
from app.kit.settings import settings

COUNT = """
from app.kit import metrics
metrics.share()
from prometheus_client import Counter
Counter("bench_runs", "Runs.", ["kind"]).labels("sweep").inc(3)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATALAYA_HOME", str(tmp_path))
    settings.cache_clear()
    return tmp_path


def test_what_another_process_counted_is_shown(home: Path) -> None:
    before = metrics.exposition()
    assert b"python_info" in before
    assert b"bench_runs" not in before
    subprocess.run([sys.executable, "-c", COUNT], check=True)
    assert any((home / "metrics").glob("*.db"))
    assert b'bench_runs_total{kind="sweep"} 3.0' in metrics.exposition()


def test_a_new_worker_begins_anew(home: Path) -> None:
    left = home / "metrics" / "counter_1.db"
    left.parent.mkdir()
    left.write_bytes(b"")
    subprocess.run([sys.executable, "-c", COUNT], check=True)
    assert not left.exists()
