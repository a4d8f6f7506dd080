"""Whatever a source sends is stored or replaced; it never breaks a sweep or another resource."""

import pytest
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.facts import Present
from app.services.observing import NAME_BYTES
from app.store.queries import inventory
from app.store.queries.inventory import ResourceFilter
from tests import build
from tests.build import Cloud
from tests.support.stores import bucket

MEGABYTE = 1_000_000


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    found = Cloud()
    build.play(monkeypatch, build.collector(found))
    return found


def stored(session: Session, cloud: Cloud, **changes: object) -> inventory.ResourceItem:
    cloud.resources = [build.seen("good"), build.seen(**changes)]  # type: ignore[arg-type]
    connection = build.connection(session)
    assert build.sweep(build.within(session), connection.id) == "complete"
    page = inventory.search_resources(session, access=SYSTEM)
    assert page.total == 2
    return next(item for item in page.items if item.name != "good")


@pytest.mark.parametrize("letter", ["n", "ñ", "\N{GRINNING FACE}"])
def test_a_megabyte_of_name_is_cut_and_stays_distinct(
    session: Session, cloud: Cloud, letter: str
) -> None:
    long = letter * MEGABYTE
    cloud.resources = [build.seen(long), build.seen(long + "x")]
    connection = build.connection(session)
    assert build.sweep(build.within(session), connection.id) == "complete"
    page = inventory.search_resources(session, access=SYSTEM)
    names = [item.name for item in page.items]
    assert len(set(names)) == 2
    assert all(len(name.encode()) <= NAME_BYTES for name in names)
    assert all(name.startswith(letter * 100) for name in names)
    # The same names again are the same resources.
    assert build.sweep(build.within(session), connection.id) == "complete"
    assert inventory.count_resources(session, access=SYSTEM) == 2


def test_what_postgres_cannot_hold_is_replaced(session: Session, cloud: Cloud) -> None:
    item = stored(
        session,
        cloud,
        name="nul\0and\ud800half",
        tags={"k\0": "v\udfff"},
        facts=bucket(bucket_tags=Present({"k\0": "v\udfff"})),
    )
    assert item.name == "nul\ufffdand\ufffdhalf"
    assert item.tags == {"k\ufffd": "v\ufffd"}
    assert item.facts.present["bucket_tags"] == {"k\ufffd": "v\ufffd"}


def test_integers_of_any_size_stay_exact(session: Session, cloud: Cloud) -> None:
    huge = 2**80 + 1
    item = stored(session, cloud, name="huge", facts=bucket(object_lock_days=Present(huge)))
    assert item.facts.present["object_lock_days"] == huge


def test_markup_is_data(session: Session, cloud: Cloud) -> None:
    hostile = "<script>alert(1)</script>'\"; drop table resource; --"
    item = stored(session, cloud, name=hostile, tags={hostile: hostile})
    assert item.name == hostile
    found = inventory.search_resources(session, access=SYSTEM, where=ResourceFilter(q=hostile))
    assert [hit.name for hit in found.items] == [hostile]


def test_a_million_tags_worth_of_text_does_not_fill_the_search(
    session: Session, cloud: Cloud
) -> None:
    tags = {f"key-{number}": "v" * 200 for number in range(5_000)}
    item = stored(session, cloud, name="tagged", tags=tags)
    assert item.tags == tags


def test_long_codes_of_a_source_are_cut(session: Session, cloud: Cloud) -> None:
    cloud.reports = [
        build.report(scope="s" * 5_000, denied=1, code="c" * 5_000, message="m" * MEGABYTE)
    ]
    connection = build.connection(session)
    assert build.sweep(build.within(session), connection.id) == "partial"
