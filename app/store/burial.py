"""Resources that a wholly read list no longer names: deleted, with their verdicts and places."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session

from app.store import estate
from app.store.models.compliance import VerdictRow
from app.store.models.inventory import ResourceRevisionRow, ResourceRow


def bury(
    session: Session,
    reading: estate.Reading | estate.Declaring,
    *,
    kind: str,
    scope: str,
    now: datetime,
    is_lagging: bool = False,
) -> list[UUID]:
    """Marks what this attempt did not see in a wholly read scope as deleted; gives their ids.

    Their verdicts and places go, their revisions are closed; findings are the caller's to close.
    After a list that lags behind its source only what an earlier one missed too is deleted.
    """
    unseen = (
        ResourceRow.connection_id == reading.connection_id,
        ResourceRow.collector_id == reading.collector_id,
        ResourceRow.scope == scope,
        ResourceRow.observed_at < reading.at,
        ResourceRow.kind == kind,
        ResourceRow.deleted_at.is_(None),
    )
    missed_before = (ResourceRow.missing_since < reading.at,) if is_lagging else ()
    found = select(ResourceRow.id, ResourceRow.revision_id).where(*unseen, *missed_before)
    gone = session.execute(found).all()
    if is_lagging:
        _note_missing(session, (*unseen, ResourceRow.missing_since.is_(None)), reading.at)
    for part in estate.chunks(gone):
        _bury_chunk(session, [row.id for row in part], [row.revision_id for row in part], now)
    return [row.id for row in gone]


def _note_missing(session: Session, missed: Sequence[ColumnElement[bool]], at: datetime) -> None:
    session.execute(
        update(ResourceRow)
        .where(*missed)
        .values(missing_since=at)
        .execution_options(synchronize_session=False)
    )


def _bury_chunk(
    session: Session, ids: Sequence[UUID], revisions: Sequence[UUID | None], now: datetime
) -> None:
    quietly = {"synchronize_session": False}
    session.execute(
        update(ResourceRow)
        .where(ResourceRow.id.in_(ids))
        # Without a digest, whatever is seen when it comes back begins a new revision.
        .values(
            deleted_at=now,
            digest="",
            worst_rank=-1,
            worst_order=1,
            non_compliant_count=0,
            unknown_count=0,
        )
        .execution_options(**quietly)
    )
    session.execute(
        update(ResourceRevisionRow)
        .where(ResourceRevisionRow.id.in_(revisions))
        .values(valid_to=now)
        .execution_options(**quietly)
    )
    session.execute(
        delete(VerdictRow).where(VerdictRow.resource_id.in_(ids)).execution_options(**quietly)
    )
    estate.forget_places(session, ids)
