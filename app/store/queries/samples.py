"""Samples of a resource: its series with their last values, and values between two times."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from app.domain.access import Access
from app.domain.measured import SUBJECT_KINDS, subject_ids
from app.domain.paging import Page, PageRequest
from app.domain.samples import floor
from app.kit.errors import NotFoundError
from app.store import keyset
from app.store.models.inventory import ResourceRow
from app.store.models.samples import MetricSampleRow, MetricSeriesRow
from app.store.scoping import key_of, visible

_MOST_ID = 2**31 - 1


@dataclass(frozen=True, slots=True)
class SeriesItem:
    """One series. `last_at` is the start of the newest period with a value, whose age counts
    from there; it and `last_value` are None when none is kept.
    """

    id: int
    subject_kind: str
    subject_id: str
    metric: str
    unit: str
    source: str
    statistic: str
    period_seconds: int
    dimension: str
    labels: Mapping[str, str]
    last_at: datetime | None
    last_value: float | None


@dataclass(frozen=True, slots=True)
class SampleItem:
    """One value, of the period that starts at `at`; `sample_count` None: not told."""

    at: datetime
    value: float
    sample_count: int | None


_Resource = Any
_COLUMNS = (
    MetricSeriesRow.id, MetricSeriesRow.subject_kind, MetricSeriesRow.subject_id,
    MetricSeriesRow.metric, MetricSeriesRow.unit, MetricSeriesRow.source,
    MetricSeriesRow.statistic, MetricSeriesRow.period_seconds, MetricSeriesRow.dimension,
    MetricSeriesRow.labels,
)  # fmt: skip


def list_series(session: Session, *, access: Access, resource_id: str) -> tuple[SeriesItem, ...]:
    """What is measured of a resource, by metric and dimension.

    NotFoundError when there is no such resource that the caller may see.
    """
    return _items(session, _resource(session, access, resource_id))


def get_series(session: Session, *, access: Access, resource_id: str, series_id: str) -> SeriesItem:
    """One series of a resource; NotFoundError when it is none of this one."""
    resource, key = _resource(session, access, resource_id), _series_key(series_id)
    found = _items(session, resource, MetricSeriesRow.id == key)
    if not found:
        raise NotFoundError(f"no series {series_id[:40]!r} of this resource")
    return found[0]


_NEWEST = keyset.Order("samples", (MetricSampleRow.at,), descending=True)


def list_samples(  # noqa: PLR0913 - a span has two ends
    session: Session,
    *,
    access: Access,
    resource_id: str,
    series_id: str,
    since: datetime | None = None,
    until: datetime | None = None,
    page: PageRequest | None = None,
) -> Page[SampleItem]:
    """Values of a series, newest first, from `since` up to and without `until`.

    NotFoundError as `get_series`. The total is not counted.
    """
    resource = _resource(session, access, resource_id)
    series = get_series(session, access=access, resource_id=resource_id, series_id=series_id)
    row = MetricSampleRow
    statement = select(row.at, row.value, row.sample_count).where(
        row.series_id == series.id, *_within_life(resource, row.at)
    )
    if since is not None:
        statement = statement.where(row.at >= _whole(since))
    if until is not None:
        statement = statement.where(row.at < _whole(until))
    return keyset.fetch(
        session, statement, _NEWEST, page or PageRequest(), total=None, item=_sample
    )


def _resource(session: Session, access: Access, resource_id: str) -> _Resource:
    row = ResourceRow
    found = session.execute(
        select(
            row.kind, row.connection_id, row.sub_account_id, row.region_id, row.native_id,
            row.immutable_id, row.created_at, row.deleted_at,
        ).where(row.id == key_of(resource_id, "resource"), visible(access, row.connection_id))
    ).first()  # fmt: skip
    if found is None:
        raise NotFoundError(f"no resource {resource_id[:40]!r}")
    return found


def _items(
    session: Session, resource: _Resource, *more: ColumnElement[bool]
) -> tuple[SeriesItem, ...]:
    statement = _with_last(resource).where(*_of(resource), *more)
    order = (MetricSeriesRow.metric, MetricSeriesRow.dimension, MetricSeriesRow.id)
    return tuple(SeriesItem(*row) for row in session.execute(statement.order_by(*order)))


def _with_last(resource: _Resource) -> Select[*tuple[Any, ...]]:
    """Series with their newest sample: two steps down the key for each."""
    series, sample, other = MetricSeriesRow, MetricSampleRow, aliased(MetricSampleRow)
    newest = (
        select(func.max(other.at, type_=other.at.type))
        .where(other.series_id == series.id, *_within_life(resource, other.at))
        .scalar_subquery()
    )
    return select(*_COLUMNS, sample.at, sample.value).outerjoin(
        sample, and_(sample.series_id == series.id, sample.at == newest)
    )


def _of(resource: _Resource) -> tuple[ColumnElement[bool], ...]:
    row = MetricSeriesRow
    conditions = (
        row.connection_id == resource.connection_id,
        row.subject_kind == SUBJECT_KINDS.get(resource.kind, ""),
        row.subject_id.in_(subject_ids(resource.native_id)),
        row.sub_account_id == resource.sub_account_id,
    )
    if resource.region_id is None:
        return conditions
    return (*conditions, or_(row.region_id == resource.region_id, row.region_id == ""))


def _within_life(
    resource: _Resource, at: InstrumentedAttribute[datetime]
) -> tuple[ColumnElement[bool], ...]:
    """Where the name may come again, samples of its other lives are left out.

    A period that began before this life did may tell of the one before, so it is none of this.
    """
    conditions: list[ColumnElement[bool]] = []
    if resource.created_at and resource.immutable_id != resource.native_id:
        conditions.append(at >= _whole(resource.created_at))
    if resource.deleted_at:
        conditions.append(at < _whole(resource.deleted_at))
    return tuple(conditions)


def _whole(instant: datetime) -> datetime:
    """The first whole second from an instant on: samples are kept in such."""
    whole = floor(instant, 1)
    return whole + timedelta(seconds=1) if whole < instant else whole


def _series_key(text: str) -> int:
    number = int(text[:11]) if text.isascii() and text.isdecimal() else -1
    if not 0 <= number <= _MOST_ID:
        raise NotFoundError(f"no series {text[:40]!r} of this resource")
    return number


def _sample(row: keyset.AnyRow) -> SampleItem:
    return SampleItem(row.at, row.value, row.sample_count)
