"""What templates may not hold: anything that a strict Content-Security-Policy forbids."""

import re
from html.parser import HTMLParser
from pathlib import Path

from jinja2 import Environment, StrictUndefined, TemplateSyntaxError
from typing_extensions import override

ROOT = Path(__file__).parents[2]
JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
UNESCAPED = re.compile(r"\|\s*safe\b|\{%-?\s*autoescape\b")
CODE_IN_ATTRIBUTES = ("javascript:", "js:")
EXTENSIONS = ["jinja2.ext.i18n", "jinja2.ext.do"]
# A document made to be saved and opened elsewhere may carry its style, and says which one.
OWN_STYLE_BY_HASH = re.compile(r"style-src 'sha256-")


class Tags(HTMLParser):
    """Collects what is wrong with start tags."""

    def __init__(self, *, may_carry_style: bool) -> None:
        super().__init__()
        self._may_carry_style = may_carry_style
        self.found: list[tuple[int, str]] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        if tag == "style" and not self._may_carry_style:
            self._add("a <style> element: put it into static/css")
        if tag == "script" and "src" not in names:
            self._add("an inline <script>: put it into static/js")
        for name, value in attrs:
            self._attribute(name, (value or "").strip().lower())

    def _attribute(self, name: str, value: str) -> None:
        if name == "style":
            self._add("a style attribute: use a class or an SVG attribute")
        if name.startswith(("on", "hx-on", "data-hx-on")):
            self._add(f"the handler {name}: listen in static/js")
        if value.startswith(CODE_IN_ATTRIBUTES):
            self._add(f"code in {name}")
        if name == "hx-trigger" and "[" in value:
            self._add("a filter in hx-trigger, which needs eval")

    def _add(self, what: str) -> None:
        self.found.append((self.getpos()[0], what))


def problems(source: str) -> list[tuple[int, str]]:
    """`(line, what is wrong)` of one HTML template."""
    try:
        Environment(autoescape=True, undefined=StrictUndefined, extensions=EXTENSIONS).parse(source)
    except TemplateSyntaxError as error:
        return [(error.lineno, str(error.message))]
    found = [
        (source.count("\n", 0, match.start()) + 1, "unescaped output: give the page Markup instead")
        for match in UNESCAPED.finditer(source)
    ]
    tags = Tags(may_carry_style=OWN_STYLE_BY_HASH.search(source) is not None)
    tags.feed(JINJA.sub(lambda match: "\n" * match[0].count("\n"), source))
    return sorted(found + tags.found)


def all_problems(folder: Path = ROOT / "templates") -> list[str]:
    """`file:line: what is wrong` for every HTML template."""
    return [
        f"{path.relative_to(folder.parent)}:{line}: {what}"
        for path in sorted(folder.rglob("*.html"))
        for line, what in problems(path.read_text(encoding="utf-8"))
    ]
