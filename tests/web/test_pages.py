"""Every page answers, in both languages and on both databases, and lets no markup in."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from fastapi import FastAPI
from typing_extensions import override

from app.kit.clock import utc_now
from app.kit.i18n import LANGUAGES, Translator, catalogue
from app.web.shell import LANGUAGE_COOKIE
from tests.support import callers, web_estate
from tests.support.site import Site
from tests.support.web_estate import HOSTILE

FORM = re.compile(r'<form[^>]*method="post".*?</form>', re.DOTALL)
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "path", "rect", "line", "circle"}


class Outline(HTMLParser):
    """Start tags and attributes of a page; whether every tag that opens is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    @override
    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open, f"</{tag}> closes nothing"
            assert self.open.pop() == tag


def outline(html: str) -> Outline:
    found = Outline()
    found.feed(html)
    assert found.open == []
    return found


def check(html: str) -> None:
    """What every page keeps to."""
    page = outline(html)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids)), sorted(name or "" for name in ids if ids.count(name) > 1)
    assert [tag for tag, _ in page.tags].count("h1") == 1
    assert not [tag for tag, _ in page.tags if tag == "img"]
    for tag, attributes in page.tags:
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")], tag
        if tag == "form" and attributes.get("method") == "post":
            assert (attributes.get("action") or "").startswith("/")
    labelled = {attributes.get("for") for tag, attributes in page.tags if tag == "label"}
    for tag, attributes in page.tags:
        named = {"aria-label", "aria-labelledby", "title"} & attributes.keys()
        if tag in {"select", "textarea"}:
            assert named or attributes.get("id") in labelled


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_whole_and_safe(site: Site, language: str) -> None:
    client = site.client()
    client.cookies.set(LANGUAGE_COOKIE, language)
    for address in site.pages:
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert f'<html lang="{language}"' in answer.text
        check(answer.text)


def test_every_form_that_changes_something_carries_the_token(site: Site) -> None:
    client = site.client()
    for address in site.pages:
        forms = re.findall(
            r'<form[^>]*method="post".*?</form>', client.get(address).text, re.DOTALL
        )
        assert forms
        assert all('name="csrf_token"' in form for form in forms), address


def test_no_page_needs_a_text_that_the_spanish_catalogue_lacks(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing: set[str] = set()
    plain = Translator.gettext

    def noting(self: Translator, text: str) -> str:
        if self.language == "es" and catalogue("es").get(text) is None:
            missing.add(text)
        return plain(self, text)

    monkeypatch.setattr(Translator, "gettext", noting)
    client = site.client()
    client.cookies.set(LANGUAGE_COOKIE, "es")
    for address in site.pages:
        client.get(address)
    assert missing - set(_untranslated(site)) == set()


def _untranslated(site: Site) -> Iterator[str]:
    """Texts of policies, which stay in the language in which they were written."""
    from app.policies.registry import built_in  # noqa: PLC0415 - only this test needs them

    del site
    for policy in built_in().values():
        yield policy.why


def test_hostile_names_are_text_wherever_they_are_shown(site: Site) -> None:
    client = site.client()
    shown = 0
    for address in site.pages:
        html = client.get(address).text
        assert "<img" not in html
        assert "onerror=alert(1)>" not in html
        shown += HOSTILE[:8].replace("<", "&lt;") in html
    assert shown > 8


def test_every_page_answers_on_both_databases(app: FastAPI) -> None:
    estate = web_estate.build(utc_now())
    ana = callers.person()
    found = Site(app, estate, ana, callers.new_token(ana))
    client = found.client()
    assert {client.get(address).status_code for address in found.pages} == {200}


def test_an_empty_installation_explains_its_first_step(app: FastAPI) -> None:
    client = callers.browser(app, callers.person())
    for address, action in (
        ("/", "/connections/new"),
        ("/connections", "/connections/new"),
        ("/findings", "/connections"),
        ("/storage", "/connections"),
        ("/reports", None),
        ("/policies", None),
    ):
        answer = client.get(address)
        assert answer.status_code == 200
        check(answer.text)
        assert action is None or f'href="{action}"' in answer.text.split("<main", 1)[1]
