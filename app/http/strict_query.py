"""Query parameters that a route does not know are a mistake, never silently ignored."""

from collections.abc import Iterator

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from app.kit.errors import InvalidInputError

SHOWN = 60


async def strict_query(request: Request) -> None:
    """InvalidInputError for an unknown parameter, or one given twice."""
    route = request.scope.get("route")
    if not isinstance(route, APIRoute):
        return
    known = frozenset(_names(route.dependant))
    given = [name for name, _ in request.query_params.multi_items()]
    faults = [
        {"where": f"?{name[:SHOWN]}", "what": "unknown parameter"}
        for name in given
        if name not in known
    ]
    faults += [
        {"where": f"?{name[:SHOWN]}", "what": "given more than once"}
        for name in known
        if given.count(name) > 1
    ]
    if faults:
        raise InvalidInputError(
            f"{faults[0]['what']} {faults[0]['where']}",
            mend=f"known here: {', '.join(sorted(known)) or 'none'}",
            errors=tuple(faults),
        )


def _names(dependant: Dependant) -> Iterator[str]:
    for param in dependant.query_params:
        yield param.alias
    for inner in dependant.dependencies:
        yield from _names(inner)
