"""Extracts htmx, fonts and icons from hashed packages, so that nothing of others is committed."""

import hashlib
import importlib.metadata
import importlib.util
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.kit.errors import SettingsError
from app.kit.settings import ROOT

STATIC = ROOT / "static"
HTMX = "static/django_htmx/"
STROKE = (
    'viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.9" '
    'stroke-linecap="round" stroke-linejoin="round"'
)


@dataclass(frozen=True, slots=True)
class Carrier:
    """A file of an installed package, and what it becomes in static/vendor."""

    name: str
    package: str
    module: str
    path: str
    target: str
    licence: str
    licence_path: str
    version_pattern: str = ""


CARRIERS = (
    Carrier(
        "htmx",
        "django-htmx",
        "django_htmx",
        HTMX + "htmx-2.min.js",
        "htmx.min.js",
        "0BSD",
        "",
        r'version:"([^"]+)"',
    ),
    Carrier(
        "htmx sse extension",
        "django-htmx",
        "django_htmx",
        HTMX + "ext/hx-sse-2.min.js",
        "htmx-sse.min.js",
        "0BSD",
        "",
    ),
    Carrier(
        "Geist",
        "fontpkg-geist",
        "fontpkg_geist",
        "files/Geist[wght].ttf",
        "geist.woff2",
        "OFL-1.1",
        "LICENSE",
    ),
    Carrier(
        "Geist Mono",
        "fontpkg-geist-mono",
        "fontpkg_geist_mono",
        "files/GeistMono[wght].ttf",
        "geist-mono.woff2",
        "OFL-1.1",
        "LICENSE",
    ),
    Carrier(
        "Geist for PDF, 400",
        "fontpkg-geist",
        "fontpkg_geist",
        "files/Geist[wght].ttf",
        "geist-400.ttf",
        "OFL-1.1",
        "LICENSE",
    ),
    Carrier(
        "Geist for PDF, 600",
        "fontpkg-geist",
        "fontpkg_geist",
        "files/Geist[wght].ttf",
        "geist-600.ttf",
        "OFL-1.1",
        "LICENSE",
    ),
    Carrier(
        "Geist Mono for PDF, 400",
        "fontpkg-geist-mono",
        "fontpkg_geist_mono",
        "files/GeistMono[wght].ttf",
        "geist-mono-400.ttf",
        "OFL-1.1",
        "LICENSE",
    ),
    Carrier(
        "Lucide",
        "fasthtml-lucide",
        "fasthtml_lucide",
        "icons",
        "icons.svg",
        "ISC",
        "LUCIDE-LICENSE",
    ),
)


@dataclass(frozen=True, slots=True)
class Asset:
    """One line of the manifest that /about shows."""

    name: str
    version: str
    file: str
    sha256: str
    licence: str
    package: str
    package_version: str


def build(static: Path = STATIC) -> bool:
    """Fills static/vendor; False when it was up to date. Files are replaced one by one, whole.

    SettingsError when a package that carries an asset is missing, an icon is unknown or the folder
    cannot be written.
    """
    stamp = _stamp(static)
    vendor = static / "vendor"
    if _is_current(vendor, stamp):
        return False
    try:
        assets = [_write(carrier, static) for carrier in CARRIERS]
        manifest = {"stamp": stamp, "assets": [asdict(asset) for asset in assets]}
        _replace(vendor / "manifest.json", json.dumps(manifest, indent=2).encode() + b"\n")
    except OSError as error:
        raise SettingsError(
            f"cannot write {vendor}: {error.strerror}", mend="make the folder writable"
        ) from None
    return True


def manifest(static: Path = STATIC) -> list[dict[str, str]]:
    """The assets in static/vendor as dictionaries of `Asset`; empty before the first build."""
    document = _read_manifest(static / "vendor")
    return list(document.get("assets", []))


def sprite(names: Iterable[str], own: Mapping[str, str], icons: Path | None = None) -> str:
    """One SVG of symbols: `lucide-NAME` for each name, and `own` symbols (id -> markup) as given.

    SettingsError names an icon that the package does not have.
    """
    folder = icons or _find(CARRIERS[-1])
    symbols = [_lucide_symbol(folder, name) for name in sorted(set(names))]
    symbols += [own[name] for name in sorted(own)]
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>\n'


def icon_names(static: Path = STATIC) -> list[str]:
    """The icons in use: static/icons.txt, one name a line, `#` starts a comment."""
    path = static / "icons.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [name for line in lines if (name := line.split("#")[0].strip())]


def own_symbols(static: Path = STATIC) -> dict[str, str]:
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


def _write(carrier: Carrier, static: Path) -> Asset:
    source = _find(carrier)
    content = _content(source, carrier.target, static)
    target = static / "vendor" / carrier.target
    _replace(target, content)
    if carrier.licence_path:
        text = (_package_folder(carrier) / carrier.licence_path).read_bytes()
        _replace(target.with_suffix(".licence.txt"), text)
    package_version = importlib.metadata.version(carrier.package)
    known = (
        re.search(carrier.version_pattern, content.decode()) if carrier.version_pattern else None
    )
    return Asset(
        name=carrier.name,
        version=known[1] if known else package_version,
        file=carrier.target,
        sha256=hashlib.sha256(content).hexdigest(),
        licence=carrier.licence,
        package=carrier.package,
        package_version=package_version,
    )


def _content(source: Path, target: str, static: Path) -> bytes:
    if source.is_dir():
        return sprite(icon_names(static), own_symbols(static), source).encode()
    if source.suffix == ".ttf":
        from app.kit import fonts  # noqa: PLC0415 - fontTools is heavy, and rarely needed

        if target.endswith(".ttf"):
            return fonts.instance(source, weight=int(target.removesuffix(".ttf")[-3:]))
        return fonts.subset(source)
    return source.read_bytes()


def _package_folder(carrier: Carrier) -> Path:
    spec = importlib.util.find_spec(carrier.module)
    if spec is None or spec.origin is None:
        raise SettingsError(
            f"the package {carrier.package}, which carries {carrier.name}, is not installed",
            mend="run ./atalaya up, or install requirements-assets.lock without dependencies",
        )
    return Path(spec.origin).parent


def _find(carrier: Carrier) -> Path:
    path = _package_folder(carrier) / carrier.path
    if not path.exists():
        raise SettingsError(
            f"{carrier.package} no longer carries {carrier.path}",
            mend="adapt CARRIERS in app/kit/assets.py to its new version",
        )
    return path


def _stamp(static: Path) -> str:
    """Changes with the packages, the icons in use, our own symbols and this very code."""
    parts = [f"{c.package} {importlib.metadata.version(c.package)}" for c in _installed()]
    parts += [*icon_names(static), *own_symbols(static).values()]
    code = [Path(__file__), Path(__file__).with_name("fonts.py")]
    parts += [hashlib.sha256(path.read_bytes()).hexdigest() for path in code]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _installed() -> tuple[Carrier, ...]:
    for carrier in CARRIERS:
        _package_folder(carrier)
    return CARRIERS


def _read_manifest(vendor: Path) -> dict[str, Any]:
    try:
        document = json.loads((vendor / "manifest.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def _is_current(vendor: Path, stamp: str) -> bool:
    document = _read_manifest(vendor)
    return document.get("stamp") == stamp and all(
        _holds(vendor / asset["file"], asset["sha256"]) for asset in document["assets"]
    )


def _holds(path: Path, sha256: str) -> bool:
    return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(content)
    fresh.replace(path)
