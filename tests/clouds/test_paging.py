from collections.abc import Mapping
from typing import Any

import pytest

from app.clouds.paging import CUT, REPEATED_TOKEN, TOO_MANY_PAGES, Pages

Listing = Mapping[str, Any]


def pages_of(listing: Mapping[str | None, Listing], **options: Any) -> Pages[Listing]:
    return Pages(lambda token: listing[token], lambda page: page.get("next"), **options)


def test_a_list_is_read_to_its_end() -> None:
    pages = pages_of({None: {"items": [1], "next": "A"}, "A": {"items": [2], "next": ""}})
    assert [page["items"] for page in pages] == [[1], [2]]
    assert (pages.complete, pages.requests, pages.code) == (True, 2, "")


def test_a_list_that_hands_out_the_same_key_twice_ends_incomplete() -> None:
    pages = pages_of({None: {"items": [1], "next": "A"}, "A": {"items": [2], "next": "A"}})
    assert [page["items"] for page in pages] == [[1], [2]]
    assert (pages.complete, pages.code) == (False, REPEATED_TOKEN)


def test_a_list_that_says_more_but_gives_no_key_is_incomplete() -> None:
    pages = pages_of({None: {"items": [1], "cut": True}}, is_cut=lambda page: page["cut"])
    assert len(list(pages)) == 1
    assert (pages.complete, pages.code) == (False, CUT)


def test_an_endless_list_of_ever_new_keys_ends_at_the_bound() -> None:
    pages = Pages(lambda token: int(token or 0), lambda page: str(page + 1), most_pages=5)
    assert list(pages) == [0, 1, 2, 3, 4]
    assert (pages.complete, pages.code) == (False, TOO_MANY_PAGES)


def test_an_error_in_the_middle_leaves_the_list_incomplete() -> None:
    pages = pages_of({None: {"items": [1], "next": "gone"}})
    with pytest.raises(KeyError):
        list(pages)
    assert not pages.complete


def test_a_reader_that_stops_early_did_not_read_the_list() -> None:
    pages = pages_of({None: {"items": [1], "next": "A"}, "A": {"items": [2]}})
    next(iter(pages))
    assert not pages.complete
