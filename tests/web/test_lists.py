"""The address is the state of a list: filters, order and page are links."""

from app.domain.paging import Page
from app.kit.i18n import translator
from app.web.lists import (
    Address,
    Choice,
    Head,
    ListQuery,
    filter_of,
    pager_of,
    sorted_head,
)

EN = translator("en")
HERE = Address("/storage", {"q": "a b", "region": "eu-west-1", "sort": "name", "after": "KEY"})


def test_a_change_keeps_the_rest_and_returns_to_the_first_page() -> None:
    assert HERE.url(region="") == "/storage?q=a+b&sort=name"
    assert HERE.url(provider="aws").endswith("&provider=aws")
    assert "after" not in HERE.url()


def test_what_a_search_form_carries_along_is_neither_text_nor_page() -> None:
    assert HERE.hidden == (("region", "eu-west-1"), ("sort", "name"))


def test_order_and_page_are_no_filters() -> None:
    assert HERE.filters == 2
    assert Address("/storage", {"sort": "name", "state": "live"}).filters == 0


def test_an_address_without_parameters_is_its_path() -> None:
    assert Address("/storage", {}).url() == "/storage"


def test_values_are_encoded() -> None:
    assert Address("/s", {}).url(q="a&b=<c>") == "/s?q=a%26b%3D%3Cc%3E"


def test_a_filter_is_a_menu_or_a_set_value() -> None:
    choices = [Choice("aws", "AWS", 3), Choice("azure", "Azure")]
    menu = filter_of(HERE, "provider", "Cloud", choices)
    assert (menu.value, [option.label for option in menu.options]) == ("", ["AWS", "Azure"])
    chosen = filter_of(Address("/storage", {"provider": "aws"}), "provider", "Cloud", choices)
    assert (chosen.shown, chosen.clear_url) == ("AWS", "/storage")
    unknown = filter_of(Address("/storage", {"provider": "gcp"}), "provider", "Cloud", choices)
    assert unknown.shown == "gcp"


def test_a_head_turns_its_order_round() -> None:
    name = Head("name", "Name")
    up = sorted_head(HERE, name, up="name", down="-name", sort="name")
    assert (up.direction, up.url.endswith("sort=-name")) == ("ascending", True)
    down = sorted_head(HERE, name, up="name", down="-name", sort="-name")
    assert (down.direction, down.url.endswith("sort=name")) == ("descending", True)
    only = sorted_head(HERE, Head("worst", "State"), up="", down="worst", sort="worst")
    assert (only.direction, only.url.endswith("sort=worst")) == ("descending", True)
    other = sorted_head(HERE, name, up="name", down="-name", sort="worst")
    assert (other.direction, other.url.endswith("sort=name")) == ("", True)


def test_a_pager_says_where_it_stands() -> None:
    page = Page(("a",) * 50, "NEXT", "", 312, 1)
    pager = pager_of(EN, HERE, page)
    assert (pager.text, pager.previous_url) == ("1 to 50 of 312", "")
    assert pager.next_url.endswith("after=NEXT")


def test_a_total_that_is_not_known_is_not_told() -> None:
    assert pager_of(EN, HERE, Page(("a",), "", "P", None, 51)).text == "51 to 51"
    assert pager_of(EN, HERE, Page((), "", "", 0, None)).text == "None"


def test_the_query_keeps_what_was_given_apart_from_the_format() -> None:
    asked = ListQuery(q="x", format="csv", after="")
    assert asked.known == {"q": "x"}
    assert asked.window.limit == 50
