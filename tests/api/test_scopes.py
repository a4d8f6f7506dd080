"""Every route says who may use it, and means it."""

from collections.abc import Iterator

from fastapi import FastAPI
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.routing import Mount
from starlette.testclient import TestClient

from app.domain.access import Scope
from app.http import csrf
from app.http.deps import WHOLE_ESTATE
from app.http.scopes import Declaration, declarations
from app.services.tokens import GRANTABLE
from app.store.queries.accounts import UserItem
from tests.api.conftest import Estate
from tests.support import callers

SAMPLES = {
    "connection_id": "0193a6c0-8f7e-7c4e-9a53-2f1f0b8f3c11",
    "resource_id": "0193a6c0-8f7e-7c4e-9a53-2f1f0b8f3c11",
    "finding_id": "F-1",
    "week.": "2026-W48.",
    "week": "2026-W48",
    "format": "json",
}
UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}
# Open to all although they change something: what signs people in, and what a browser remembers.
OPEN_DOORS = {"/login", "/login/link"}
CHOICES = {"/language", "/theme"}


def address(path: str) -> str:
    """The path with something in place of its parameters."""
    for part in path.split("{")[1:]:
        name = part.split("}")[0]
        path = path.replace("{" + name + "}", SAMPLES.get(name.split(":")[0], "x"))
    return path


def guarded(app: FastAPI) -> Iterator[tuple[str, str, Scope]]:
    """Method, address and scope of every route that is not open to all."""
    for declared in declarations(app.routes):
        (scope,) = declared.scopes
        if scope is not Scope.PUBLIC:
            for method in declared.methods:
                yield method, address(declared.path), scope


def test_every_route_declares_exactly_one_scope(whole_app: FastAPI) -> None:
    found = list(declarations(whole_app.routes))
    assert len(found) > 40
    undeclared = [declared.path for declared in found if len(declared.scopes) != 1]
    assert undeclared == []


def test_only_routes_and_files_are_served(whole_app: FastAPI) -> None:
    mounts = [route.path for route in whole_app.routes if isinstance(route, Mount)]
    assert mounts == ["/static"]
    kinds = {type(found.original_route) for found in iter_route_contexts(whole_app.routes)}
    assert kinds == {APIRoute, Mount}


def test_what_changes_something_is_never_open_to_all(whole_app: FastAPI) -> None:
    def is_wrong(declared: Declaration) -> bool:
        return (
            declared.scopes == (Scope.PUBLIC,)
            and bool(declared.methods & UNSAFE)
            and declared.path not in OPEN_DOORS | CHOICES
        )

    assert [found.path for found in declarations(whole_app.routes) if is_wrong(found)] == []


def test_nobody_gets_through_any_door(app: FastAPI, stranger: TestClient) -> None:
    for method, path, _ in guarded(app):
        answer = stranger.request(method, path)
        assert answer.status_code in {401, 303}, (method, path)
        assert answer.status_code == 401 or answer.headers["location"].startswith("/login")


def test_without_its_scope_a_route_refuses(app: FastAPI, ana: UserItem) -> None:
    clients = {
        scope: callers.client(app, callers.token_of(ana, GRANTABLE - {scope}))
        for scope in GRANTABLE
    }
    for method, path, scope in guarded(app):
        if scope is not Scope.SELF:
            answer = clients[scope].request(method, path)
            assert answer.status_code == 403, (method, path)
            assert scope.value in answer.text or not path.startswith("/api/")


def test_with_its_scope_alone_a_route_lets_in(app: FastAPI, ana: UserItem) -> None:
    clients = {
        scope: callers.client(app, callers.token_of(ana, frozenset({scope}))) for scope in GRANTABLE
    }
    for method, path, scope in guarded(app):
        if method == "GET" and scope is not Scope.SELF:
            answer = clients[scope].get(path)
            assert answer.status_code not in {401, 403, 500}, (path, answer.text[:300])


def test_every_change_in_a_browser_needs_the_token_of_its_page(
    app: FastAPI, browser: TestClient
) -> None:
    browser.headers[csrf.HEADER] = csrf.mask("0" * 64)
    for method, path, _ in guarded(app):
        if method in UNSAFE:
            assert browser.request(method, path).status_code == 403, (method, path)
    assert browser.post("/language").status_code == 403, "it is also kept with the person"


def test_what_touches_every_connection_is_closed_to_those_limited_to_some(
    app: FastAPI, outsider: TestClient
) -> None:
    for method, path, scope in guarded(app):
        if scope in WHOLE_ESTATE:
            assert outsider.request(method, path).status_code == 403, (method, path)


def test_outsiders_see_lists_without_the_rest(outsider: TestClient, program: TestClient) -> None:
    def names(client: TestClient, listing: str, name: str = "name") -> set[str]:
        return {item[name] for item in client.get(f"/api/v1/{listing}").json()["items"]}

    assert names(program, "resources") == {"alpha", "beta", "=gamma", "hidden"}
    assert names(outsider, "resources") == {"hidden"}
    assert names(outsider, "connections") == {"theirs"}
    assert names(outsider, "sweeps", "connection_name") == {"theirs"}
    assert names(outsider, "findings", "resource_name") == {"hidden"}
    assert outsider.get("/api/v1/runs").json()["items"] == []


def test_outsiders_do_not_learn_what_exists(
    judged: Estate, outsider: TestClient, program: TestClient
) -> None:
    listed = {
        name: program.get(f"/api/v1/{name}?limit=200").json()["items"]
        for name in ("connections", "resources", "findings", "sweeps")
    }
    ours = [item for item in listed["connections"] if item["id"] == judged.ours]
    for name in ("resources", "findings", "sweeps"):
        ours += [item for item in listed[name] if item["connection_id"] == judged.ours]
    assert len(ours) > 10
    for name, items in listed.items():
        for item in (found for found in items if found in ours):
            assert outsider.get(f"/api/v1/{name}/{item['id']}").status_code == 404


def test_outsiders_change_nothing_of_others(judged: Estate, outsider: TestClient) -> None:
    path = f"/api/v1/connections/{judged.ours}"
    etag = {"If-Match": '"1.x"'}
    assert outsider.patch(path, json={"enabled": False}, headers=etag).status_code == 404
    assert outsider.delete(path, headers=etag).status_code == 404
    assert outsider.post(f"{path}/sweeps").status_code == 404
    assert outsider.post(f"{path}/test").status_code == 404


def test_outsiders_search_and_export_only_their_own(outsider: TestClient) -> None:
    text = outsider.get("/api/v1/resources?format=csv").text
    assert "hidden" in text
    assert "alpha" not in text
    assert outsider.get("/api/v1/resources?q=alpha").json()["items"] == []
    assert outsider.get("/api/v1/metrics").text.count("atalaya_resources 1.0") == 1
