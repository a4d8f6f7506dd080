"""Jobs that people run by hand: registered, changed, ended and withdrawn, all in the trail.

They are resources like any other, of one built-in connection that no collector reads.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.collecting import ResourceSeen
from app.domain.declared import DECLARED, JobDeclaration, is_declared, job_facts, said_of
from app.domain.facts import Present
from app.domain.jobs import ENDED, JobFacts, JobState
from app.kit.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from app.kit.ids import uuid7
from app.services import audit_trail, evaluations
from app.services.observing import observed
from app.store import burial, dialect, estate, findings, tallies
from app.store.models.inventory import ConnectionRow
from app.store.queries import inventory
from app.store.queries.declared import find_job
from app.store.queries.inventory import ResourceItem

CONNECTION_NAME = "Declared jobs"


def register(
    session: Session, *, access: Access, declaration: JobDeclaration, now: datetime
) -> tuple[ResourceItem, bool]:
    """The job as declared, and whether it is new; one of the same name is declared anew.

    InvalidInputError for facts that contradict each other; ForbiddenError for a caller that is
    limited to other connections.
    """
    access.demand(Scope.JOBS_WRITE)
    connection_id = _connection(session, access, now)
    known = find_job(session, access=access, native_id=declaration.native_id)
    item = _write(session, access, (connection_id, known), declaration, now)
    _tell(session, access, item, "job.register" if known is None else "job.declare", now)
    return item, known is None


def change(
    session: Session, *, access: Access, job_id: str, said: Mapping[str, Any], now: datetime
) -> ResourceItem:
    """Changes what was said of a job; what is not named stays as it was. NotFoundError."""
    known = _live(session, access, job_id)
    namespace, _, name = known.native_id.partition("/")
    whole = JobDeclaration(namespace, name, known.tags or {}, said_of(known.facts) | dict(said))
    item = _write(session, access, (known.connection_key, known), whole, now)
    _tell(session, access, item, "job.change", now)
    return item


def end(
    session: Session,
    *,
    access: Access,
    job_id: str,
    state: JobState,
    ended_at: datetime | None,
    now: datetime,
) -> ResourceItem:
    """Says how and when a job ended; without `ended_at` now.

    InvalidInputError for a state that is no end, ConflictError when it has ended.
    """
    if state not in ENDED:
        raise InvalidInputError(f"{state} is no end", mend=f"one of {', '.join(sorted(ENDED))}")
    known = _live(session, access, job_id)
    before = known.facts.present.get("state")
    if before in ENDED:
        raise ConflictError(f"{known.native_id} has {before} already", mend="declare it anew")
    said = {"state": state, "ended_at": ended_at or now}
    return change(session, access=access, job_id=job_id, said=said, now=now)


def withdraw(session: Session, *, access: Access, job_id: str, now: datetime) -> None:
    """Takes a job off the lists and closes its findings; its history stays. NotFoundError."""
    known = _live(session, access, job_id)
    dialect.lock_connection(session, known.connection_key)
    gone = burial.bury(
        session, _reading(known.connection_key, now), kind=known.kind, scope=_scope(known), now=now
    )
    findings.close_of_resources(session, gone, now=now)
    tallies.count_resources(session, known.connection_key)
    tallies.count_findings(session, known.connection_key)
    tallies.count_verdicts(session, known.connection_key)
    _tell(session, access, known, "job.withdraw", now)


def _connection(session: Session, access: Access, now: datetime) -> UUID:
    """The connection of what people declare, made when it is needed first."""
    found = session.scalar(_DECLARED)
    if found is None:
        found = _make_connection(session, access, now)
    if access.connection_ids is not None and str(found) not in access.connection_ids:
        raise ForbiddenError(
            "the token is limited to connections of which the declared jobs are none",
            mend="use a token without a limit to connections",
        )
    return found


_DECLARED = (
    select(ConnectionRow.id)
    .where(ConnectionRow.provider == DECLARED)
    .order_by(ConnectionRow.created_at, ConnectionRow.id)
    .limit(1)
)


def _make_connection(session: Session, access: Access, now: datetime) -> UUID:
    if access.connection_ids is not None:
        raise ForbiddenError(
            "no job was registered yet, and the token is limited to some connections",
            mend="register the first job with a token without a limit to connections",
        )
    row = {"provider": DECLARED, "config": {}, "enabled": True, "created_at": now, "version": 1}
    for name in (CONNECTION_NAME, f"{CONNECTION_NAME} ({DECLARED})"):
        # Whoever registers the first job at the same moment makes the same connection.
        made = session.scalar(
            dialect.insert_into(session, ConnectionRow)
            .values(id=uuid7(), name=name, **row)
            .on_conflict_do_nothing(index_elements=["name"])
            .returning(ConnectionRow.id)
        )
        if made is not None:
            subject = ("connection", str(made))
            audit_trail.record(
                session, access=access, now=now, action="connection.create", subject=subject
            )
        found = session.scalar(_DECLARED)
        if found is not None:
            return found
    raise ConflictError(f"both names for the {CONNECTION_NAME!r} are taken", mend="rename one")


def _live(session: Session, access: Access, job_id: str) -> ResourceItem:
    access.demand(Scope.JOBS_WRITE)
    item = inventory.get_resource(session, access=access, resource_id=job_id)
    if not is_declared(item.collector_id) or item.deleted_at is not None:
        raise NotFoundError(f"no job {job_id[:40]!r}", mend="list /api/v1/resources?kind=job")
    return item


def _write(
    session: Session,
    access: Access,
    place: tuple[UUID, ResourceItem | None],
    declaration: JobDeclaration,
    now: datetime,
) -> ResourceItem:
    connection_id, known = place
    facts = _facts(access, declaration)
    made_at = known.created_at if known and known.created_at else now
    seen = ResourceSeen(
        kind=JobFacts.KIND,
        immutable_id=f"{declaration.native_id}@{made_at.isoformat()}",
        native_id=declaration.native_id,
        name=declaration.name,
        sub_account_id=declaration.namespace,
        region_id=facts.region.value if isinstance(facts.region, Present) else None,
        created_at=made_at,
        tags=declaration.tags,
        facts=facts,
        scope=declaration.native_id,
    )
    dialect.lock_connection(session, connection_id)
    estate.store(session, _reading(connection_id, now), [observed(seen, now)])
    tallies.count_resources(session, connection_id)
    item = find_job(session, access=access, native_id=declaration.native_id)
    if item is None:
        raise NotFoundError(f"no job {declaration.native_id[:40]!r}")
    slot = f"job {item.revision_id}"
    evaluations.request(session, slot=slot, now=now, connection_id=connection_id)
    return item


def _facts(access: Access, declaration: JobDeclaration) -> JobFacts:
    try:
        facts = job_facts(declaration.said)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInputError(f"the declaration cannot be read: {error}") from None
    begun, ended = facts.started_at, facts.ended_at
    if isinstance(begun, Present) and isinstance(ended, Present) and ended.value < begun.value:
        what = f"is before it started at {begun.value.isoformat()}"
        raise InvalidInputError(
            f"ended_at {what}",
            mend="correct one of the two instants",
            errors=({"where": "#/ended_at", "what": what},),
        )
    return replace(facts, declared_by=Present(access.actor))


def _reading(connection_id: UUID, now: datetime) -> estate.Declaring:
    return estate.Declaring(connection_id, DECLARED, DECLARED, now)


def _scope(item: ResourceItem) -> str:
    """Every job is a list of its own, so that withdrawing one says nothing of the others."""
    return item.native_id


def _tell(session: Session, access: Access, item: ResourceItem, action: str, now: datetime) -> None:
    audit_trail.record(
        session,
        access=access,
        now=now,
        action=action,
        subject=("job", item.id),
        detail=item.native_id,
    )
