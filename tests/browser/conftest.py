"""The site behind a real server, and pages of a real Chromium in which Ana is signed in."""

import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from app.http import cookies
from app.kit.clock import utc_now
from app.services import accounts
from app.store.session import transaction
from tests.support.site import Site, built_site, site

__all__ = ["built_site", "site"]

WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


@dataclass(frozen=True)
class Server:
    """The site at its address."""

    site: Site
    url: str

    def sign_in(self, context: BrowserContext) -> None:
        """Gives the browser a session of Ana's."""
        with transaction() as session:
            opened = accounts.open_session(session, self.site.ana, utc_now())
        context.add_cookies(
            [{"name": cookies.cookie_name(), "value": opened.token, "url": self.url}]
        )


@pytest.fixture
def server(site: Site) -> Iterator[Server]:
    """A server of this test, on a port of its own."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    running = uvicorn.Server(uvicorn.Config(site.app, log_level="error", lifespan="off"))
    thread = threading.Thread(target=running.run, args=([listener],))
    thread.start()
    yield Server(site, f"http://127.0.0.1:{listener.getsockname()[1]}")
    running.should_exit = True
    thread.join()
    listener.close()


class Errors:
    """What a browser complained of; refused addresses that a test expects are its own matter."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def watch(self, page: Page) -> None:
        """Notes errors and warnings of a page, those of the Content-Security-Policy too."""
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.found.append(str(error)))

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.found.append(f"{message.text} {message.location.get('url', '')}")


@pytest.fixture
def errors() -> Errors:
    """What the browser of this test complained of."""
    return Errors()


Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, server: Server, errors: Errors) -> Iterator[Open]:
    """`opened("/findings")` shows a page to Ana; arguments are those of a browser context."""
    contexts: list[BrowserContext] = []

    def show(address: str, *, signed_in: bool = True, **options: object) -> Page:
        settings = {
            "viewport": WIDE,
            "color_scheme": "light",
            "reduced_motion": "reduce",
            "base_url": server.url,
            **options,
        }
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        context.set_default_timeout(15_000)
        contexts.append(context)
        if signed_in:
            server.sign_in(context)
        page = context.new_page()
        errors.watch(page)
        page.goto(address)
        return page

    yield show
    for context in contexts:
        context.close()
