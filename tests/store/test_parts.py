"""What is a part of a resource is found by it, and finds it again."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access
from app.domain.paging import PageRequest
from app.kit.errors import NotFoundError
from app.store.models.inventory import ConnectionRow, ResourceRow
from app.store.queries.parts import find_parent, list_parts
from tests import build
from tests.build import NOW

CLUSTER = "arn:aws:sagemaker:us-west-2:111122223333:cluster/abc"


EARLIER, DAY = NOW - timedelta(days=30), timedelta(days=1)


def store(session: Session, connection: ConnectionRow, name: str, **columns: Any) -> str:
    """The id of a resource that is stored now, a live one unless told otherwise."""
    row = ResourceRow(
        connection_id=connection.id,
        collector_id="aws_s3",
        kind="s3_bucket",
        provider="aws",
        name=name,
        search=name,
        sub_account_id="1",
        region_id="eu-west-1",
        scope="1",
        **{
            "native_id": name,
            "immutable_id": name,
            "first_observed_at": NOW,
            "observed_at": NOW,
            **columns,
        },
    )
    session.add(row)
    session.flush()
    return str(row.id)


@pytest.fixture
def connection(session: Session) -> ConnectionRow:
    return build.connection(session)


def test_parts_are_listed_by_name_in_pages(session: Session, connection: ConnectionRow) -> None:
    cluster = store(session, connection, "cluster", native_id=CLUSTER)
    for name in ("node-2", "node-1", "node-3"):
        store(session, connection, name, parent_native_id=CLUSTER)
    store(session, connection, "stranger")
    first = list_parts(session, access=SYSTEM, resource_id=cluster, page=PageRequest(limit=2))
    assert [item.name for item in first.items] == ["node-1", "node-2"]
    assert first.total == 3
    rest = list_parts(
        session, access=SYSTEM, resource_id=cluster, page=PageRequest(limit=2, after=first.next)
    )
    assert [item.name for item in rest.items] == ["node-3"]


def test_a_part_knows_what_it_belongs_to(session: Session, connection: ConnectionRow) -> None:
    node = store(session, connection, "node-1", parent_native_id=CLUSTER)
    assert find_parent(session, access=SYSTEM, resource_id=node) is None
    cluster = store(session, connection, "cluster", native_id=CLUSTER)
    found = find_parent(session, access=SYSTEM, resource_id=node)
    assert found is not None
    assert found.id == cluster
    assert find_parent(session, access=SYSTEM, resource_id=cluster) is None


def test_parts_of_another_connection_are_not_mixed_in(session: Session) -> None:
    ours, theirs = build.connection(session, name="ours"), build.connection(session, name="theirs")
    cluster = store(session, ours, "cluster", native_id=CLUSTER)
    node = store(session, theirs, "node-1", parent_native_id=CLUSTER)
    assert list_parts(session, access=SYSTEM, resource_id=cluster).items == ()
    assert find_parent(session, access=SYSTEM, resource_id=node) is None


def test_who_may_not_see_the_resource_sees_no_parts(
    session: Session, connection: ConnectionRow
) -> None:
    cluster = store(session, connection, "cluster", native_id=CLUSTER)
    nobody = Access(SYSTEM.actor, SYSTEM.scopes, connection_ids=frozenset())
    with pytest.raises(NotFoundError):
        list_parts(session, access=nobody, resource_id=cluster)


def life(began_at: datetime, ended_at: datetime | None = None) -> dict[str, Any]:
    """The columns of something that was seen all its life long, and an id of its own."""
    seen_at = ended_at - timedelta(minutes=5) if ended_at else NOW
    return {
        "immutable_id": f"{began_at:%j%H}-{ended_at}",
        "first_observed_at": began_at,
        "observed_at": seen_at,
        "deleted_at": ended_at,
    }


def test_parts_belong_to_the_life_of_their_parent_in_which_they_were_seen(
    session: Session, connection: ConnectionRow
) -> None:
    lives = {
        "first": life(EARLIER, EARLIER + 9 * DAY),
        "second": life(EARLIER + 9 * DAY, EARLIER + 20 * DAY),
        "living": life(EARLIER + 20 * DAY),
    }
    clusters = {
        name: store(session, connection, name, native_id=CLUSTER, **one)
        for name, one in lives.items()
    }
    nodes = {
        name: store(
            session,
            connection,
            f"node of {name}",
            parent_native_id=CLUSTER,
            **{**one, "immutable_id": f"node {name}"},
        )
        for name, one in lives.items()
    }
    replaced = life(EARLIER + 21 * DAY, EARLIER + 22 * DAY)
    store(session, connection, "replaced", parent_native_id=CLUSTER, **replaced)
    for name in lives:
        parts = list_parts(session, access=SYSTEM, resource_id=clusters[name])
        assert [part.id for part in parts.items] == [nodes[name]]
        assert parts.total == 1
        parent = find_parent(session, access=SYSTEM, resource_id=nodes[name])
        assert parent is not None
        assert parent.id == clusters[name]


def test_a_part_seen_before_its_parent_belongs_to_it_all_the_same(
    session: Session, connection: ConnectionRow
) -> None:
    early = life(NOW - DAY) | {"observed_at": NOW - DAY}
    node = store(session, connection, "node", parent_native_id=CLUSTER, **early)
    cluster = store(session, connection, "cluster", native_id=CLUSTER)
    parent = find_parent(session, access=SYSTEM, resource_id=node)
    assert parent is not None
    assert parent.id == cluster
    parts = list_parts(session, access=SYSTEM, resource_id=cluster)
    assert [part.id for part in parts.items] == [node]
