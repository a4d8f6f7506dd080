"""Lists walk an index in their order, from wherever a page begins: they read what they show.

SQLite only: Postgres plans by statistics that a test's few rows do not have.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access
from app.domain.fact_kinds import kinds_of
from app.domain.paging import PageRequest
from app.store import migrate
from app.store.queries import finding_search, resource_search
from app.store.queries.finding_search import FindingFilter, FindingSort
from app.store.queries.resource_search import ResourceFilter, ResourceSort
from app.store.session import make_engine
from tests import build
from tests.build import Cloud

SORTED = "USE TEMP B-TREE FOR ORDER BY"


class Plans:
    """Plans of the statements that a call runs, of those that show the rows of a page."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.shown: list[str] = []

    def note(
        self, connection: Connection, _cursor: object, statement: str, parameters: Any, *_: object
    ) -> None:
        if statement.startswith("EXPLAIN"):
            return
        if "resource_revision.facts" in statement or "finding.message" in statement:
            explained = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            self.shown.append("\n".join(row[3] for row in explained))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A migrated SQLite database of this module."""
    url = f"sqlite:///{tmp_path_factory.mktemp('plans')}/atalaya.db"
    migrate.upgrade(url)
    engine = make_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture
def plans(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plans]:
    """An estate that is taken for a large one: nothing in it is few enough to be sorted."""
    cloud = Cloud([build.seen(f"bucket-{number}") for number in range(9)])
    build.play(monkeypatch, build.collector(cloud))
    build.only(monkeypatch, "versioning-on")
    with engine.connect() as connection, Session(connection) as session:
        build.sweep(build.within(session), build.connection(session).id)
        build.evaluate(session)
        monkeypatch.setattr(resource_search, "FEW", 0)
        monkeypatch.setattr(finding_search, "FEW", 0)
        found = Plans(session)
        event.listen(engine, "before_cursor_execute", found.note)
        yield found
        event.remove(engine, "before_cursor_execute", found.note)


def connection_id(session: Session) -> str:
    return str(build.resources(session)["bucket-0"].connection_id)


@pytest.mark.parametrize("sort", list(ResourceSort))
@pytest.mark.parametrize(
    "where",
    [
        {},
        {"kind": "s3_bucket"},
        {"kinds": kinds_of("storage")},
        {"provider": "aws"},
        {"region_id": "eu-west-1"},
        {"region_id": "eu-west-1", "kind": "s3_bucket"},
        {"connection_id": "mine"},
        {"verdict": "non_compliant"},
        {"verdict": "non_compliant", "policy_id": "versioning-on"},
        {"q": "bucket"},
    ],
)
def test_resources_come_in_the_order_of_an_index(
    plans: Plans, where: dict[str, Any], sort: ResourceSort
) -> None:
    if "connection_id" in where:
        where = {"connection_id": connection_id(plans.session)}
    filters = ResourceFilter(**where)
    first = resource_search.search_resources(
        plans.session, access=SYSTEM, where=filters, sort=sort, page=PageRequest(3)
    )
    second = resource_search.search_resources(
        plans.session,
        access=SYSTEM,
        where=filters,
        sort=sort,
        page=PageRequest(3, after=first.next),
    )
    assert len(second.items) == 3
    assert len(plans.shown) == 2
    for plan in plans.shown:
        assert SORTED not in plan
        assert "SCAN resource\n" not in plan + "\n"
    # The second page begins where the first ended: all columns of the order seek.
    seek = f"({','.join(column.key for column in resource_search.ORDERS[sort].columns)})"
    assert seek in plans.shown[1]


@pytest.mark.parametrize("sort", list(FindingSort))
@pytest.mark.parametrize(
    "where",
    [
        {},
        {"state": "all"},
        {"pillar": "reproducibility"},
        {"policy_id": "versioning-on"},
        {"connection_id": "mine"},
    ],
)
def test_findings_come_in_the_order_of_an_index(
    plans: Plans, where: dict[str, str], sort: FindingSort
) -> None:
    if "connection_id" in where:
        where = {"connection_id": connection_id(plans.session)}
    walk_findings(plans, FindingFilter(**where), sort)


def test_one_severity_comes_in_the_order_of_an_index(plans: Plans) -> None:
    walk_findings(plans, FindingFilter(severity="high"), FindingSort.RISK)


def walk_findings(plans: Plans, where: FindingFilter, sort: FindingSort) -> None:
    first = finding_search.search_findings(
        plans.session, access=SYSTEM, where=where, sort=sort, page=PageRequest(3)
    )
    page = PageRequest(3, after=first.next)
    finding_search.search_findings(plans.session, access=SYSTEM, where=where, sort=sort, page=page)
    assert len(plans.shown) == 2
    for plan in plans.shown:
        assert SORTED not in plan
        assert "SCAN finding\n" not in plan + "\n"
    assert "opened_at,id)" in plans.shown[1]


def test_a_caller_of_one_connection_walks_it_too(plans: Plans) -> None:
    only = Access("x", frozenset(), frozenset({connection_id(plans.session)}))
    for sort in ResourceSort:
        resource_search.search_resources(plans.session, access=only, sort=sort)
    assert len(plans.shown) == len(ResourceSort)
    assert not any(SORTED in plan for plan in plans.shown)
