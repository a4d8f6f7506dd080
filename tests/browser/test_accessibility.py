"""Every page, wide and narrow, light and dark: no violation of WCAG 2.2 AA, nothing sideways."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import COLOURS, cut_tables, is_too_wide, violations
from tests.browser.conftest import NARROW, WIDE, Errors, Open
from tests.support.site import ADDRESSES, Site

pytestmark = pytest.mark.browser
# Read as a whole: a row for each of some hundred policies, of a dozen sources, of eighty rights;
# and menus that offer every policy that judges what is listed.
MOST_ELEMENTS = {
    "policies": 3_200,
    "connections": 1_800,
    "connection": 1_800,
    "storage": 1_800,
    "all resources": 1_800,
}


def look_at(page: Page) -> None:
    """All variants of what the page shows now."""
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme="light")
        assert violations(page) == []
        page.emulate_media(color_scheme="dark")
        assert violations(page, COLOURS) == []
        assert not is_too_wide(page)


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_is_accessible(opened: Open, site: Site, errors: Errors, name: str) -> None:
    page = opened(site.address(name))
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    assert cut_tables(page) == []
    look_at(page)
    page.set_viewport_size({"width": 320, "height": 700})
    assert not is_too_wide(page)
    assert errors.found == []
    elements = page.evaluate("() => document.querySelectorAll('*').length")
    assert elements <= MOST_ELEMENTS.get(name, 1_500)


@pytest.mark.parametrize("address", ["/login", "/login/link?token=spent", "/nope"])
def test_pages_around_the_product_are_accessible(opened: Open, address: str) -> None:
    look_at(opened(address, signed_in=address == "/nope"))


def test_a_page_in_spanish_is_accessible(opened: Open) -> None:
    page = opened("/")
    page.get_by_role("button", name="español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    look_at(page)
    page.get_by_role("button", name="English").click()


def test_the_palette_is_accessible(opened: Open) -> None:
    page = opened("/storage")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox").fill("shard")
    expect(page.get_by_role("option").first).to_contain_text("shard")
    look_at(page)


def test_the_list_of_keys_is_accessible(opened: Open) -> None:
    page = opened("/")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    look_at(page)


def test_the_drawer_is_accessible(opened: Open) -> None:
    page = opened("/")
    page.locator(".posture .big a.ev").click()
    expect(page.locator("#drawer")).to_contain_text("How it is made")
    look_at(page)


def test_the_question_before_a_deletion_is_accessible(opened: Open, site: Site) -> None:
    page = opened(site.address("connection"))
    page.get_by_role("link", name="Delete").click()
    expect(page.locator("#dialog")).to_contain_text("can't be brought back")
    look_at(page)


def test_the_menu_of_a_narrow_window_is_accessible(opened: Open) -> None:
    page = opened("/findings", viewport=NARROW)
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#side")).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []


def test_opened_menus_and_folded_values_are_accessible(opened: Open, site: Site) -> None:
    page = opened(site.address("facts of an account"))
    page.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true; })")
    look_at(page)
    page = opened("/storage")
    page.evaluate("() => document.querySelector('.toolbar details').open = true")
    look_at(page)


def test_a_refused_form_and_a_toast_are_accessible(opened: Open, site: Site) -> None:
    page = opened(site.address("finding"))
    page.locator("#comment textarea").fill("Looked at again.")
    page.get_by_role("button", name="Add comment").click()
    expect(page.locator("#toasts")).to_contain_text("Comment added")
    page.locator("#waive textarea").fill("ok")
    page.get_by_role("button", name="Waive finding").click()
    expect(page.locator("#reason-error")).to_be_visible()
    look_at(page)
