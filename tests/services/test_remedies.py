"""A finding's remedy fits the resource, not only the policy."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.facts import FactDocument, Present
from app.kit.errors import ForbiddenError, NotFoundError
from app.policies.engine import Remedy
from app.services.remedies import remedy_of
from app.store.queries import inventory
from tests import build
from tests.build import Cloud
from tests.support.stores import account, bucket

Asking = Callable[[FactDocument, str], Remedy | None]


@pytest.fixture
def remedy(session: Session, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Sweeps one store and asks for the remedy of a policy for it."""

    def ask(facts: FactDocument, policy_id: str) -> Remedy | None:
        cloud = Cloud()
        build.play(monkeypatch, build.collector(cloud))
        connection = build.connection(session)
        cloud.resources = [replace(build.seen("store", facts=facts), kind=facts.KIND)]
        build.sweep(build.within(session), connection.id, now=build.NOW)
        (item,) = inventory.search_resources(session, access=SYSTEM).items
        return remedy_of(
            session, access=SYSTEM, policy_id=policy_id, resource_id=item.id, now=build.NOW
        )

    return ask


def test_a_bucket_is_told_how_to_keep_versions(remedy: Asking) -> None:
    found = remedy(bucket(), "versioning-on")
    assert found is not None
    assert found.cli.startswith("aws s3api put-bucket-versioning --bucket store ")


def test_a_namespace_account_is_not_told_to_enable_versions(remedy: Asking) -> None:
    found = remedy(account(hierarchical_namespace=Present(True)), "versioning-on")
    assert found is not None
    assert "soft delete" in found.text
    assert "enable blob versioning" not in f"{found.text} {found.cli}".lower()


@pytest.mark.parametrize("policy_id", ["gone", "last-access-tracking"])
def test_a_policy_that_does_not_judge_it_has_none(remedy: Asking, policy_id: str) -> None:
    assert remedy(bucket(), policy_id) is None


def test_only_who_may_read_findings_gets_one(session: Session) -> None:
    stranger = replace(SYSTEM, scopes=frozenset())
    with pytest.raises(ForbiddenError):
        remedy_of(session, access=stranger, policy_id="x", resource_id="y", now=build.NOW)


def test_an_unknown_resource_is_not_found(session: Session) -> None:
    nobody = "00000000-0000-7000-8000-000000000000"
    with pytest.raises(NotFoundError):
        remedy_of(session, access=SYSTEM, policy_id="x", resource_id=nobody, now=build.NOW)
