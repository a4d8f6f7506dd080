"""Turns a Page into HTML: the whole page for browsers, one part of it for htmx."""

from collections.abc import Mapping
from functools import lru_cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.http.fragments import wants_fragment
from app.kit.clean import without_controls
from app.kit.i18n import translator
from app.kit.settings import ROOT
from app.web import charts, column_chart, highlight, toasts
from app.web.formats import helpers
from app.web.pages import Page, Shell

TEMPLATES = ROOT / "templates"


@lru_cache(maxsize=4)
def environment(language: str) -> Environment:
    """Templates in one language. An unknown name fails; every value is escaped."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.globals.update(helpers(translator(language)))
    env.globals.update(
        spark=charts.spark,
        bars=charts.bars,
        meter=charts.meter,
        stack=charts.stack,
        history=charts.history,
        Box=charts.Box,
        columns=column_chart.columns,
        to_json=highlight.to_json,
        yaml_lines=highlight.yaml_lines,
        line_numbers=highlight.line_numbers,
    )
    return env


def render(
    request: Request,
    shell: Shell,
    page: Page,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """The page, or the part that htmx wants to replace when the page has one for that element."""
    template, part = type(page).TEMPLATE, ""
    if wants_fragment(request):
        part = type(page).PARTS.get(request.headers.get("HX-Target", ""), "")
    html = environment(shell.language).get_template(part or template)
    text = without_controls(html.render(page=page, shell=shell, part=bool(part)))
    sent = {"Content-Language": shell.language, "Vary": "HX-Target", **(headers or {})}
    response = HTMLResponse(text, status, headers=sent)
    if shell.toast is not None and toasts.COOKIE in request.cookies:
        toasts.forget(response)
    return response
