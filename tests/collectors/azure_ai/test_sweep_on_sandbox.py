"""A sweep of Azure AI accounts over the simulated tenant."""

from collections.abc import Callable

import pytest

from app.collectors.azure_ai import COLLECTOR
from app.collectors.azure_ai.operations import DEPLOYMENTS, PROJECTS
from app.domain.azure_ai import AiAccountFacts
from app.domain.collecting import Connection
from app.domain.facts import ABSENT, Present, Unreadable
from app.sandbox.azure.story_ai import ACCOUNTS, VISION
from app.sandbox.story import SUBSCRIPTIONS
from tests.support.azure_fixtures import azure, azure_connection, tenant
from tests.support.azure_sweeps import Swept, swept

__all__ = ["azure", "azure_connection", "tenant"]
KIND = AiAccountFacts.KIND


@pytest.fixture
def found(azure_connection: Callable[..., Connection]) -> Swept:
    return swept(COLLECTOR, azure_connection())


def facts(found: Swept, name: str) -> AiAccountFacts:
    known = found.resources[KIND, name].facts
    assert isinstance(known, AiAccountFacts)
    return known


def test_accounts_that_serve_models_are_found_and_no_others(found: Swept) -> None:
    assert found.names(KIND) == {one.name for one in ACCOUNTS}
    assert VISION.name not in found.names(KIND)
    assert {scope for _, scope in found.listings} == {one.subscription_id for one in SUBSCRIPTIONS}
    assert all(one.complete for one in found.listings.values())


def test_what_is_served_is_told_whole(found: Swept) -> None:
    served = facts(found, "ai-cierzo-swc").deployments
    assert isinstance(served, Present)
    assert [(one.model, one.capacity) for one in served.value] == [
        ("gpt-4.1", 50),
        ("text-embedding-3-large", 120),
        ("gpt-4.1-mini", 80),
    ]


def test_only_accounts_of_foundry_are_asked_for_projects(found: Swept) -> None:
    assert found.calls(DEPLOYMENTS) == len(ACCOUNTS)
    assert found.calls(PROJECTS) == 2
    assert facts(found, "ai-cierzo-swc").project_names == Present(("notes", "evaluation", "agents"))
    assert facts(found, "oai-thorax").project_names == ABSENT


def test_deployments_that_may_not_be_read_cost_what_they_feed(found: Swept) -> None:
    known = facts(found, "ai-synthetic")
    assert known.deployments == Unreadable("AuthorizationFailed")
    assert (known.project_names, known.account_kind) == (ABSENT, Present("AIServices"))
