"""What htmx does on the pages, each behaviour once: targets, token, refusals, regions, history."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, Route, expect

from app.domain.access import SYSTEM
from app.http import cookies
from app.store.queries import compliance
from app.store.queries.compliance import FindingFilter
from app.store.session import transaction
from app.web.storage import ROWS
from tests.browser.conftest import NARROW, Errors, Open
from tests.support.site import Site

pytestmark = pytest.mark.browser


def rows(page: Page) -> int:
    return page.locator("[data-rows] > li:not(.grp)").count()


def of_policy(policy_id: str) -> str:
    """The address of the list of one policy's findings, so that tests keep out of each other."""
    with transaction(readonly=True) as session:
        where = FindingFilter(policy_id=policy_id)
        assert compliance.search_findings(session, access=SYSTEM, where=where).items
    return f"/findings?policy={policy_id}"


def test_htmx_evaluates_no_text_and_styles_nothing(opened: Open) -> None:
    page = opened("/findings")
    config = page.evaluate("() => htmx.config")
    assert page.evaluate("() => htmx.version") == "2.0.10"
    assert (config["allowEval"], config["includeIndicatorStyles"]) == (False, False)
    assert config["historyCacheSize"] == 0
    assert page.locator("style").count() == 0


def test_a_row_shows_its_finding_beside_the_list_and_back_returns(opened: Open) -> None:
    page = opened("/findings?state=all")
    first = page.locator("#fd-h").inner_text()
    number = page.locator("#detail .d-head .mono").first.inner_text()
    row = page.locator("[data-rows] > li:not(.grp) > a").nth(3)
    row.click()
    expect(page.locator("#detail .d-head .mono").first).not_to_have_text(number)
    assert re.search(r"/findings/F-\d+\?state=all$", page.url)
    assert page.evaluate("() => document.activeElement.id") == "detail"
    expect(row).to_have_attribute("aria-current", "true")
    assert page.title().startswith("F-")
    page.go_back()
    expect(page.locator("#detail .d-head .mono").first).to_have_text(number)
    assert first == page.locator("#fd-h").inner_text()
    assert page.url.endswith("/findings?state=all")


def test_a_narrow_window_goes_to_the_finding_instead(opened: Open) -> None:
    page = opened("/findings", viewport=NARROW)
    expect(page.locator("#detail")).to_be_hidden()
    page.locator("[data-rows] > li:not(.grp) > a").first.click()
    expect(page.locator("#detail")).to_be_visible()
    expect(page.locator("#results")).to_be_hidden()
    page.get_by_role("link", name="All findings").click()
    expect(page.locator("#results")).to_be_visible()


def test_typing_filters_the_list_and_loses_nothing(opened: Open, errors: Errors) -> None:
    page = opened("/storage")
    box = page.get_by_role("searchbox")
    box.press_sequentially("shard-0", delay=10)
    expect(page.locator(".pager")).to_contain_text("1 to 10")
    assert page.evaluate("() => document.activeElement.id") == "q"
    expect(box).to_have_value("shard-0")
    assert "q=shard-0" in page.url
    page.go_back()
    page.wait_for_load_state()
    assert errors.found == []


def test_a_filter_is_chosen_shown_and_cleared(opened: Open) -> None:
    page = opened("/storage")
    page.locator("#f-provider").click()
    page.locator("#chips .menu a[href*='provider=azure']").first.click()
    expect(page.locator("#chips")).to_contain_text("Cloud: Azure")
    expect(page.locator(".pager")).to_contain_text("1 to 2 of 2")
    # the text searched for keeps the filter, which came as a second region
    page.get_by_role("searchbox").fill("geo")
    expect(page.locator(".pager")).to_contain_text("1 to 1")
    assert "provider=azure" in page.url
    page.locator("#f-provider").click()
    expect(page.locator("#chips")).not_to_contain_text("Cloud: Azure")


def test_sorting_and_paging_keep_the_focus(opened: Open) -> None:
    page = opened("/storage")
    page.locator("#sort-name").focus()
    page.keyboard.press("Enter")
    expect(page.locator("th[aria-sort=ascending] #sort-name")).to_be_visible()
    assert page.evaluate("() => document.activeElement.id") == "sort-name"
    page.locator("#page-next").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".pager")).to_contain_text(f"{ROWS + 1} to ")
    assert page.evaluate("() => document.activeElement.id") in {"page-next", "page-previous", ""}


def test_the_token_is_sent_as_a_header_from_the_body(opened: Open, site: Site) -> None:
    page = opened(site.address("finding"))
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    page.locator("#comment textarea").fill("Through htmx.")
    page.get_by_role("button", name="Add comment").click()
    expect(page.locator("#toasts")).to_contain_text("Comment added")
    assert sent[0].headers["x-csrf-token"]
    assert sent[0].headers["hx-target"] == "detail"
    expect(page.locator(".hist-list")).to_contain_text("Through htmx.")


def test_a_refused_form_comes_back_in_place_with_the_cursor_in_it(opened: Open) -> None:
    page = opened(of_policy("inventory-configured"))
    page.locator("#waive textarea").fill("ok")
    page.get_by_role("button", name="Waive finding").click()
    expect(page.locator("#reason-error")).to_contain_text("20 characters or more")
    expect(page.locator("#reason")).to_have_value("ok")
    assert page.evaluate("() => document.activeElement.id") == "reason"


def test_an_action_reloads_the_list_and_can_be_undone(opened: Open) -> None:
    page = opened(of_policy("data-cools-in-time"))
    before = rows(page)
    number = page.locator("#detail .d-head .mono").first.inner_text()
    page.locator("#detail summary", has_text="Snooze").click()
    page.get_by_role("button", name="For a week").click()
    expect(page.locator("#toasts")).to_contain_text(f"{number} snoozed until")
    expect(page.locator(f"#row-{number}")).to_have_count(0)
    assert rows(page) >= before - 1
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#toasts")).to_contain_text(f"{number} is open again")


def failing(status: int) -> Callable[[Route], None]:
    def answer(route: Route) -> None:
        if "hx-request" not in route.request.headers:
            route.continue_()
        elif status:
            route.fulfill(status=status, content_type="text/html", body="<h1>broken</h1>")
        else:
            route.abort()

    return answer


@pytest.mark.parametrize("status", [500, 503, 0])
def test_a_failure_becomes_a_toast_and_leaves_the_page(opened: Open, status: int) -> None:
    page = opened("/findings?state=all")
    heading = page.locator("#fd-h").inner_text()
    page.route("**/findings/**", failing(status))
    page.locator("[data-rows] > li:not(.grp) > a").nth(2).click()
    expect(page.locator("#toasts")).to_contain_text("That did not work. Nothing was changed.")
    assert page.locator("#fd-h").inner_text() == heading
    assert "broken" not in page.content()


def test_our_own_failures_say_what_happened(opened: Open) -> None:
    page = opened("/findings?state=all")
    page.evaluate("() => htmx.ajax('GET', '/findings/F-999999', '#detail')")
    expect(page.locator("#toasts")).to_contain_text("Nothing here: no finding F-999999")


def test_a_lost_session_leads_to_the_sign_in_and_back(opened: Open) -> None:
    page = opened("/findings?state=all")
    page.context.clear_cookies(name=cookies.cookie_name())
    page.locator("[data-rows] > li:not(.grp) > a").nth(2).click()
    page.wait_for_url("**/login?next=**")
    assert page.locator("input[name=next]").first.input_value() == "/findings?state=all"
    assert page.locator("form").count() == 3  # no sign-in inside a panel


def test_a_sweep_shows_that_it_waits_until_it_is_done(opened: Open, site: Site) -> None:
    page = opened(site.address("connection"))
    page.locator("#sweep-now").click()
    expect(page.locator("#sweep")).to_contain_text("Waiting for a worker")
    polls: list[str] = []
    page.on("request", lambda request: polls.append(request.url))
    expect(page.locator("#sweep .busy")).to_be_visible()
    page.wait_for_event("request", lambda request: request.url.endswith("/sweep"))
    assert polls


def test_a_proof_opens_over_the_page_and_closes_again(opened: Open) -> None:
    page = opened("/")
    figure = page.locator(".posture .big a.ev")
    figure.click()
    expect(page.locator("#drawer")).to_contain_text("How it is made")
    assert page.url.endswith("/")
    page.keyboard.press("Escape")
    expect(page.locator("#drawer")).to_be_hidden()
    expect(figure).to_be_focused()
    figure.click(modifiers=["Control"])  # still a link for who wants a tab of its own
    expect(page.locator("#drawer")).to_be_hidden()


def test_the_text_of_a_policy_is_checked_without_leaving(opened: Open, errors: Errors) -> None:
    page = opened("/policies/new")
    page.locator("#text").fill("id: x\n")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#result")).to_contain_text("the field 'title' is missing")
    assert page.locator("#text").input_value() == "id: x\n"
    assert page.url.endswith("/policies/new")
    assert len(errors.found) == 1  # the browser tells of the 422 itself
