"""What follows from the models that an account serves, and the ways into it."""

from typing import Any

import pytest

from app.domain.azure_ai import AiAccountFacts, ModelDeployment
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.model_serving import ModelServingFacts
from app.domain.service_access import ServiceAccessFacts
from tests.support.documents import filled

DENIED, NOT_TOLD = Unreadable("AuthorizationFailed"), Unreadable("NotTold")


def deployment(name: str = "gpt", **more: Any) -> ModelDeployment:
    known: dict[str, Any] = {
        "model": "gpt-4.1",
        "model_format": "OpenAI",
        "model_version": "2025-04-14",
        "sku_name": "Standard",
        "capacity": 10,
        "status": "Succeeded",
        "upgrade_option": "NoAutoUpgrade",
        "content_filter": None,
    }
    return ModelDeployment(name=name, **(known | more))


def serving(*served: ModelDeployment, **facts: Any) -> ModelServingFacts:
    known = {"deployments": served} if served else {}
    found, _ = derive(filled(AiAccountFacts, **(known | facts)))
    assert isinstance(found, ModelServingFacts)
    return found


def access(**facts: Any) -> ServiceAccessFacts:
    _, found = derive(filled(AiAccountFacts, **facts))
    assert isinstance(found, ServiceAccessFacts)
    return found


def test_where_a_model_is_computed_follows_from_its_sku() -> None:
    found = serving(
        deployment("here"),
        deployment("units", sku_name="ProvisionedManaged"),
        deployment("zone", sku_name="DataZoneStandard"),
        deployment("world", sku_name="GlobalProvisionedManaged", model="o3"),
    )
    assert found.models == Present(("gpt-4.1", "o3"))
    assert found.global_deployments == Present(("world",))
    assert found.data_zone_deployments == Present(("zone",))


def test_a_model_that_changes_by_itself_is_named() -> None:
    on_new = deployment("new", upgrade_option="OnceNewDefaultVersionAvailable")
    late = deployment("late", upgrade_option="OnceCurrentVersionExpired")
    assert serving(on_new, late).unpinned_deployments == Present(("new",))


def test_what_azure_does_not_tell_is_not_known() -> None:
    silent = deployment(sku_name=None, upgrade_option=None)
    found = serving(silent)
    assert (found.global_deployments, found.unpinned_deployments) == (NOT_TOLD, NOT_TOLD)


def test_an_account_without_deployments_serves_none() -> None:
    found = serving()
    assert (found.models, found.global_deployments) == (Present(()), Present(()))
    unread = serving(deployments=DENIED)
    assert (unread.models, unread.unpinned_deployments) == (DENIED, DENIED)


@pytest.mark.parametrize(
    ("facts", "is_open"),
    [
        ({"public_network_access": "Enabled"}, Present(value=True)),
        ({"public_network_access": "Disabled"}, Present(value=False)),
        (
            {"public_network_access": "Enabled", "network_default_action": "Deny"},
            Present(value=False),
        ),
        ({}, Unreadable("NotReported")),
    ],
)
def test_an_account_is_open_where_no_rule_narrows_it(facts: Any, is_open: object) -> None:
    assert access(**facts).open_to_internet == is_open


@pytest.mark.parametrize(
    ("disabled", "accepted"),
    [
        (True, Present(value=False)),
        (False, Present(value=True)),
        (ABSENT, Present(value=True)),
        (DENIED, DENIED),
    ],
)
def test_keys_open_it_unless_they_are_switched_off(disabled: object, accepted: object) -> None:
    assert access(local_auth_disabled=disabled).keys_accepted == accepted
