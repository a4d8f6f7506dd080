"""The weekly report as one HTML file that needs nothing else: it can be mailed and printed."""

import base64
import hashlib
import re
from functools import lru_cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from app.domain.reporting import WeeklyReport
from app.kit.i18n import translator
from app.kit.settings import ROOT
from app.reports.view import view_of

MEDIA_TYPE = "text/html; charset=utf-8"
STYLE = ROOT / "static" / "css" / "atalaya.css"
SHAPES = ROOT / "static" / "icons" / "own.svg"
_SYMBOL = re.compile(r'<symbol id="(?:i-)?([\w-]+)"[^>]*>(.*?)</symbol>', re.DOTALL)
_FONT_FACE = re.compile(r"@font-face\s*{[^}]*}")


@lru_cache(maxsize=1)
def _shapes() -> dict[str, str]:
    """Our own 16-grid shapes by name; the report uses no others."""
    return dict(_SYMBOL.findall(SHAPES.read_text()))


def _icon(name: str, label: str | None = None, cls: str = "") -> Markup:
    named = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    start = f'<svg class="i {escape(cls)}" viewBox="0 0 16 16" {named} focusable="false">'
    return Markup(f"{start}{_shapes()[name]}</svg>")  # noqa: S704 - our own drawing


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(ROOT / "templates"), autoescape=True, undefined=StrictUndefined
    )
    environment.globals["icon"] = _icon
    return environment


@lru_cache(maxsize=1)
def _style() -> tuple[Markup, str]:
    """The product's style sheet without fonts to fetch, and its sha256 for the file's own CSP."""
    css = _FONT_FACE.sub("", STYLE.read_text())
    sha256 = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return Markup(css), sha256  # noqa: S704 - our own file


def render(report: WeeklyReport, language: str) -> bytes:
    """The file, UTF-8."""
    style, sha256 = _style()
    page = _environment().get_template("reports/weekly.html")
    view = view_of(report, translator(language))
    return page.render(report=view, style=style, style_sha256=sha256).encode()
