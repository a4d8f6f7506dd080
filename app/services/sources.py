"""Connections as collectors need them, and which collectors read which provider."""

from app.collectors import registry
from app.domain.collecting import WHOLE, Cell, Collector, Connection, Provider
from app.domain.declared import is_declared
from app.kit.errors import ConflictError
from app.kit.secrets import resolve_secret
from app.kit.settings import settings
from app.store.models.inventory import ConnectionRow


def collectors_of(provider: str) -> tuple[Collector, ...]:
    """Every collector that reads this provider, by id."""
    found = registry.collectors().values()
    return tuple(
        sorted(
            (collector for collector in found if collector.provider == provider),
            key=lambda collector: collector.id,
        )
    )


def demand_cloud(row: ConnectionRow) -> None:
    """ConflictError for the source of what people declare: there is nothing to read."""
    if is_declared(row.provider):
        raise ConflictError(
            f"{row.name} holds what people declare, so there is nothing to read",
            mend="register a job instead: POST /api/v1/jobs, or ./atalaya job register",
        )


def to_domain(row: ConnectionRow, cell: Cell = WHOLE) -> Connection:
    """The connection for a collector; its secrets are resolved only when they are used."""
    return Connection(
        id=str(row.id),
        name=row.name,
        provider=Provider(row.provider),
        config=row.config,
        secret=resolve_secret,
        allow_private_endpoints=settings().allow_private_endpoints,
        threads=settings().sweep_threads,
        cell=cell,
    )


def declared_operations(collector: Collector) -> list[dict[str, str]]:
    """What is kept of a collector's operations, to say which rights a connection lacks."""
    return [
        {"name": operation.name, "permission": operation.permission, "why": operation.why}
        for operation in collector.operations
    ]
