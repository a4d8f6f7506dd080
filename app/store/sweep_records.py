"""Writes what is kept of sweeps: begin, coverage, end, and where each collector stands."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from app.domain.collecting import WHOLE, Cell, ScopeReport, SweepState
from app.kit.clean import clean_text
from app.kit.ids import uuid7
from app.store import dialect, ledger
from app.store.models.inventory import CollectorStateRow, SweepRow, SweepScopeRow
from app.store.models.work import RunRow

CODE_BYTES = 200
SCOPE_BYTES = 300
OPERATION_BYTES = 200
MESSAGE_BYTES = 4_000


def cell_of(run: ledger.Claim) -> Cell:
    """The part of the connection that a sweep's run is to read."""
    names = ("sub_account_id", "region_id")
    return Cell(*(str(run.args.get(name, "")) for name in names))


def begin(session: Session, run: ledger.Claim, *, now: datetime) -> UUID:
    """The sweep of this run: a new one, or the one of an earlier attempt, begun anew."""
    known = session.scalars(select(SweepRow).where(SweepRow.run_id == run.run_id)).first()
    if known is not None:
        known.state = SweepState.RUNNING
        known.started_at = now
        known.ended_at = None
        known.code = known.message = ""
        return known.id
    row = SweepRow(
        id=uuid7(),
        connection_id=UUID(str(run.args["connection_id"])),
        collector_id=str(run.args["collector_id"]),
        cell=str(cell_of(run)),
        run_id=run.run_id,
        state=SweepState.RUNNING,
        started_at=now,
        trace={},
    )
    session.add(row)
    session.flush()
    return row.id


def note_collector(
    session: Session,
    connection_id: UUID,
    collector_id: str,
    *,
    cell: Cell = WHOLE,
    sweep_id: UUID | None = None,
    operations: list[dict[str, str]],
) -> None:
    """Keeps which rights a collector uses and, when given, its newest sweep."""
    values: dict[str, Any] = {"operations": operations}
    if sweep_id is not None:
        values["last_sweep_id"] = sweep_id
    inserting = dialect.insert_into(session, CollectorStateRow)
    session.execute(
        inserting.on_conflict_do_update(
            index_elements=["connection_id", "collector_id", "cell"], set_=values
        ).values(connection_id=connection_id, collector_id=collector_id, cell=str(cell), **values)
    )


def note_good(
    session: Session, connection_id: UUID, collector_id: str, *, cell: Cell = WHOLE, at: datetime
) -> None:
    """The source answered: the cell's figures are as of `at`."""
    session.execute(
        update(CollectorStateRow)
        .where(
            CollectorStateRow.connection_id == connection_id,
            CollectorStateRow.collector_id == collector_id,
            CollectorStateRow.cell == str(cell),
        )
        .values(last_good_at=at)
    )


def write_coverage(
    session: Session,
    sweep_id: UUID,
    reports: Iterable[ScopeReport],
    permissions: Mapping[str, str],
) -> None:
    """Replaces the coverage of a sweep; `permissions` by operation."""
    session.execute(delete(SweepScopeRow).where(SweepScopeRow.sweep_id == sweep_id))
    rows = [
        {
            "sweep_id": sweep_id,
            "scope": clean_text(report.scope, SCOPE_BYTES),
            "operation": clean_text(report.operation, OPERATION_BYTES),
            "permission": permissions.get(report.operation, ""),
            "asked": report.asked,
            "answered": report.answered,
            "absent": report.absent,
            "denied": report.denied,
            "failed": report.failed,
            "skipped": report.skipped,
            "throttled": report.throttled,
            "code": clean_text(report.code, CODE_BYTES),
            "message": clean_text(report.message, MESSAGE_BYTES),
        }
        for report in reports
    ]
    if rows:
        session.execute(insert(SweepScopeRow), rows)


def end(
    session: Session,
    sweep_id: UUID,
    *,
    state: SweepState,
    trace: Mapping[str, float],
    fault: tuple[str, str],
    now: datetime,
) -> None:
    """The end of a sweep that read something; `fault` is code and message, or two empty texts."""
    code, message = fault
    _change(
        session,
        sweep_id,
        state=state.value,
        ended_at=now,
        trace=dict(trace),
        code=clean_text(code, CODE_BYTES),
        message=clean_text(message, MESSAGE_BYTES),
    )


def fail(session: Session, sweep_id: UUID, *, code: str, message: str, now: datetime) -> None:
    """The end of a sweep whose source could not be read at all."""
    _change(
        session,
        sweep_id,
        state=SweepState.FAILED.value,
        ended_at=now,
        code=clean_text(code, CODE_BYTES),
        message=clean_text(message, MESSAGE_BYTES),
    )


def abandon(session: Session, run_id: UUID, *, now: datetime) -> None:
    """Ends the sweep of a run that was given up; any other run's goes on."""
    given_up = select(RunRow.id).where(RunRow.id == run_id, RunRow.state == "failed")
    session.execute(
        update(SweepRow)
        .where(SweepRow.run_id.in_(given_up), SweepRow.state == SweepState.RUNNING.value)
        .values(
            state=SweepState.FAILED.value,
            ended_at=now,
            code="GivenUp",
            message="its worker ended again and again before the sweep did",
        )
        .execution_options(synchronize_session=False)
    )


def _change(session: Session, sweep_id: UUID, **changes: Any) -> None:  # noqa: ANN401 - columns
    session.execute(
        update(SweepRow)
        .where(SweepRow.id == sweep_id)
        .values(**changes)
        .execution_options(synchronize_session=False)
    )
