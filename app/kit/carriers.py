"""Which files of which installed packages become assets; nothing of others is committed."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from app.kit.errors import SettingsError

HTMX = "static/django_htmx/"


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


def folder_of(carrier: Carrier) -> Path:
    """Where its package is installed; SettingsError when it is not."""
    spec = importlib.util.find_spec(carrier.module)
    if spec is None or spec.origin is None:
        raise SettingsError(
            f"the package {carrier.package}, which carries {carrier.name}, is not installed",
            mend="run ./atalaya up, or install requirements-assets.lock without dependencies",
        )
    return Path(spec.origin).parent


def source_of(carrier: Carrier) -> Path:
    """The file or folder that becomes the asset; SettingsError when a new version moved it."""
    path = folder_of(carrier) / carrier.path
    if not path.exists():
        raise SettingsError(
            f"{carrier.package} no longer carries {carrier.path}",
            mend="adapt CARRIERS in app/kit/carriers.py to its new version",
        )
    return path
