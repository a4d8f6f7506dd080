"""The description of this API as OpenAPI 3.1: what FastAPI knows, plus scopes and all problems."""

from collections.abc import Iterator
from typing import Any

import orjson
from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from app.api.shapes import Problem, problems
from app.domain.access import Scope
from app.http import cookies, paths
from app.http.conditional import answer
from app.http.deps import Public
from app.http.scopes import declarations
from app.kit.version import VERSION

router = APIRouter(tags=["Description"])
VALIDATION = ("HTTPValidationError", "ValidationError")
DESCRIPTION = """\
Where the data of AI platforms lies, what it costs and whether promises about it hold, with
evidence.

**Callers.** Send `Authorization: Bearer atl_…`. Every operation names the scope that it demands.
A token that is limited to some connections sees nothing of the others.

**Lists** are windows over a sorted list. Follow `next` and `previous`, or the Link header; there
are no page numbers. Unknown query parameters are refused. `format=csv` sends all rows that match;
text that a spreadsheet would run as a formula begins with an apostrophe there.

**Changes.** POST takes an `Idempotency-Key`. PATCH and DELETE of things with a version take the
`If-Match` of the GET that they rest on. A failed request changes nothing.

**Numbers.** Integers are exact at any size: bytes and ids can pass 2^53, so read them with a
parser that keeps integers. Instants are ISO 8601 in UTC.

**Problems** are `application/problem+json` (RFC 9457) and say what, where and how to mend it.
"""
SUCCESS = {
    "200": "The answer.",
    "201": "Made; Location says where it is.",
    "202": "Taken on; Location says where to look for the end.",
    "204": "Done; there is nothing to say.",
}
TAGS = [
    {"name": "Connections", "description": "Sources: where, as whom, and what is missing there."},
    {"name": "Sweeps", "description": "What was read when, and how far it got."},
    {"name": "Runs", "description": "The ledger of work."},
    {"name": "Resources", "description": "The estate as last read, and as of any instant."},
    {"name": "Jobs", "description": "What people run by hand, as they declare it."},
    {"name": "Policies", "description": "What must hold, and the facts to say it in."},
    {"name": "Findings", "description": "Breaches, their owners, waivers and history."},
    {"name": "Evidence", "description": "How a figure was made, from what, and how old that is."},
    {"name": "Reports", "description": "The week, frozen."},
    {"name": "Tokens", "description": "Who calls, and with what."},
    {"name": "Health", "description": "For probes and Prometheus."},
    {"name": "Description", "description": "This document."},
]


@router.get(
    "/openapi.json",
    operation_id="get_openapi",
    summary="Read this description",
    response_model=dict[str, Any],
)
def get_description(request: Request, _: Public) -> Response:
    """OpenAPI 3.1."""
    state = request.app.state
    if not hasattr(state, "openapi"):
        state.openapi = orjson.dumps(describe(request.app))
    return answer(request, state.openapi)


def describe(app: FastAPI) -> dict[str, Any]:
    """The whole description."""
    found = get_openapi(
        title="Atalaya",
        version=VERSION,
        summary="Watchtower for AI platforms",
        description=DESCRIPTION,
        routes=app.routes,
        tags=TAGS,
    )
    scopes = {
        (declared.path, method.lower()): declared.scopes[0]
        for declared in declarations(app.routes)
        for method in declared.methods
        if declared.scopes
    }
    for path, method, operation in _operations(found):
        _complete(operation, scopes[path, method], method)
    _components(found)
    return found


def _operations(found: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _complete(operation: dict[str, Any], scope: Scope, method: str) -> None:
    """Adds the scope, and the problems that follow from what the operation takes."""
    headers = {item["name"] for item in operation.get("parameters", []) if item["in"] == "header"}
    statuses = [400]
    if scope is Scope.PUBLIC:
        operation["security"] = []
    else:
        operation["security"] = [{"token": [scope.value]}, {"session": [scope.value]}]
        statuses += [401, 403]
    statuses += [413, 415] if "requestBody" in operation else []
    statuses += [409] if "Idempotency-Key" in headers else []
    statuses += [412, 428] if "If-Match" in headers else []
    responses = operation["responses"]
    responses.pop("422", None)
    for status, text in SUCCESS.items():
        if responses.get(status, {}).get("description") == "Successful Response":
            responses[status]["description"] = text
    added = {str(status): text for status, text in problems(*statuses, 422).items()}
    if method == "get":
        added["304"] = {"description": "The caller has this content (If-None-Match)."}
    operation["responses"] = dict(sorted({**added, **responses}.items()))


def _components(found: dict[str, Any]) -> None:
    components = found["components"]
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas = components["schemas"] | problem.pop("$defs") | {"Problem": problem}
    components["schemas"] = {
        name: schema for name, schema in sorted(schemas.items()) if name not in VALIDATION
    }
    components["securitySchemes"] = {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "atl_…",
            "description": "An API token.",
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookies.cookie_name(),
            "description": "A browser session; unsafe methods also need X-CSRF-Token.",
        },
    }
    found["servers"] = [{"url": "/", "description": f"Paths begin with {paths.API}."}]
