"""Samples: late ones merge, telling twice changes nothing, and a caller sees only their own."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.domain.access import SYSTEM, Access
from app.domain.collecting import SamplesSeen
from app.domain.facts import FactDocument
from app.domain.paging import PageRequest
from app.domain.samples import Sample, Series, Statistic, Unit
from app.kit.errors import NotFoundError
from app.store import samples
from app.store.models.inventory import ConnectionRow, ResourceRow
from app.store.models.samples import MetricSampleRow, MetricSeriesRow
from app.store.queries import samples as queries
from tests import build
from tests.build import ACCOUNT, Cloud
from tests.support.clusters import eks_cluster
from tests.support.ec2_facts import machine
from tests.support.file_systems import fsx

START = datetime(2026, 11, 30, 9, tzinfo=UTC)
FIVE = timedelta(minutes=5)


def series(**changes: Any) -> Series:
    """Use of a GPU in Ireland by the mean of five minutes."""
    known: dict[str, Any] = {
        "sub_account_id": ACCOUNT,
        "region_id": "eu-west-1",
        "subject_kind": "instance",
        "subject_id": "i-1",
        "metric": "gpu_util_percent",
        "unit": Unit.PERCENT,
        "source": "cloudwatch:CWAgent/nvidia_smi_utilization_gpu",
        "statistic": Statistic.AVERAGE,
        "period_seconds": 300,
        "dimension": "0",
        "labels": {"index": "0"},
    }
    return Series(**(known | changes))


def told(*values: float, start: datetime = START, **changes: Any) -> SamplesSeen:
    """Samples of consecutive periods."""
    found = tuple(Sample(start + number * FIVE, value) for number, value in enumerate(values))
    return SamplesSeen(series(**changes), found)


@pytest.fixture
def connection(session: Session) -> ConnectionRow:
    return build.connection(session)


@pytest.fixture
def resource_id(
    session: Session, connection: ConnectionRow, monkeypatch: pytest.MonkeyPatch
) -> str:
    """A machine whose native id ends in `i-1`."""
    return of(session, connection, monkeypatch, machine(), "ec2:instance/i-1")


def of(
    session: Session,
    connection: ConnectionRow,
    monkeypatch: pytest.MonkeyPatch,
    facts: FactDocument,
    where: str,
) -> str:
    """The id of a new resource in Ireland; `where` is `service:path`."""
    service, _, path = where.partition(":")
    arn = f"arn:aws:{service}:eu-west-1:{ACCOUNT}:{path}"
    one = build.seen(arn, kind=facts.KIND, native_id=arn, immutable_id=arn, facts=facts)
    build.play(monkeypatch, build.collector(Cloud([one]), kinds=(type(facts),)))
    build.sweep(build.within(session), connection.id)
    return str(build.resources(session)[arn].id)


def kept(session: Session) -> list[tuple[datetime, float]]:
    statement = select(MetricSampleRow.at, MetricSampleRow.value).order_by(MetricSampleRow.at)
    return [(at, value) for at, value in session.execute(statement)]


def test_telling_twice_changes_nothing(session: Session, connection: ConnectionRow) -> None:
    first = samples.store(session, connection.id, [told(1, 2, 3)])
    again = samples.store(session, connection.id, [told(1, 2, 3)])
    assert (first, again) == (samples.Written(3, 0), samples.Written(0, 0))
    assert [value for _, value in kept(session)] == [1, 2, 3]
    assert session.scalar(select(func.count()).select_from(MetricSeriesRow)) == 1


def test_late_and_corrected_samples_merge(session: Session, connection: ConnectionRow) -> None:
    samples.store(session, connection.id, [told(1), told(3, start=START + 2 * FIVE)])
    written = samples.store(session, connection.id, [told(1, 2, 4)])
    assert written == samples.Written(1, 1)
    assert kept(session) == [(START, 1), (START + FIVE, 2), (START + 2 * FIVE, 4)]


@pytest.mark.parametrize(
    "other",
    [
        {"dimension": "1"},
        {"metric": "tensor_active_percent"},
        {"period_seconds": 60},
        {"statistic": Statistic.SUM},
        {"source": "amp:DCGM_FI_DEV_GPU_UTIL"},
        {"region_id": "eu-west-2"},
        {"sub_account_id": "999999999999"},
        {"subject_id": "i-2"},
    ],
)
def test_another_measurement_is_another_series(
    session: Session, connection: ConnectionRow, other: dict[str, Any]
) -> None:
    samples.store(session, connection.id, [told(1), told(2, **other)])
    assert session.scalar(select(func.count()).select_from(MetricSeriesRow)) == 2


def test_more_series_than_fit_one_list_are_stored(
    session: Session, connection: ConnectionRow
) -> None:
    many = [told(1, 2, dimension=str(number)) for number in range(1_100)]
    assert samples.store(session, connection.id, many) == samples.Written(2_200, 0)
    assert samples.store(session, connection.id, many) == samples.Written(0, 0)


def test_values_are_kept_exactly(session: Session, connection: ConnectionRow) -> None:
    value = 2**53 - 1.0
    samples.store(session, connection.id, [told(value, 0.1)])
    assert [found for _, found in kept(session)] == [value, 0.1]


def test_a_resource_has_its_series_with_the_last_value(
    session: Session, connection: ConnectionRow, resource_id: str
) -> None:
    other = build.connection(session, "another")
    samples.store(session, other.id, [told(9)])
    batch = [
        told(10, 20, 30),
        told(5, dimension="1"),
        told(7, region_id="us-east-1"),
        told(8, sub_account_id="999999999999"),
    ]
    samples.store(session, connection.id, batch)
    found = queries.list_series(session, access=SYSTEM, resource_id=resource_id)
    assert [(one.dimension, one.last_value, one.last_at) for one in found] == [
        ("0", 30, START + 2 * FIVE),
        ("1", 5, START),
    ]
    assert (found[0].unit, found[0].source, found[0].labels) == (
        "percent", "cloudwatch:CWAgent/nvidia_smi_utilization_gpu", {"index": "0"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "where"),
    [(eks_cluster(), "eks:cluster/i-1"), (fsx(), "fsx:file-system/i-1")],
    ids=["cluster", "file system"],
)
def test_what_is_called_like_a_machine_does_not_show_its_use(
    session: Session,
    connection: ConnectionRow,
    monkeypatch: pytest.MonkeyPatch,
    facts: FactDocument,
    where: str,
) -> None:
    other = of(session, connection, monkeypatch, facts, where)
    samples.store(session, connection.id, [told(1)])
    assert queries.list_series(session, access=SYSTEM, resource_id=other) == ()
    own = of(session, connection, monkeypatch, machine(), "ec2:instance/i-1")
    (one,) = queries.list_series(session, access=SYSTEM, resource_id=own)
    with pytest.raises(NotFoundError):
        queries.get_series(session, access=SYSTEM, resource_id=other, series_id=str(one.id))


@pytest.mark.parametrize("kind", ["host", "training_job", "fsx_file_system", "s3_bucket"])
def test_a_machine_shows_nothing_else_that_is_called_like_it(
    session: Session, connection: ConnectionRow, resource_id: str, kind: str
) -> None:
    samples.store(session, connection.id, [told(1, subject_kind=kind)])
    assert queries.list_series(session, access=SYSTEM, resource_id=resource_id) == ()


def test_samples_come_newest_first_in_windows(
    session: Session, connection: ConnectionRow, resource_id: str
) -> None:
    samples.store(session, connection.id, [told(*range(10))])
    (one,) = queries.list_series(session, access=SYSTEM, resource_id=resource_id)

    def values(page: PageRequest, **span: datetime) -> tuple[list[float], str]:
        found = queries.list_samples(
            session,
            access=SYSTEM,
            resource_id=resource_id,
            series_id=str(one.id),
            page=page,
            **span,
        )
        return [sample.value for sample in found.items], found.next

    first, key = values(PageRequest(4))
    second, key = values(PageRequest(4, after=key))
    third, end = values(PageRequest(4, after=key))
    assert (first, second, third, end) == ([9, 8, 7, 6], [5, 4, 3, 2], [1, 0], "")
    span = {"since": START + 2 * FIVE, "until": START + 5 * FIVE}
    assert values(PageRequest(), **span) == ([4, 3, 2], "")
    between = {"since": START + timedelta(seconds=0.5), "until": START + 2 * FIVE}
    assert values(PageRequest(), **between) == ([1], "")


def test_another_caller_sees_none_of_it(
    session: Session, connection: ConnectionRow, resource_id: str
) -> None:
    samples.store(session, connection.id, [told(1)])
    other = build.connection(session, "another")
    stranger: Access = replace(SYSTEM, connection_ids=frozenset({str(other.id)}))
    with pytest.raises(NotFoundError):
        queries.list_series(session, access=stranger, resource_id=resource_id)


@pytest.mark.parametrize("series_id", ["0", "-1", "x", "9" * 40, "²", "99999999"])
def test_a_series_of_something_else_is_not_found(
    session: Session, connection: ConnectionRow, resource_id: str, series_id: str
) -> None:
    samples.store(session, connection.id, [told(1, subject_id="i-2")])
    with pytest.raises(NotFoundError):
        queries.get_series(session, access=SYSTEM, resource_id=resource_id, series_id=series_id)


def test_another_life_under_the_same_name_has_its_own_samples(
    session: Session, connection: ConnectionRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    born = START + FIVE
    new = build.seen("corpus", created_at=born, immutable_id=f"corpus@{born}")
    build.play(monkeypatch, build.collector(Cloud([build.seen("corpus"), new])))
    build.sweep(build.within(session), connection.id, now=START + FIVE)
    size = told(1, 2, 3, subject_kind="s3_bucket", subject_id="arn:aws:s3:::corpus")
    samples.store(session, connection.id, [size])
    rows = session.scalars(select(ResourceRow)).all()
    old = next(row for row in rows if row.created_at != born)
    old.deleted_at = born
    session.flush()
    last = {
        row.created_at == born: queries.list_series(
            session, access=SYSTEM, resource_id=str(row.id)
        )[0].last_value
        for row in rows
    }
    assert last == {True: 3, False: 1}


def test_old_samples_go_and_days_stay_longer(session: Session, connection: ConnectionRow) -> None:
    day: dict[str, Any] = {"period_seconds": 86_400, "dimension": "day"}
    batch = [told(1, 2, 3), told(1, 2, 3, **day), told(1, dimension="old")]
    samples.store(session, connection.id, batch)
    gone, after = samples.forget(
        session, connection.id, 0, before=START + FIVE, days_before=START - FIVE
    )
    assert (gone, after) == (2, None)
    left = session.scalars(select(MetricSeriesRow.dimension).order_by(MetricSeriesRow.id)).all()
    assert list(left) == ["0", "day"]


def test_all_series_are_looked_at(
    session: Session, connection: ConnectionRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "SERIES_AT_ONCE", 2)
    batch = [told(1, dimension=str(number)) for number in range(5)]
    samples.store(session, connection.id, batch)
    gone, after = 0, 0
    rounds = []
    next_one: int | None = 0
    while next_one is not None:
        after = next_one
        gone, next_one = samples.forget(
            session, connection.id, after, before=START + FIVE, days_before=START
        )
        rounds.append(gone)
    assert rounds == [2, 2, 1]


def test_samples_go_with_their_connection(session: Session, connection: ConnectionRow) -> None:
    samples.store(session, connection.id, [told(1)])
    session.delete(session.get_one(ConnectionRow, UUID(str(connection.id))))
    session.flush()
    assert kept(session) == []
    assert session.scalar(select(func.count()).select_from(MetricSeriesRow)) == 0
