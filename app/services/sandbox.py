"""Connects the product to the sandbox estate, by the same door as to a real cloud."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.declared import JobDeclaration
from app.kit.errors import ForbiddenError
from app.kit.settings import settings
from app.services import connections, jobs
from app.store.models.inventory import ConnectionRow
from app.store.queries.declared import find_job

AWS_NAME = "AWS sandbox"
AZURE_NAME = "Azure sandbox"


def connect(session: Session, ready: Mapping[str, Any], now: datetime) -> tuple[str, ...]:
    """Makes or updates the sandbox's connections from its ready file; gives their ids.

    Its jobs are registered too, since no cloud tells of them.

    One connection covers the whole AWS organization: the platform account by key, the others by
    the role that each has for it, in the regions where the company has something. Safe to call
    again: the ports change whenever the sandbox is started. ForbiddenError outside of sandbox
    mode, because these endpoints lie on loopback.
    """
    if not settings().sandbox:
        raise ForbiddenError("this is no sandbox", mend="start it with `./atalaya up --sandbox`")
    _declare(session, ready, now)
    return tuple(
        _connect(session, name, provider, config, now) for name, provider, config in _wanted(ready)
    )


def _declare(session: Session, ready: Mapping[str, Any], now: datetime) -> None:
    """Registers its jobs once, as their owners would; what people changed since stays."""
    for told in ready.get("jobs", ()):
        wanted = JobDeclaration(told["namespace"], told["name"], told["tags"], told["said"])
        if find_job(session, access=SYSTEM, native_id=wanted.native_id) is None:
            jobs.register(session, access=SYSTEM, declaration=wanted, now=now)


def _connect(
    session: Session, name: str, provider: str, config: dict[str, Any], now: datetime
) -> str:
    row = session.scalars(select(ConnectionRow).where(ConnectionRow.name == name)).first()
    if row is None:
        item = connections.create(
            session, access=SYSTEM, name=name, provider=provider, config=config, now=now
        )
        return item.id
    if row.config != config:
        connections.update(
            session,
            access=SYSTEM,
            connection_id=str(row.id),
            changes={"config": config},
            now=now,
        )
    return str(row.id)


def _wanted(ready: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    key = ready["credentials"]["aws"]
    yield (
        AWS_NAME,
        "aws",
        {
            "endpoint_url": ready["aws_endpoint"],
            "account_id": key["account_id"],
            "regions": ready["aws_regions"],
            "credentials": {
                "mode": "access_key",
                "access_key_id": key["access_key_id"],
                "secret_access_key": f"file:{key['secret_access_key_file']}",
            },
            "organization": {
                "role_name": ready["aws_role_name"],
                "external_id": ready["aws_external_id"],
            },
        },
    )
    token = ready["credentials"]["azure"]["token_file"]
    yield (
        AZURE_NAME,
        "azure",
        {
            "endpoint_url": ready["azure_endpoint"],
            "credentials": {
                "mode": "static_token",
                "tenant_id": ready["tenant_id"],
                "token": f"file:{token}",
            },
        },
    )
