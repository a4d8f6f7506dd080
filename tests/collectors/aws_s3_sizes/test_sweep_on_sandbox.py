"""Sizes of the sandbox's buckets, by storage type."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.collectors.aws_s3_sizes import COLLECTOR
from app.domain.collecting import Cell, Connection
from app.domain.samples import DAY_SECONDS, Statistic
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws_server import AwsServer
from app.sandbox.story import AWS_RESEARCH, AWS_TRAINING, EXTERNAL_ID, FRA, PDX, ROLE_NAME
from tests.support.aws_fixtures import aws_connection
from tests.support.samples import swept

THORAX = "cierzo-ct-thorax-fra"


@pytest.fixture(scope="module")
def server() -> Iterator[AwsServer]:
    with AwsServer(AwsEstate(scripted=())) as found:
        yield found


def connection(server: AwsServer, account_id: str, region: str) -> Connection:
    key = {
        "mode": "access_key",
        "access_key_id": server.access_key_id,
        "secret_access_key": "env:AWS_SECRET",
    }
    members = {"role_name": ROLE_NAME, "external_id": EXTERNAL_ID}
    cell = Cell(account_id, region)
    made = aws_connection(server.endpoint, credentials=key, organization=members, cell=cell)
    return replace(made, secret=lambda _: server.secret_access_key)


def test_each_storage_type_of_a_bucket_is_a_series_of_days(
    server: AwsServer, now: datetime
) -> None:
    found = swept(COLLECTOR, connection(server, AWS_RESEARCH.account_id, FRA), now)
    sizes = found.of("stored_bytes", THORAX)
    assert {dimension for _, dimension in sizes} == {
        "StandardStorage", "GlacierInstantRetrievalStorage", "GlacierIRSizeOverhead",
    }  # fmt: skip
    assert {subject for subject, _ in sizes} == {f"arn:aws:s3:::{THORAX}"}
    assert all(len(values) >= 3 for values in sizes.values())
    assert list(found.of("object_count", THORAX)) == [(f"arn:aws:s3:::{THORAX}", "AllStorageTypes")]
    (series, *_) = found.series("stored_bytes", THORAX)
    assert (series.period_seconds, series.statistic) == (DAY_SECONDS, Statistic.AVERAGE)
    last = max(sample.at for sample in found.seen[0].samples)
    assert now - last < timedelta(days=2)


def test_a_bucket_without_a_point_is_unknown_and_not_empty(
    server: AwsServer, now: datetime
) -> None:
    found = swept(COLLECTOR, connection(server, AWS_TRAINING.account_id, PDX), now)
    assert found.of("stored_bytes", "cierzo-ckpt-usw2")
    assert found.of("stored_bytes", "cierzo-synthetic-dialogues-usw2") == {}
    assert [one.complete for one in found.listings] == [True]
    assert {report.failed for report in found.reports.values()} == {0}
