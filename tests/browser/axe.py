"""Runs axe-core over a page and says what it found wrong, one line each."""

from functools import cache
from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Only what is wrong is worked out in full: that halves the time.
QUICK = {"resultTypes": ["violations"]}
WHOLE = {**QUICK, "runOnly": {"type": "tag", "values": TAGS}}
# All that differs between light and dark.
DIFFERENT = ["color-contrast", "link-in-text-block"]
COLOURS = {**QUICK, "runOnly": {"type": "rule", "values": DIFFERENT}}


@cache
def _script() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page, options: dict[str, Any] = WHOLE) -> list[str]:
    """`rule: how many: the first place` of every violation."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_script())
    page.evaluate("() => document.fonts.ready.then(() => true)")
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [f"{one['id']}: {len(one['nodes'])}: {one['nodes'][0]['html'][:200]}" for one in found]


def is_too_wide(page: Page) -> bool:
    """Whether the page itself scrolls sideways."""
    return bool(page.evaluate("() => document.documentElement.scrollWidth > innerWidth"))


def cut_tables(page: Page) -> list[str]:
    """Headings of the tables of which a part is only seen by scrolling."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('table')]
          .filter(table => table.parentElement.scrollWidth > table.parentElement.clientWidth + 1)
          .map(table => table.tHead?.innerText ?? table.innerText.slice(0, 80))"""
    )
    return found
