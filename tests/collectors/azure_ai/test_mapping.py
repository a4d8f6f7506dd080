"""Azure's words about AI accounts into ours, whatever stands in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_ai import mapping
from app.collectors.azure_ai.operations import OPERATIONS
from app.domain.azure_ai import AiAccountFacts, ModelDeployment
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import fact_names
from app.domain.replies import Parse, Reply, understood
from app.sandbox.azure.story_ai import ACCOUNTS
from tests.collectors.test_hostile_answers import spoiled
from tests.support.documents import filled

WIRE = Path(__file__).parent / "wire"


def wire(name: str) -> Any:
    return json.loads((WIRE / name).read_text("utf-8"))


ACCOUNT: dict[str, Any] = ACCOUNTS[1].document()
DEPLOYMENTS = {"value": [wire("ai.deployment.get.json")]}
PROJECTS = {"value": [wire("ai.project.get.json")]}


def test_every_fact_is_fed_by_the_operation_that_it_names() -> None:
    fed = {name: one.name for one in OPERATIONS for name in one.feeds}
    assert set(fed) == set(fact_names(AiAccountFacts))
    for name, source in fed.items():
        assert AiAccountFacts.__dataclass_fields__[name].metadata["source"] == source


def test_an_account_of_the_examples_is_understood() -> None:
    found = mapping.account(wire("ai.account.get.json"))
    assert (found["account_kind"], found["account_status"]) == ("Emotion", "Succeeded")
    assert (found["sku_name"], found["private_endpoint_count"]) == ("F0", 0)
    assert (found["public_network_access"], found["local_auth_disabled"]) == (None, None)


def test_a_deployment_of_the_examples_is_understood() -> None:
    (found,) = mapping.deployments(DEPLOYMENTS)["deployments"]
    assert found == ModelDeployment(
        name="deploymentName",
        model="ada",
        model_format="OpenAI",
        model_version="1",
        sku_name="Standard",
        capacity=1,
        status="Succeeded",
        upgrade_option=None,
        content_filter=None,
    )
    assert mapping.deployments({"value": []}) == {"deployments": None}


def test_projects_are_named_without_their_account() -> None:
    assert mapping.project_names(PROJECTS) == {"project_names": ("myProject",)}
    longer = {"value": [{"name": "account/notes"}]}
    assert mapping.project_names(longer) == {"project_names": ("notes",)}


@pytest.mark.parametrize(
    ("kind", "ours"),
    [
        ("AIServices", True),
        ("openai", True),
        ("CognitiveServices", True),
        ("ComputerVision", False),
        (None, True),
        (7, True),
    ],
)
def test_only_accounts_that_serve_models_are_ours(kind: object, ours: bool) -> None:
    assert mapping.is_ours({"kind": kind}) is ours


ANSWERS: dict[str, tuple[Parse, Any]] = {
    "account": (mapping.account, ACCOUNT),
    "deployments": (mapping.deployments, DEPLOYMENTS),
    "projects": (mapping.project_names, PROJECTS),
}


@pytest.mark.parametrize("answer", list(ANSWERS))
def test_no_answer_breaks_what_follows(answer: str) -> None:
    parse, good = ANSWERS[answer]
    feeds = tuple(parse(good))
    for hostile in spoiled(good):
        reply = Reply(Outcome.ANSWERED, hostile)
        _, found = understood(reply, feeds, typed(AiAccountFacts, parse))
        facts = filled(AiAccountFacts, **found)
        assert json.dumps(to_fact_set(facts, *derive(facts)).to_json(), allow_nan=False)
