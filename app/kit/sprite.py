"""One SVG of all icons in use: Lucide's by name, and the shapes drawn for Atalaya."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from app.kit.errors import SettingsError

STROKE = (
    'viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.9" '
    'stroke-linecap="round" stroke-linejoin="round"'
)


def sprite(names: Iterable[str], own: Mapping[str, str], icons: Path) -> str:
    """One SVG of symbols: `lucide-NAME` for each name, and `own` symbols (id -> markup) as given.

    `icons` is the folder of Lucide's drawings; SettingsError names one that is not there.
    """
    symbols = [_lucide_symbol(icons, name) for name in sorted(set(names))]
    symbols += [own[name] for name in sorted(own)]
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>\n'


def icon_names(static: Path) -> list[str]:
    """The icons in use: static/icons.txt, one name a line, `#` starts a comment."""
    path = static / "icons.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [name for line in lines if (name := line.split("#")[0].strip())]


def own_symbols(static: Path) -> dict[str, str]:
    """Symbols drawn for Atalaya: every `<symbol id="…">` in static/icons/*.svg."""
    found = {}
    for path in sorted((static / "icons").glob("*.svg")):
        markup = path.read_text(encoding="utf-8")
        for match in re.finditer(r'<symbol\b[^>]*\bid="([^"]+)".*?</symbol>', markup, re.DOTALL):
            found[match[1]] = re.sub(r">\s+<", "><", match[0])
    return found


def _lucide_symbol(folder: Path, name: str) -> str:
    path = folder / f"{name}.svg"
    if not re.fullmatch(r"[a-z0-9-]+", name) or not path.exists():
        raise SettingsError(
            f"static/icons.txt: no icon is called {name!r}", mend="use a name of the Lucide set"
        )
    drawing = path.read_text(encoding="utf-8")
    inner = drawing[drawing.index(">", drawing.index("<svg")) + 1 : drawing.rindex("</svg>")]
    body = re.sub(r"\s*(/?>)\s*", r"\1", " ".join(inner.split()))
    return f'<symbol id="lucide-{name}" {STROKE}>{body}</symbol>'
