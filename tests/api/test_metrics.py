"""Metrics of a resource: series with their last values, and samples in windows."""

from datetime import timedelta
from uuid import UUID

import pytest
from starlette.testclient import TestClient

from app.domain.collecting import SamplesSeen
from app.domain.samples import Sample, Series, Statistic, Unit, floor
from app.store import samples
from app.store.session import transaction
from tests.api.conftest import Estate
from tests.api.test_resources import id_of
from tests.support import estate

COUNT = 12


@pytest.fixture
def measured(judged: Estate, program: TestClient) -> str:
    """The address of a bucket's metrics: its size on twelve days."""
    series = Series(
        sub_account_id=estate.SCOPE,
        region_id="eu-west-1",
        subject_kind="s3_bucket",
        subject_id="arn:aws:s3:::alpha",
        metric="stored_bytes",
        unit=Unit.BYTES,
        source="cloudwatch:AWS/S3/BucketSizeBytes",
        statistic=Statistic.AVERAGE,
        period_seconds=86_400,
        dimension="StandardStorage",
        labels={"BucketName": "alpha"},
    )
    last = floor(judged.read_at, 86_400)
    values = tuple(
        Sample(last - timedelta(days=COUNT - 1 - number), float(number)) for number in range(COUNT)
    )
    with transaction() as session:
        samples.store(session, UUID(judged.ours), [SamplesSeen(series, values)])
    return f"/api/v1/resources/{id_of(program, 'alpha')}/metrics"


def test_series_come_with_unit_source_and_last_value(program: TestClient, measured: str) -> None:
    answer = program.get(measured)
    (one,) = answer.json()["items"]
    assert (one["metric"], one["unit"], one["dimension"]) == (
        "stored_bytes", "bytes", "StandardStorage",
    )  # fmt: skip
    assert one["source"] == "cloudwatch:AWS/S3/BucketSizeBytes"
    assert one["last_value"] == COUNT - 1
    again = program.get(measured, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304


def test_samples_are_walked_and_cut_by_time(program: TestClient, measured: str) -> None:
    (one,) = program.get(measured).json()["items"]
    path = f"{measured}/{one['id']}/samples"
    first = program.get(path, params={"limit": 5})
    assert [row["value"] for row in first.json()["items"]] == [11, 10, 9, 8, 7]
    assert 'rel="next"' in first.headers["link"]
    second = program.get(path, params={"limit": 5, "after": first.json()["next"]}).json()
    assert [row["value"] for row in second["items"]] == [6, 5, 4, 3, 2]
    start, end = (second["items"][number]["at"] for number in (4, 0))
    span = program.get(path, params={"from": start, "to": end}).json()["items"]
    assert [row["value"] for row in span] == [5, 4, 3, 2]
    table = program.get(path, params={"format": "csv", "from": end}).text.splitlines()
    assert len(table) == 1 + 6


@pytest.mark.parametrize("params", [{"from": "yesterday"}, {"since": "2026-11-30T09:00:00Z"}])
def test_malformed_questions_are_refused(
    program: TestClient, measured: str, params: dict[str, str]
) -> None:
    (one,) = program.get(measured).json()["items"]
    answer = program.get(f"{measured}/{one['id']}/samples", params=params)
    assert answer.status_code == 422


def test_a_resource_without_metrics_has_an_empty_list(judged: Estate, program: TestClient) -> None:
    del judged
    page = program.get(f"/api/v1/resources/{id_of(program, 'beta')}/metrics").json()
    assert (page["items"], page["total"]) == ([], 0)


def test_series_of_others_are_not_found(
    program: TestClient, outsider: TestClient, measured: str
) -> None:
    (one,) = program.get(measured).json()["items"]
    samples_of = f"{one['id']}/samples"
    assert outsider.get(measured).status_code == 404
    assert outsider.get(f"{measured}/{samples_of}").status_code == 404
    beta = f"/api/v1/resources/{id_of(program, 'beta')}/metrics"
    for path in (f"{beta}/{samples_of}", f"{measured}/0/samples", f"{measured}/x/samples"):
        assert program.get(path).status_code == 404
