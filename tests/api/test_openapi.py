"""The description of the API is whole, and the API does what it says."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import hypothesis
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, CheckFunction, GenerationMode
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    negative_data_rejection,
    positive_data_acceptance,
)
from starlette.testclient import TestClient

from app.api.openapi import describe
from app.kit.settings import settings
from app.store.queries.accounts import UserItem
from tests.api.conftest import Estate
from tests.support import callers

EXAMPLES = 6
QUIETLY = hypothesis.settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def description(whole_app: FastAPI) -> dict[str, Any]:
    return describe(whole_app)


def operations(description: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]


def test_it_is_served_to_all_with_an_etag(stranger: TestClient) -> None:
    answer = stranger.get("/api/v1/openapi.json")
    assert answer.status_code == 200
    assert answer.json()["openapi"].startswith("3.1")
    etag = {"If-None-Match": answer.headers["etag"]}
    assert stranger.get("/api/v1/openapi.json", headers=etag).status_code == 304


def test_only_the_api_is_described(description: dict[str, Any]) -> None:
    assert all(path.startswith("/api/v1/") for path in description["paths"])


def test_every_operation_has_a_name_a_summary_a_text_and_a_tag(
    description: dict[str, Any],
) -> None:
    tags = {tag["name"] for tag in description["tags"]}
    names = [operation["operationId"] for _, _, operation in operations(description)]
    assert len(names) == len(set(names)) > 35
    for path, method, operation in operations(description):
        verb, _, noun = operation["operationId"].partition("_")
        assert verb.isalpha(), operation["operationId"]
        assert noun.isidentifier(), operation["operationId"]
        assert operation["summary"], (path, method)
        assert operation["description"], (path, method)
        assert set(operation["tags"]) <= tags, (path, method)
        assert "Successful Response" not in json.dumps(operation), (path, method)


def test_every_parameter_and_member_is_explained(description: dict[str, Any]) -> None:
    for path, method, operation in operations(description):
        for parameter in operation.get("parameters", []):
            assert parameter.get("description"), (path, method, parameter["name"])
    for name, schema in description["components"]["schemas"].items():
        for member, found in schema.get("properties", {}).items():
            assert found.get("description"), (name, member)


def test_every_failure_is_a_problem(description: dict[str, Any]) -> None:
    for path, method, operation in operations(description):
        failures = {s: r for s, r in operation["responses"].items() if s[0] == "4"}
        assert {"400", "422"} <= set(failures), (path, method)
        assert not operation["security"] or {"401", "403"} <= set(failures), (path, method)
        assert "{" not in path or "404" in failures, (path, method)
        for response in failures.values():
            assert list(response["content"]) == ["application/problem+json"], (path, method)


def test_every_operation_names_its_scope(description: dict[str, Any]) -> None:
    for path, method, operation in operations(description):
        public = path in {"/api/v1/healthz", "/api/v1/readyz", "/api/v1/openapi.json"}
        assert (operation["security"] == []) == public, (path, method)


def test_every_reference_leads_somewhere(description: dict[str, Any]) -> None:
    text = json.dumps(description)
    known = {f"#/components/schemas/{name}" for name in description["components"]["schemas"]}
    found = {part.split('"')[0] for part in text.split('"$ref": "')[1:]}
    assert found <= known
    assert "HTTPValidationError" not in text


class Fuzzed:
    """Every operation with many inputs, the same ones each time, on an estate with data.

    Good inputs get the ids of real things; bad ones stay as bad as they are.
    """

    def __init__(self, app: FastAPI, secret: str, real: dict[str, str]) -> None:
        self.headers = {"Authorization": f"Bearer {secret}"}
        self.schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
        self.real = real
        self.seen: set[int] = set()

    def run(self, mode: GenerationMode) -> set[int]:
        """Sends them; returns the statuses seen."""
        for found in self.schema.get_all_operations():
            assert isinstance(found, Ok), found
            strategy = found.ok().as_strategy(generation_mode=mode)
            with suppress(Unsatisfiable):  # what takes nothing cannot be asked wrongly
                hypothesis.given(case=strategy)(QUIETLY(self._send(mode)))()
        return self.seen

    def _send(self, mode: GenerationMode) -> Callable[[Case[Any]], None]:
        def send(case: Case[Any]) -> None:
            if mode is GenerationMode.POSITIVE:
                self._make_real(case)
            response = case.call(headers=self.headers)
            case.validate_response(response, excluded_checks=_excluded(case, mode))
            self.seen.add(response.status_code)

        return send

    def _make_real(self, case: Case[Any]) -> None:
        if not case.path.endswith("/test"):  # that one would go out to a cloud
            known = set(case.path_parameters) & set(self.real)
            case.path_parameters.update({name: self.real[name] for name in known})


def _excluded(case: Case[Any], mode: GenerationMode) -> list[CheckFunction]:
    """What cannot be asked: a good filter may name nothing, a bad header may be one of no use."""
    if mode is GenerationMode.POSITIVE:
        return [positive_data_acceptance]
    assert case.meta is not None
    harmless = {ParameterLocation.HEADER, ParameterLocation.COOKIE}
    return [negative_data_rejection] if harmless & set(case.meta.components) else []


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_the_api_answers_as_it_says_whatever_is_sent(
    judged: Estate,
    ana: UserItem,
    program: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    *,
    valkey: str,
    mode: GenerationMode,
) -> None:
    app = program.app
    assert isinstance(app, FastAPI)
    monkeypatch.setenv("ATALAYA_BASE_URL", "http://testserver")  # what the generator calls us
    monkeypatch.setenv("ATALAYA_REDIS_URL", valkey)
    settings.cache_clear()
    program.base_url = "http://testserver"
    resource = program.get("/api/v1/resources").json()["items"][0]["id"]
    real = {"resource_id": resource, "connection_id": judged.ours, "finding_id": "F-1"}
    seen = Fuzzed(app, callers.token_of(ana), real).run(mode)
    assert seen >= ({200, 201, 404} if mode is GenerationMode.POSITIVE else {422})
