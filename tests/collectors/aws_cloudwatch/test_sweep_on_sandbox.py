"""GPUs and file systems of the sandbox's company, region by region."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.collectors.aws_cloudwatch import COLLECTOR
from app.collectors.aws_metrics import GET
from app.domain.collecting import Cell, Connection, ListingDone, ScopeReport
from app.domain.samples import Statistic, Unit
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.aws.story_metrics import (
    BUSY_JOB,
    BUSY_NODES,
    IDLE_NODE,
    LUSTRE,
    MIXED_JOB,
    NOTEBOOK,
    OLD_NODE,
)
from app.sandbox.aws_server import AwsServer
from app.sandbox.story import AWS_RESEARCH, AWS_TRAINING, EXTERNAL_ID, FRA, PDX, ROLE_NAME
from tests.support.aws_fixtures import aws_connection
from tests.support.samples import Swept, swept

GPU = "gpu_util_percent"


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


@pytest.fixture
def oregon(server: AwsServer, now: datetime) -> Swept:
    return swept(COLLECTOR, connection(server, AWS_TRAINING.account_id, PDX), now)


def test_each_gpu_of_a_node_is_read_once_and_sums_are_left_out(oregon: Swept) -> None:
    for node in (*BUSY_NODES, IDLE_NODE):
        assert {gpu for _, gpu in oregon.of(GPU, node)} == {f"nvidia{n}" for n in range(8)}
    assert {gpu for _, gpu in oregon.of(GPU, OLD_NODE)} == {""}
    assert len(oregon.of(GPU)) == 3 * 8 + 1 + 1  # and one training job
    assert len(oregon.of("tensor_active_percent")) == 3 * 8 + 1


def test_busy_and_idle_nodes_are_told_apart(oregon: Swept) -> None:
    for node in BUSY_NODES:
        assert all(86 <= v <= 92 for values in oregon.of(GPU, node).values() for v in values)
    idle = oregon.of(GPU, IDLE_NODE)
    assert all(1.3 <= value <= 1.7 for values in idle.values() for value in values)


def test_three_hours_of_five_minutes_come_whole_also_in_two_pages(oregon: Swept) -> None:
    lengths = {len(values) for values in oregon.of(GPU).values()}
    assert lengths == {36}
    assert oregon.reports[GET].failed == 0


def test_samples_begin_with_their_periods_and_end_before_now(oregon: Swept, now: datetime) -> None:
    for seen in oregon.seen:
        period = seen.series.period_seconds
        assert all(sample.at.timestamp() % period == 0 for sample in seen.samples)
        assert max(s.at for s in seen.samples) + timedelta(seconds=period) <= now


def test_a_training_job_is_divided_by_its_gpus(oregon: Swept) -> None:
    (((subject, host), values),) = oregon.of(GPU, BUSY_JOB).items()
    assert (subject.split(":")[2], host) == ("sagemaker", "algo-1")
    assert set(values) == {80}


def test_a_job_of_several_machine_types_is_said_and_not_stored(oregon: Swept) -> None:
    assert oregon.of(GPU, MIXED_JOB) == {}
    report = oregon.reports[GET]
    assert (report.skipped, report.code) == (1, "UnknownGpuCount")
    assert MIXED_JOB in report.message


def test_free_space_is_the_sum_over_one_minute_each_quarter(oregon: Swept) -> None:
    (series,) = oregon.series("free_bytes", LUSTRE)
    assert (series.unit, series.statistic, series.period_seconds) == (
        Unit.BYTES, Statistic.SUM, 60,
    )  # fmt: skip
    ((_, values),) = oregon.of("free_bytes", LUSTRE).items()
    assert len(values) == 12


def test_a_notebook_without_load_is_zero_and_not_missing(server: AwsServer, now: datetime) -> None:
    found = swept(COLLECTOR, connection(server, AWS_RESEARCH.account_id, FRA), now)
    assert found.of(GPU) == {(NOTEBOOK, str(n)): (0.0,) * 36 for n in range(4)}
    (first, *_) = found.series(GPU, NOTEBOOK)
    assert first.source == "cloudwatch:CWAgent/nvidia_smi_utilization_gpu"
    assert first.labels["name"] == "NVIDIA A10G"


def test_a_region_without_metrics_is_read_whole(server: AwsServer, now: datetime) -> None:
    found = swept(COLLECTOR, connection(server, AWS_RESEARCH.account_id, "eu-west-1"), now)
    assert found.seen == ()
    assert [one.complete for one in found.listings] == [True]
    assert GET not in found.reports


def test_two_sweeps_at_one_time_tell_the_same(
    server: AwsServer, oregon: Swept, now: datetime
) -> None:
    again = swept(COLLECTOR, connection(server, AWS_TRAINING.account_id, PDX), now)
    assert {one.series.identity: one.samples for one in again.seen} == {
        one.series.identity: one.samples for one in oregon.seen
    }


def test_samples_come_first_and_reports_last(oregon: Swept) -> None:
    rest = oregon.order[len(oregon.seen) :]
    assert rest == (ListingDone, *[ScopeReport] * len(oregon.reports))
