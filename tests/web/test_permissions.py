"""The sentence over the rights of a source never takes untried rights for granted ones."""

import json

from app.domain.access import SYSTEM
from app.store.queries import connections
from app.store.queries.connections import ConnectionItem, PermissionItem
from app.store.session import transaction
from app.web.permissions import by_right, statement
from tests.build import NOW
from tests.support.site import Site


def test_a_source_that_never_answered_proves_no_right(site: Site) -> None:
    with transaction(readonly=True) as session:
        listed = connections.list_connections(session, access=SYSTEM)
        archive = next(one.id for one in listed if one.name == "AWS archive")
    html = site.client().get(f"/connections/{archive}").text
    assert "were not tried or gave no answer" in html
    assert "Every right" not in html


def test_before_the_first_sweep_nothing_is_said_of_a_last_one(site: Site) -> None:
    client = site.client()
    sent = {"provider": "aws", "name": "Unswept", "mode": "default_chain"}
    address = client.post("/connections/new", data=sent).headers["location"]
    html = client.get(address).text
    assert "No sweep has used them yet." in html
    assert "in the last sweep" not in html
    client.post(f"{address}/delete", data={"version": "1"})


def test_a_right_that_only_some_calls_lacked_is_not_only_a_matter_of_the_role(site: Site) -> None:
    html = site.client().get(f"/connections/{site.estate.aws}").text
    assert "AccessDenied, 1 of 56 calls" in html
    assert "the resource itself may refuse" in html


def test_a_role_is_granted_by_its_name_and_reads_by_theirs() -> None:
    connection = ConnectionItem(
        id="c",
        name="Organization",
        provider="aws",
        config={"organization": {"role_name": "AtalayaReader"}},
        enabled=True,
        created_at=NOW,
        version=1,
        resources=0,
        last_sweep=None,
        last_good_at=None,
        evaluated_at=None,
        collectors=(),
    )
    shown = statement(connection, ["s3:GetBucketTagging", "sts:AssumeRole"])
    reads, roles = json.loads(shown.striptags())
    assert (reads["Action"], reads["Resource"]) == (["s3:GetBucketTagging"], "*")
    assert roles["Resource"] == "arn:aws:iam::*:role/AtalayaReader"


def used(collector_id: str, result: str, asked: int, affected: int = 0) -> PermissionItem:
    why = f"What {collector_id} reads."
    return PermissionItem(
        collector_id, "s3:GetBucketLocation", "s3:GetBucketLocation", why, result, "", "",
        asked, affected, NOW,
    )  # fmt: skip


def test_a_right_that_several_collectors_use_is_one_line_with_the_worst_of_them() -> None:
    uses = [
        used("tasks", "allowed", 3),
        used("buckets", "denied", 7, 2),
        used("tasks", "failed", 1, 1),
    ]
    [line] = by_right(uses)
    assert (line.result, line.asked, line.affected) == ("denied", 11, 2)
    assert line.why == "What buckets reads. What tasks reads."
