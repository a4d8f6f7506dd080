"""Every text of a report has its Spanish form, with the same placeholders."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from app.kit.i18n import catalogue
from app.reports import html
from app.reports.words import CLOSE_REASONS, PILLARS, SEVERITIES
from tests.support.build_reports import report

REPORTS = Path(html.__file__).parent
PLACEHOLDER = re.compile(r"%\(\w+\)s")


def texts_of(call: ast.Call) -> Iterator[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in ("gettext", "ngettext"):
        for argument in call.args[: 1 if name == "gettext" else 2]:
            if isinstance(argument, ast.Constant):
                yield str(argument.value)


def texts() -> set[str]:
    """All literal texts in app/reports, and those kept in tables."""
    found = {*PILLARS.values(), *SEVERITIES.values(), *CLOSE_REASONS.values()}
    for path in REPORTS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                found.update(texts_of(node))
    return found


def test_every_text_has_a_spanish_form_with_the_same_placeholders() -> None:
    spanish: dict[str, str] = {}
    for message in catalogue("es"):
        keys = message.id if isinstance(message.id, (list, tuple)) else (message.id,)
        forms = message.string if isinstance(message.string, (list, tuple)) else (message.string,)
        spanish.update(zip(map(str, keys), map(str, forms), strict=True))
    missing = {text for text in texts() if not spanish.get(text)}
    assert not missing
    for text in texts():
        assert sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(spanish[text]))


def test_headings_are_translated() -> None:
    page = html.render(report(), "es").decode()
    for english in ("In short", "Against target", "Waivers", "Severity", "How these figures"):
        assert english not in page
