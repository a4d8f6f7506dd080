"""The shell: palette, keys, theme, menus and toasts; all of it works without script too."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Errors, Open
from tests.support.site import ADDRESSES, Site

pytestmark = pytest.mark.browser
PLAIN = {"java_script_enabled": False}


def focused(page: Page) -> str:
    return str(page.evaluate("() => document.activeElement.textContent.trim().slice(0, 40)"))


def test_the_palette_finds_moves_and_opens(opened: Open, site: Site) -> None:
    page = opened("/about")
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search or jump to")
    expect(box).to_be_focused()
    expect(page.get_by_role("option").first).to_contain_text("Overview")
    box.fill("curated")
    expect(page.get_by_role("option").last).to_contain_text("curated-speech")
    box.fill("shard")
    expect(page.get_by_role("option", selected=True)).to_have_count(1)
    page.keyboard.press("ArrowDown")
    chosen = page.get_by_role("option", selected=True)
    assert box.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/(findings|storage)/"))
    page.keyboard.press("Control+k")
    box.fill(site.estate.finding)
    # a list page has options of its own, those of its sort order
    found = page.locator("#pal-list").get_by_role("option")
    expect(found.first).to_contain_text(site.estate.finding)


def test_hostile_names_in_the_palette_are_text(opened: Open, errors: Errors) -> None:
    page = opened("/")
    page.keyboard.press("/")
    page.get_by_role("combobox").fill("onerror")
    expect(page.get_by_role("option").first).to_contain_text("<img src=x")
    assert page.locator("#palette img").count() == 0
    assert errors.found == []


def test_the_palette_says_when_nothing_matches(opened: Open) -> None:
    page = opened("/")
    page.keyboard.press("/")
    page.get_by_role("combobox").fill("no such thing at all")
    expect(page.locator("#pal-list")).to_contain_text("Nothing matches")
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()


def test_rows_are_walked_and_opened_by_keys(opened: Open) -> None:
    page = opened("/storage?sort=name")
    page.keyboard.press("j")
    first = focused(page)
    page.keyboard.press("j")
    assert focused(page) != first
    page.keyboard.press("k")
    assert focused(page) == first
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/storage/[0-9a-f-]{36}$"))


def test_g_and_a_letter_jump(opened: Open) -> None:
    page = opened("/about")
    jumps = {"f": "/findings", "c": "/clusters", "s": "/storage", "n": "/connections"}
    for letter, path in jumps.items():
        page.keyboard.press("g")
        page.keyboard.press(letter)
        page.wait_for_url(f"**{path}")


def test_letters_act_on_the_finding_and_not_while_typing(opened: Open) -> None:
    page = opened("/findings")
    page.keyboard.press("a")
    expect(page.locator("#owner")).to_be_focused()
    page.keyboard.press("w")  # typed into the field
    expect(page.locator("#owner")).to_be_focused()
    page.locator("#detail").focus()
    page.keyboard.press("w")
    expect(page.locator("#waive-until")).to_be_focused()
    page.locator("#detail").focus()
    page.keyboard.press("s")
    expect(page.locator("#detail details .menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#detail details .menu")).to_be_hidden()


def test_keys_that_are_switched_off_do_nothing(opened: Open) -> None:
    page = opened("/profile")
    page.get_by_label("Single keys as shortcuts").uncheck()
    page.get_by_role("button", name="Save profile").click()
    expect(page.locator("html")).to_have_attribute("data-shortcuts", "off")
    page.keyboard.press("/")
    expect(page.locator("#palette")).to_be_hidden()
    page.keyboard.press("Control+k")
    expect(page.locator("#palette")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_label("Single keys as shortcuts").check()
    page.get_by_role("button", name="Save profile").click()


def test_the_theme_is_switched_at_once_and_kept(opened: Open) -> None:
    page = opened("/about")
    background = "() => getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Switch theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(background) != light
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_menu_of_a_narrow_window_opens_and_closes(opened: Open) -> None:
    page = opened("/about", viewport=NARROW)
    menu = page.get_by_role("button", name="Menu")
    expect(page.locator("#side")).to_be_hidden()
    menu.press(" ")
    expect(page.locator("#side")).to_be_visible()
    assert menu.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_hidden()


def test_a_toast_goes_when_its_time_has_come(opened: Open, site: Site) -> None:
    page = opened(site.address("connection"))
    page.clock.install()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#toasts")).to_contain_text("Copied")
    assert "s3:GetBucketVersioning" in page.evaluate("() => navigator.clipboard.readText()")
    page.clock.run_for(8_500)
    expect(page.locator("#toasts .toast")).to_have_count(0)


def test_the_tip_of_a_column_says_what_its_title_says(opened: Open, site: Site) -> None:
    page = opened(site.address("connection"))
    page.locator("#calls .col").first.hover()
    expect(page.locator(".tip")).to_contain_text("Refused, 429")
    page.locator("h1").hover()
    expect(page.locator(".tip")).to_be_hidden()


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_is_the_same_without_script(opened: Open, site: Site, name: str) -> None:
    address = site.address(name)
    scripted = opened(address).locator("main").inner_text()
    plain = opened(address, **PLAIN).locator("main").inner_text()
    assert steady(plain) == steady(scripted)


def steady(text: str) -> list[str]:
    """The lines of a page without those that time changes, or that only help without script."""
    lines = [line.strip() for line in text.splitlines()]
    ages = re.compile(r"ago|just now|\bmin\b|\bs\b|UTC")
    helping = {"", "Apply", "Refresh"}
    return [line for line in lines if line not in helping and not ages.search(line)]


def test_without_script_filters_menus_and_search_are_links_and_forms(opened: Open) -> None:
    page = opened("/storage", **PLAIN)
    page.locator("#f-provider").click()
    page.locator("#chips .menu a[href*='provider=azure']").first.click()
    expect(page.locator("#chips")).to_contain_text("Cloud: Azure")
    page.get_by_role("searchbox").fill("geo")
    page.get_by_role("searchbox").press("Enter")
    assert "provider=azure" in page.url
    expect(page.locator(".pager")).to_contain_text("1 to 1")
    page.get_by_role("link", name="Search or jump to").click()
    page.get_by_role("searchbox").fill("curated")
    page.get_by_role("searchbox").press("Enter")
    expect(page.locator("main")).to_contain_text("curated-speech")


def test_without_script_a_narrow_window_has_its_menu(opened: Open) -> None:
    page = opened("/about", viewport=NARROW, **PLAIN)
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#side")).to_be_visible()
    page.get_by_role("link", name="Close menu").click()
    expect(page.locator("#side")).to_be_hidden()


def test_without_script_a_finding_is_assigned_and_the_theme_switched(
    opened: Open, site: Site
) -> None:
    page = opened(site.address("finding"), **PLAIN)
    page.locator("#owner").fill("without.script@example.org")
    page.get_by_role("button", name="Assign owner").click()
    expect(page.locator("#toasts")).to_contain_text("assigned to without.script@example.org")
    page.get_by_role("button", name="Switch theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator("summary.me").click()
    page.get_by_role("button", name="Sign out").click()
    assert page.url.endswith("/login")


def test_printing_shows_the_report_and_nothing_around_it(opened: Open, site: Site) -> None:
    page = opened(site.address("report"), color_scheme="dark")
    page.emulate_media(media="print")
    for around in ("#side", ".top", ".page-head", "#toasts"):
        expect(page.locator(around).first).to_be_hidden()
    expect(page.locator("article.report")).to_be_visible()
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    assert page.pdf(format="A4", prefer_css_page_size=True).startswith(b"%PDF")


@pytest.mark.parametrize("address", ["/reports", "/tokens", "/storage", "/policies"])
def test_narrow_pages_leave_out_what_is_marked_for_it(opened: Open, address: str) -> None:
    page = opened(address, viewport=NARROW)
    left_out = page.locator("main .tbl .c-md, main .tbl .c-lo")
    assert left_out.count() > 0
    assert left_out.locator("visible=true").count() == 0


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("address", ["/storage", "/clusters", "/findings", "/policies"])
def test_what_a_filter_asks_for_is_read_whole(opened: Open, address: str, language: str) -> None:
    page = opened(address, locale=language)
    page.context.add_cookies([{"name": "atalaya_language", "value": language, "url": page.url}])
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)
    room = """box => {
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = getComputedStyle(box).font;
        return box.clientWidth - pen.measureText(box.placeholder).width;
    }"""
    assert page.locator(".filter-in input").evaluate(room) >= 0


@pytest.mark.parametrize("name", ["finding", "policy"])
def test_printing_begins_on_the_first_page_and_leaves_out_forms(
    opened: Open, site: Site, name: str
) -> None:
    page = opened(site.address(name))
    page.emulate_media(media="print")
    panel = page.locator("main .panel.detail, main .panel").first
    assert panel.evaluate("el => getComputedStyle(el).breakInside") == "auto"
    assert page.locator("main .detail form").locator("visible=true").count() == 0
