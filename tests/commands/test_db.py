from collections.abc import Callable
from pathlib import Path

import pytest

from app.kit.errors import SettingsError
from app.store import migrate
from tests.commands.conftest import Outcome

Atalaya = Callable[..., Outcome]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATALAYA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_new_database_is_made_and_found_in_order(atalaya: Atalaya, home: Path) -> None:
    assert atalaya("db", "upgrade").code == 0
    assert (home / "atalaya.db").exists()
    assert atalaya("db", "check").code == 0
    assert atalaya("db", "upgrade").code == 0


def test_a_missing_database_is_named(atalaya: Atalaya, home: Path) -> None:
    home.mkdir()
    done = atalaya("db", "check")
    assert done.code == 2
    assert "run `./atalaya db upgrade`" in done.err


@pytest.mark.parametrize("process", ["web", "worker", "beat"])
def test_no_process_works_on_an_older_database(atalaya: Atalaya, home: Path, process: str) -> None:
    atalaya("db", "upgrade")
    migrate.downgrade(f"sqlite:///{home}/atalaya.db", "-1")
    done = atalaya(process)
    assert done.code == 2
    assert "run `./atalaya db upgrade`" in done.err
    assert done.err.count("\n") == 1


def test_a_server_that_does_not_answer_is_waited_for_and_a_file_is_not(tmp_path: Path) -> None:
    migrate.refuse_other(f"postgresql+psycopg://someone@/nowhere?host={tmp_path}")
    with pytest.raises(SettingsError, match="cannot be used"):
        migrate.refuse_other(f"sqlite:///{tmp_path}/missing/atalaya.db")


def test_an_address_that_nobody_answers_is_named(
    atalaya: Atalaya, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"postgresql+psycopg://someone:secret@/nowhere?host={tmp_path}"
    monkeypatch.setenv("ATALAYA_DATABASE_URL", url)
    done = atalaya("db", "upgrade")
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "secret" not in done.err
