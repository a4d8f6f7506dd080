"""The routes of the application with what their addresses may say, for tests that walk them all."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import BaseModel

PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")


@dataclass(frozen=True)
class Route:
    """One way in: its path with parameters, and what its query may say."""

    method: str
    path: str
    query: tuple[str, ...]

    @property
    def params(self) -> tuple[str, ...]:
        """The names in its path."""
        return tuple(PARAMETER.findall(self.path))

    def address(self, *values: str) -> str:
        """The path with values for its parameters, in their order."""
        left = iter(values)
        return PARAMETER.sub(lambda _: next(left), self.path)


def routes(app: FastAPI) -> list[Route]:
    """Every route with an endpoint, once per method."""
    return [
        Route(method, context.path or "", tuple(dict.fromkeys(query_names(context.dependant))))
        for context in iter_route_contexts(app.routes)
        if isinstance(context.original_route, APIRoute)
        for method in context.methods or ()
    ]


def query_names(dependant: Dependant) -> Iterator[str]:
    """What a query may say, as the address spells it."""
    for param in dependant.query_params:
        model = param.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            yield from model.model_fields
        else:
            yield param.alias
    for inner in dependant.dependencies:
        yield from query_names(inner)
