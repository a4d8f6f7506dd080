"""The sentence over the rights of a source never takes untried rights for granted ones."""

from app.domain.access import SYSTEM
from app.store.queries import connections
from app.store.session import transaction
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
