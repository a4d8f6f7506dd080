"""Which route demands which scope: read from the routes themselves, for tests and for OpenAPI."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.routing import BaseRoute

from app.domain.access import Scope
from app.http.deps import OpenToAll, Required


@dataclass(frozen=True, slots=True)
class Declaration:
    """One route: where, how, and the scopes that it declares (one, unless it is wrong)."""

    path: str
    methods: frozenset[str]
    scopes: tuple[Scope, ...]


def declarations(routes: Sequence[BaseRoute]) -> Iterator[Declaration]:
    """Every route with an endpoint; mounted files have none."""
    for context in iter_route_contexts(routes):
        if isinstance(context.original_route, APIRoute):
            dependant: Dependant = context.dependant
            scopes = tuple(dict.fromkeys(_scopes(dependant)))
            yield Declaration(context.path or "", frozenset(context.methods or ()), scopes)


def _scopes(dependant: Dependant) -> Iterator[Scope]:
    if isinstance(dependant.call, Required | OpenToAll):
        yield dependant.call.scope
    for inner in dependant.dependencies:
        yield from _scopes(inner)
