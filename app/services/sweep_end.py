"""How a sweep ends: its state, its coverage, what is gone, and what that does to findings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from app.domain.access import SYSTEM
from app.domain.collecting import Collector, ListingDone, ScopeReport, SweepState
from app.domain.compliance import clock_is_skewed
from app.services import audit_trail, evaluations
from app.store import burial, estate, findings, sweep_records, tallies
from app.store.columns import EPOCH


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a sweep saw, all in all."""

    seen: int
    new: int
    changed: int
    revived: int
    samples_new: int
    samples_changed: int
    listings: tuple[ListingDone, ...]
    reports: tuple[ScopeReport, ...]
    starts: int


def conclude(
    session: Session,
    collector: Collector,
    reading: estate.Reading,
    outcome: Outcome,
    *,
    now: datetime,
) -> SweepState:
    """Writes the end of a sweep, in the transaction that ends its run."""
    reports = merged(outcome.reports)
    gone = _bury(session, reading, outcome.listings, now=now)
    state = state_of(outcome.listings, reports)
    permissions = {operation.name: operation.permission for operation in collector.operations}
    sweep_records.write_coverage(session, reading.sweep_id, reports, permissions)
    sweep_records.end(
        session,
        reading.sweep_id,
        state=state,
        trace=_trace(outcome, reports, len(gone)),
        fault=_fault(outcome.listings, reports),
        now=now,
    )
    sweep_records.note_good(
        session, reading.connection_id, collector.id, cell=reading.cell, at=reading.at
    )
    if collector.kinds:  # samples change no fact, so there is nothing to judge anew
        _count(session, reading.connection_id, bool(gone))
        evaluations.request(
            session, slot=f"sweep {reading.sweep_id}", now=now, connection_id=reading.connection_id
        )
    return state


def state_of(listings: Sequence[ListingDone], reports: Iterable[ScopeReport]) -> SweepState:
    """`incomplete`: a list was cut or none read; `partial`: some calls were denied or failed."""
    if not listings or not all(listing.complete for listing in listings):
        return SweepState.INCOMPLETE
    if any(report.denied or report.failed for report in reports):
        return SweepState.PARTIAL
    return SweepState.COMPLETE


def _fault(listings: Iterable[ListingDone], reports: Sequence[ScopeReport]) -> tuple[str, str]:
    """Code and sentence of the worst that happened; two empty texts when all went well."""
    cut = [listing for listing in listings if not listing.complete]
    if cut:
        return cut[0].code, f"the list of {cut[0].scope} could not be read to its end"
    faulty = [report for report in reports if report.denied or report.failed]
    if not faulty:
        return "", ""
    calls = sum(report.denied + report.failed for report in faulty)
    return faulty[0].code, f"{calls} of {sum(r.asked for r in reports)} calls gave no answer"


def merged(reports: Iterable[ScopeReport]) -> tuple[ScopeReport, ...]:
    """One report per scope and operation, whatever a collector yields."""
    found: dict[tuple[str, str], ScopeReport] = {}
    for report in reports:
        key = (report.scope, report.operation)
        found[key] = _sum(found[key], report) if key in found else report
    return tuple(found.values())


def _sum(one: ScopeReport, other: ScopeReport) -> ScopeReport:
    skews = [s for s in (one.clock_skew_seconds, other.clock_skew_seconds) if s is not None]
    return replace(
        one,
        asked=one.asked + other.asked,
        answered=one.answered + other.answered,
        absent=one.absent + other.absent,
        denied=one.denied + other.denied,
        failed=one.failed + other.failed,
        skipped=one.skipped + other.skipped,
        throttled=one.throttled + other.throttled,
        code=one.code or other.code,
        message=one.message or other.message,
        clock_skew_seconds=max(skews, key=abs, default=None),
    )


def _bury(
    session: Session, reading: estate.Reading, listings: Iterable[ListingDone], *, now: datetime
) -> list[UUID]:
    """Deletes what wholly read lists no longer name, and closes its findings."""
    listed = {(found.kind, found.scope): found.is_lagging for found in listings if found.complete}
    cut = {(found.kind, found.scope) for found in listings if not found.complete}
    gone = [
        resource_id
        for (kind, scope), is_lagging in listed.items()
        if (kind, scope) not in cut
        for resource_id in burial.bury(
            session, reading, kind=kind, scope=scope, now=now, is_lagging=is_lagging
        )
    ]
    findings.close_of_resources(session, gone, now=now)
    return gone


def _trace(outcome: Outcome, reports: Iterable[ScopeReport], gone: int) -> dict[str, float]:
    reports = tuple(reports)
    trace: dict[str, float] = {
        "resources_seen": outcome.seen,
        "resources_new": outcome.new,
        "resources_changed": outcome.changed,
        "resources_revived": outcome.revived,
        "resources_deleted": gone,
        "samples_new": outcome.samples_new,
        "samples_changed": outcome.samples_changed,
        "calls": sum(report.asked for report in reports),
        "throttled": sum(report.throttled for report in reports),
        "starts": outcome.starts,
    }
    skews = [r.clock_skew_seconds for r in reports if r.clock_skew_seconds is not None]
    worst = max(skews, key=abs, default=0.0)
    if clock_is_skewed(EPOCH + timedelta(seconds=worst), EPOCH):
        trace["clock_skew_seconds"] = round(worst)
    return trace


def _count(session: Session, connection_id: UUID, anything_gone: bool) -> None:  # noqa: FBT001
    tallies.count_resources(session, connection_id)
    tallies.count_places(session, connection_id)
    if anything_gone:
        tallies.count_findings(session, connection_id)
        tallies.count_verdicts(session, connection_id)


def tell_revived(session: Session, resource_ids: Iterable[UUID], *, now: datetime) -> None:
    """A deleted resource that is seen again, by the same immutable id, lives the same life on."""
    for resource_id in resource_ids:
        audit_trail.record(
            session,
            access=SYSTEM,
            now=now,
            action="resource.reappeared",
            subject=("resource", str(resource_id)),
        )
