"""Writes of samples: series are kept once, and only what is new or told otherwise is written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete, exists, insert, select
from sqlalchemy.orm import Session

from app.domain.collecting import SamplesSeen
from app.domain.samples import DAY_SECONDS, Series, floor
from app.kit.ids import digest
from app.store import dialect
from app.store.estate import chunks
from app.store.models.samples import MetricSampleRow, MetricSeriesRow

# Series whose old samples go in one transaction: 288 five minutes a day of each.
SERIES_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class Written:
    """What a batch of samples came to; `changed` ones were known with another value."""

    new: int
    changed: int


def store(session: Session, connection_id: UUID, batch: Sequence[SamplesSeen]) -> Written:
    """Lays samples over what is known, so that telling them twice changes nothing.

    Each sweep tells some hours anew. They are compared first: an upsert of an equal value would
    still write a row on Postgres. The caller holds `dialect.lock_connection`.
    """
    ids = _series_ids(session, connection_id, {seen.series.identity: seen.series for seen in batch})
    told = {
        (ids[seen.series.identity], sample.at): (sample.value, sample.sample_count)
        for seen in batch
        for sample in seen.samples
    }
    known = _known(session, told)
    rows = [
        {"series_id": series_id, "at": at, "value": value, "sample_count": count}
        for (series_id, at), (value, count) in told.items()
        if known.get((series_id, at)) != (value, count)
    ]
    if rows:
        inserting = dialect.upsert(session, MetricSampleRow, on=("series_id", "at"))
        session.execute(inserting, rows)
    changed = sum((row["series_id"], row["at"]) in known for row in rows)
    return Written(len(rows) - changed, changed)


def _series_ids(
    session: Session, connection_id: UUID, series: dict[tuple[str | int, ...], Series]
) -> dict[tuple[str | int, ...], int]:
    digests = {identity: digest(list(identity)) for identity in series}
    found = _found(session, connection_id, digests.values())
    missing = [
        _row(connection_id, digests[identity], one)
        for identity, one in series.items()
        if digests[identity] not in found
    ]
    if missing:
        session.execute(insert(MetricSeriesRow), missing)
        found |= _found(session, connection_id, [row["digest"] for row in missing])
    return {identity: found[text] for identity, text in digests.items()}


def _found(session: Session, connection_id: UUID, digests: Iterable[str]) -> dict[str, int]:
    row = MetricSeriesRow
    found: dict[str, int] = {}
    for part in chunks(list(digests)):
        statement = select(row.digest, row.id).where(
            row.connection_id == connection_id, row.digest.in_(part)
        )
        found |= {one.digest: one.id for one in session.execute(statement)}
    return found


def _row(connection_id: UUID, text: str, series: Series) -> dict[str, Any]:
    return {
        "connection_id": connection_id,
        "digest": text,
        "sub_account_id": series.sub_account_id,
        "region_id": series.region_id,
        "subject_kind": series.subject_kind,
        "subject_id": series.subject_id,
        "metric": series.metric,
        "unit": series.unit.value,
        "source": series.source,
        "statistic": series.statistic.value,
        "period_seconds": series.period_seconds,
        "dimension": series.dimension,
        "labels": dict(series.labels),
    }


def _known(
    session: Session, told: Iterable[tuple[int, datetime]]
) -> dict[tuple[int, datetime], tuple[float, int | None]]:
    keys = list(told)
    if not keys:
        return {}
    times = [at for _, at in keys]
    row = MetricSampleRow
    found = {}
    for part in chunks(sorted({series_id for series_id, _ in keys})):
        statement = select(row.series_id, row.at, row.value, row.sample_count).where(
            row.series_id.in_(part), row.at.between(min(times), max(times))
        )
        for series_id, at, value, count in session.execute(statement):
            found[series_id, at] = (value, count)
    return found


def forget(
    session: Session, connection_id: UUID, after: int, *, before: datetime, days_before: datetime
) -> tuple[int, int | None]:
    """Deletes the samples of the next series of a connection that are older than `before`, those
    of whole days older than `days_before`; then series that have none left.

    How many samples went, and the id to go on `after`; None at the end.
    """
    if not dialect.lock_connection(session, connection_id):
        return 0, None
    row = MetricSeriesRow
    series = session.execute(
        select(row.id, row.period_seconds)
        .where(row.connection_id == connection_id, row.id > after)
        .order_by(row.id)
        .limit(SERIES_AT_ONCE)
    ).all()
    days = [one.id for one in series if one.period_seconds >= DAY_SECONDS]
    others = [one.id for one in series if one.period_seconds < DAY_SECONDS]
    gone = _delete(session, days, days_before) + _delete(session, others, before)
    session.execute(
        delete(row)
        .where(
            row.id.in_([one.id for one in series]),
            ~exists().where(MetricSampleRow.series_id == row.id),
        )
        .execution_options(synchronize_session=False)
    )
    return gone, series[-1].id if len(series) == SERIES_AT_ONCE else None


def _delete(session: Session, series_ids: Sequence[int], before: datetime) -> int:
    row = MetricSampleRow
    old = delete(row).where(row.series_id.in_(series_ids), row.at < floor(before, 1))
    result: Any = session.execute(old.execution_options(synchronize_session=False))
    return int(result.rowcount)
