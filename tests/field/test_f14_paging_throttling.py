"""F14: the longest of all wait headers counts, every page is read, a circle ends incomplete."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.clouds.paging import REPEATED_TOKEN, Pages
from app.clouds.waits import longest_wait

INPUT = json.loads(
    (Path(__file__).parent / "inputs" / "f14_paging_throttling.json").read_text("utf-8")
)


def test_the_longest_vendor_wait_counts_although_the_plain_header_is_missing() -> None:
    assert longest_wait(INPUT["throttled"]["headers"]) == 37


def test_all_pages_of_a_cost_query_are_read() -> None:
    answers: dict[str | None, Any] = {None: INPUT["cost_query_pages"][0]}
    for page, following in zip(
        INPUT["cost_query_pages"], INPUT["cost_query_pages"][1:], strict=False
    ):
        answers[page["properties"]["nextLink"]] = following
    pages = Pages(lambda token: answers[token], lambda page: page["properties"]["nextLink"])
    rows = [row for page in pages for row in page["properties"]["rows"]]
    assert pages.complete
    assert len(rows) == 5
    assert sum(row[0] for row in rows) == pytest.approx(60.00)


def read(listing: dict[str, Any]) -> tuple[Pages[dict[str, Any]], list[str]]:
    pages = Pages(lambda token: listing[token or "first"], lambda page: page["next"])
    return pages, [item for page in pages for item in page["items"]]


def test_a_cycling_listing_ends_incomplete_after_three_requests() -> None:
    pages, items = read(INPUT["cycling"])
    assert pages.requests == 3
    assert sorted(set(items)) == ["i-1", "i-2", "i-3", "i-4"]
    assert len(items) == 4
    assert (pages.complete, pages.code) == (False, REPEATED_TOKEN)


@pytest.mark.parametrize("length", [1, 2, 7, 50])
def test_a_circle_of_any_length_ends(length: int) -> None:
    listing: dict[str, Any] = {"first": {"items": ["start"], "next": "0"}}
    for step in range(length):
        listing[str(step)] = {"items": [f"i-{step}"], "next": str((step + 1) % length)}
    pages, items = read(listing)
    assert pages.requests == length + 1
    assert len(set(items)) == len(items) == length + 1
    assert not pages.complete
