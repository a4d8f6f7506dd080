"""What no tracked file may name: package hosts and paths of somebody's machine."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
# In pieces, so that this file passes its own check.
HOSTS = re.compile(r"pypi\." + "org|python" + r"hosted|npmjs\." + "|index" + "-url")
HOME = re.escape(str(Path.home())) if len(Path.home().parts) > 1 else "/root"
MACHINE_PATHS = re.compile(rf"(?<![\w./~-])(?:/root|/work|{HOME})/")
LOCKS = re.compile(r"https?:|--(?:extra-)?" + "index")
EXEMPT = ("atalaya",)  # its `lock` asks for files without index addresses by name


def files() -> Iterator[Path]:
    """Every file that git knows."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            yield ROOT / name


def problems_in(text: str, *, is_lock: bool = False) -> list[str]:
    """The offending words of one file."""
    patterns = [HOSTS, MACHINE_PATHS, *([LOCKS] if is_lock else [])]
    return [match[0] for pattern in patterns for match in pattern.finditer(text)]


def all_problems() -> list[str]:
    """`file: word` for everything that should not be there."""
    found = []
    for path in files():
        if path.name in EXEMPT:
            continue
        text = path.read_bytes().decode("utf-8", errors="ignore")
        words = problems_in(text, is_lock=path.suffix == ".lock")
        found += [f"{path.relative_to(ROOT)}: {word}" for word in words]
    return found
