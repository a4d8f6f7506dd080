"""Takes the picture of the README: `python -m tests.support.picture LINK` of a fresh sandbox."""

import sys
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from tests.support import chromium

PICTURE = Path(__file__).parents[2] / "docs/pictures/overview.png"
SIZE = {"width": 1440, "height": 1000}


def take(link: str, path: Path = PICTURE) -> None:
    """Signs in by the one-time link and saves the overview, light and without motion."""
    address = urlsplit(link)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        page = browser.new_page(
            viewport=SIZE,  # type: ignore[arg-type]
            color_scheme="light",
            reduced_motion="reduce",
            locale="en",
        )
        page.goto(link)
        page.locator("main button[type=submit]").click()
        page.wait_for_url(f"{address.scheme}://{address.netloc}/")
        page.evaluate("document.fonts.ready")
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    take(sys.argv[1])
