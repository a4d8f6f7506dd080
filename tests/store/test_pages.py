"""Every list can be walked to both ends, each row once, with its true count and position."""

import base64
from datetime import timedelta
from typing import Any
from uuid import UUID

import orjson
import pytest
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.paging import Page, PageRequest
from app.kit.errors import InvalidInputError
from app.store import tallies
from app.store.models.inventory import ResourceRow
from app.store.queries import inventory, sweeps, work
from app.store.queries.inventory import ResourceFilter, ResourceItem, ResourceSort
from tests import build
from tests.build import NOW

ROWS = 23


@pytest.fixture
def estate(session: Session) -> Session:
    """23 live resources of two kinds and regions, of which names repeat, and a deleted one."""
    connection = build.connection(session)
    for number in range(ROWS + 1):
        worst = (-1, 0, 3)[number % 3]
        session.add(
            ResourceRow(
                connection_id=connection.id,
                collector_id="aws_s3",
                kind="s3_bucket" if number % 2 else "azure_storage_account",
                provider="aws" if number % 2 else "azure",
                immutable_id=str(number),
                native_id=f"id-{number}",
                name=f"name {number // 3:02d}",
                search=f"name {number // 3:02d}\nstrasse_{number}",
                sub_account_id="1",
                region_id="eu-west-1" if number < 20 else None,
                scope="1",
                first_observed_at=NOW,
                observed_at=NOW + timedelta(seconds=number // 4),
                deleted_at=NOW if number == ROWS else None,
                worst_rank=worst,
                worst_order=-worst,
                non_compliant_count=int(worst == 3),
            )
        )
    session.flush()
    tallies.count_resources(session, connection.id)
    return session


def ask(session: Session, page: PageRequest, **where: Any) -> Page[ResourceItem]:
    sort = where.pop("sort", ResourceSort.NAME)
    return inventory.search_resources(
        session, access=SYSTEM, where=ResourceFilter(**where), sort=sort, page=page
    )


def walk(session: Session, limit: int, **where: Any) -> list[Page[ResourceItem]]:
    pages = [ask(session, PageRequest(limit), **where)]
    while pages[-1].next:
        pages.append(ask(session, PageRequest(limit, after=pages[-1].next), **where))
    return pages


def walk_back(
    session: Session, limit: int, last: Page[ResourceItem], **where: Any
) -> list[Page[ResourceItem]]:
    pages = [last]
    while pages[-1].previous:
        pages.append(ask(session, PageRequest(limit, before=pages[-1].previous), **where))
    return pages


@pytest.mark.parametrize("sort", list(ResourceSort))
@pytest.mark.parametrize("limit", [1, 5, 23, 100])
def test_every_row_comes_once_forwards_and_backwards(
    estate: Session, sort: ResourceSort, limit: int
) -> None:
    pages = walk(estate, limit, sort=sort)
    rows = [item for page in pages for item in page.items]
    assert len({item.id for item in rows}) == len(rows) == ROWS
    assert {page.total for page in pages} == {ROWS}
    assert [page.first for page in pages] == list(range(1, ROWS + 1, limit))
    back = walk_back(estate, limit, pages[-1], sort=sort)
    assert [page.items for page in reversed(back)] == [page.items for page in pages]
    assert [page.first for page in reversed(back)] == [page.first for page in pages]
    assert not pages[0].previous
    assert back[-1].next == pages[0].next


def test_the_orders_are_what_they_say(estate: Session) -> None:
    def names(sort: ResourceSort) -> list[Any]:
        items = ask(estate, PageRequest(100), sort=sort).items
        return [(item.worst_rank, item.name, item.observed_at) for item in items]

    assert names(ResourceSort.NAME) == sorted(names(ResourceSort.NAME), key=lambda row: row[1])
    worst = names(ResourceSort.WORST)
    assert worst == sorted(worst, key=lambda row: (-row[0], row[1]))
    seen = names(ResourceSort.OBSERVED_AT_DESCENDING)
    assert seen == sorted(seen, key=lambda row: row[2], reverse=True)


@pytest.mark.parametrize(
    ("where", "total"),
    [
        ({}, 23),
        ({"kind": "s3_bucket"}, 11),
        ({"provider": "azure"}, 12),
        ({"provider": "azure", "kind": "s3_bucket"}, 0),
        ({"region_id": "eu-west-1"}, 20),
        ({"region_id": "eu-west-1", "kind": "s3_bucket"}, 10),
        ({"verdict": "non_compliant"}, 7),
        ({"verdict": "compliant"}, 8),
        ({"verdict": "unknown"}, 0),
        ({"verdict": "waived"}, 0),
        ({"verdict": "not_applicable"}, 0),
        ({"policy_id": "nobody"}, 0),
        ({"state": "deleted"}, 1),
        ({"state": "all"}, 24),
        ({"state": "all", "verdict": "unknown"}, 0),
        ({"q": "STRASSE"}, 23),
        ({"q": "straße_2\n"}, 0),
        ({"q": "straße_22"}, 1),
        ({"q": "%"}, 0),
        ({"q": "_2"}, 4),
        ({"q": "\0"}, 0),
        ({"q": "name 07", "kind": "s3_bucket"}, 1),
    ],
)
@pytest.mark.parametrize("sort", [ResourceSort.NAME, ResourceSort.WORST, ResourceSort.OBSERVED_AT])
def test_filters_and_their_counts_agree(
    estate: Session, where: dict[str, str], total: int, sort: ResourceSort
) -> None:
    if where.get("q") == "\0":
        total = ROWS  # nothing of it can be stored, so nothing is asked for
    pages = walk(estate, 5, sort=sort, **where)
    assert sum(len(page.items) for page in pages) == total
    # The last page always knows; a search may not know before.
    assert pages[-1].total == total
    assert {page.total for page in pages} <= {total, None}


@pytest.mark.parametrize(
    "where",
    [
        {"state": "gone"},
        {"verdict": "bad"},
    ],
)
def test_unknown_words_are_refused(estate: Session, where: dict[str, str]) -> None:
    with pytest.raises(InvalidInputError) as caught:
        ask(estate, PageRequest(), **where)
    assert caught.value.mend


def forged(*values: object) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(list(values))).decode()


@pytest.mark.parametrize(
    "key",
    [
        "nonsense",
        "!!!",
        "é",
        "AAAA" * 5_000,
        forged(),
        forged("name", 1, "x"),
        forged("name", "1", "x", "00000000-0000-0000-0000-000000000000"),
        forged("name", 1, 7, "00000000-0000-0000-0000-000000000000"),
        forged("name", 1, "x", "no uuid"),
        forged("name", 1, "x\0", "00000000-0000-0000-0000-000000000000"),
        forged("worst", 1, 0, "x", "00000000-0000-0000-0000-000000000000"),
        base64.urlsafe_b64encode(b'{"a": 1}').decode(),
        base64.urlsafe_b64encode(b"[" * 4_000).decode(),
    ],
)
def test_keys_that_are_not_of_this_list_are_refused(estate: Session, key: str) -> None:
    for page in (PageRequest(after=key), PageRequest(before=key)):
        with pytest.raises(InvalidInputError, match="page key"):
            ask(estate, page)


def test_numbers_beyond_the_column_are_refused(estate: Session) -> None:
    numbers = f'["worst", 1, {2**70}, "x", "00000000-0000-0000-0000-000000000000"]'
    key = base64.urlsafe_b64encode(numbers.encode()).decode()
    with pytest.raises(InvalidInputError, match="page key"):
        ask(estate, PageRequest(after=key), sort=ResourceSort.WORST)


@pytest.mark.parametrize("limit", [0, -1, 1_001, 10**30])
def test_limits_out_of_range_are_refused(estate: Session, limit: int) -> None:
    with pytest.raises(InvalidInputError, match="limit"):
        ask(estate, PageRequest(limit))


def test_one_cannot_go_both_ways(estate: Session) -> None:
    key = ask(estate, PageRequest(5)).next
    with pytest.raises(InvalidInputError, match="exclude"):
        ask(estate, PageRequest(5, after=key, before=key))


def test_a_row_that_vanished_does_not_disturb_the_walk(estate: Session) -> None:
    first = ask(estate, PageRequest(5))
    estate.delete(estate.get_one(ResourceRow, UUID(first.items[-1].id)))
    estate.flush()
    second = ask(estate, PageRequest(5, after=first.next))
    assert second.items == walk(estate, 100)[0].items[4:9]


def test_lists_of_nothing_are_empty(session: Session) -> None:
    for page in (
        inventory.search_resources(session, access=SYSTEM),
        sweeps.list_sweeps(session, access=SYSTEM),
        work.list_runs(session, access=SYSTEM),
    ):
        assert (page.items, page.next, page.previous, page.total) == ((), "", "", 0)
