"""Answers of CloudWatch that moto does not give: parts, refusals, odd values, faults."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.collectors import aws_metrics
from app.collectors.aws_cloudwatch import COLLECTOR
from app.collectors.aws_cloudwatch.operations import JOB
from app.collectors.aws_metrics import GET, LIST
from app.domain.collecting import Cell
from app.kit.errors import CollectorError
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture, refused
from tests.support.aws_wire import AwsWire, Fault
from tests.support.samples import Swept, swept

GPU = "gpu_util_percent"


@pytest.fixture(autouse=True)
def one_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults here are lasting; how often they are tried again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)


class Sky:
    """One cell whose CloudWatch says what a test tells it to."""

    def __init__(self, aws: AwsWire, connection: MakeConnection, now: datetime) -> None:
        self.aws, self.now = aws, now
        self._connection = connection(cell=Cell(region_id="us-west-2"))

    def lists(self, namespace: str, *dimensions: dict[str, str], name: str = "") -> None:
        """Metrics of a namespace; all others have none."""
        names = {"CWAgent": "nvidia_smi_utilization_gpu", "AWS/FSx": "FreeDataStorageCapacity"}
        metric = name or names.get(namespace, "GPUUtilization")
        rows = [
            {
                "Namespace": namespace,
                "MetricName": metric,
                "Dimensions": [{"Name": key, "Value": word} for key, word in words.items()],
            }
            for words in dimensions
        ]
        where = {"Namespace": namespace, "MetricName": metric}
        self.aws.faults.append(
            fixture("cloudwatch", "ListMetrics", {"Metrics": rows}, parameters=where)
        )

    def gpus(self, count: int) -> None:
        """An agent on a machine with so many GPUs."""
        self.lists("CWAgent", *({"InstanceId": "i-1", "index": str(n)} for n in range(count)))

    def tells(self, *rows: dict[str, Any], **more: Any) -> None:
        """A page of GetMetricData; `times` and `parameters` say which."""
        where = {name: more.pop(name) for name in ("times", "parameters") if name in more}
        result = {"MetricDataResults": list(rows), **more}
        self.aws.faults.append(fixture("cloudwatch", "GetMetricData", result, **where))

    def row(self, number: int, *values: float, status: str = "Complete", start: int = 0) -> Any:
        """The answer to one query; its points are five minutes apart."""
        first = self.now.replace(hour=8, minute=0)
        times = [first + timedelta(minutes=5 * (start + n)) for n in range(len(values))]
        return {
            "Id": f"q{number}",
            "Timestamps": times,
            "Values": list(values),
            "StatusCode": status,
        }

    def sweep(self) -> Swept:
        return swept(COLLECTOR, self._connection, self.now)


@pytest.fixture
def sky(aws: AwsWire, connection: MakeConnection, now: datetime) -> Sky:
    return Sky(aws, connection, now)


def values(found: Swept) -> dict[str, tuple[float, ...]]:
    return {dimension: given for (_, dimension), given in found.of(GPU).items()}


def test_parts_that_are_followed_by_the_rest_are_whole(sky: Sky) -> None:
    sky.gpus(2)
    first = (sky.row(0, 1.0, 2.0, status="PartialData"), sky.row(1, 9.0))
    sky.tells(*first, NextToken="more", times=1)
    sky.tells(sky.row(0, 3.0, start=2), parameters={"NextToken": "more"})
    found = sky.sweep()
    assert values(found) == {"0": (1, 2, 3), "1": (9,)}
    assert (found.reports[GET].answered, found.reports[GET].failed) == (2, 0)


def test_parts_without_the_rest_are_kept_and_counted(sky: Sky) -> None:
    sky.gpus(2)
    sky.tells(sky.row(0, 1.0, status="PartialData"), sky.row(1, 9.0))
    found = sky.sweep()
    assert values(found) == {"0": (1,), "1": (9,)}
    assert (found.reports[GET].failed, found.reports[GET].code) == (1, "PartialData")
    assert f"{GPU} of i-1 0" in found.reports[GET].message


@pytest.mark.parametrize(
    ("status", "denied", "failed"), [("Forbidden", 1, 0), ("InternalError", 0, 1)]
)
def test_a_metric_that_was_not_read_has_no_values(
    sky: Sky, status: str, denied: int, failed: int
) -> None:
    sky.gpus(2)
    sky.tells(sky.row(0, 1.0, status=status), sky.row(1, 9.0))
    found = sky.sweep()
    assert values(found) == {"1": (9,)}
    report = found.reports[GET]
    assert (report.denied, report.failed, report.code) == (denied, failed, status)


def test_no_point_is_no_data_and_no_fault(sky: Sky) -> None:
    sky.gpus(1)
    sky.tells(sky.row(0))
    found = sky.sweep()
    assert found.seen == ()
    assert (found.reports[GET].answered, found.reports[GET].failed) == (1, 0)


def test_a_metric_without_an_answer_is_said(sky: Sky) -> None:
    sky.gpus(2)
    sky.tells(sky.row(1, 9.0))
    found = sky.sweep()
    assert values(found) == {"1": (9,)}
    assert (found.reports[GET].failed, found.reports[GET].code) == (1, "UnexpectedAnswer")


def test_a_page_that_fails_costs_only_what_it_holds(sky: Sky) -> None:
    sky.gpus(2)
    sky.tells(sky.row(0, 1.0, status="PartialData"), NextToken="more", times=1)
    sky.aws.faults.append(refused("cloudwatch", "GetMetricData", "Throttling"))
    found = sky.sweep()
    assert values(found) == {"0": (1,)}
    assert (found.reports[GET].failed, found.reports[GET].code) == (1, "Throttling")


def test_a_token_that_comes_back_ends_the_pages(sky: Sky) -> None:
    sky.gpus(1)
    sky.tells(sky.row(0, 1.0, status="PartialData"), NextToken="same")
    found = sky.sweep()
    assert (found.reports[GET].code, values(found)) == ("RepeatedToken", {"0": (1,)})


def test_what_aws_says_of_an_answer_is_counted(sky: Sky) -> None:
    sky.gpus(1)
    sky.tells(sky.row(0, 1.0), Messages=[{"Code": "MaxMetricsExceeded", "Value": "too many"}])
    found = sky.sweep()
    assert (found.reports[GET].code, found.reports[GET].message) == (
        "MaxMetricsExceeded", "too many",
    )  # fmt: skip


@pytest.mark.parametrize("value", [100.5, -1.0])
def test_a_percentage_that_is_none_is_refused_and_said(sky: Sky, value: float) -> None:
    sky.gpus(1)
    sky.tells(sky.row(0, 50.0, value, 60.0))
    found = sky.sweep()
    assert values(found) == {"0": (50, 60)}
    assert (found.reports[GET].failed, found.reports[GET].code) == (1, "UnexpectedAnswer")


def test_a_time_that_was_not_asked_for_is_refused(sky: Sky) -> None:
    sky.gpus(1)
    sky.tells(sky.row(0, 1.0, start=1_000))
    found = sky.sweep()
    assert found.seen == ()
    assert found.reports[GET].failed == 1


ROW = {"Id": "q0", "Values": [1.0], "Timestamps": [1796029200], "StatusCode": "Complete"}


@pytest.mark.parametrize(
    "result",
    [
        {"MetricDataResults": None},
        {"MetricDataResults": ["q0"]},
        {"MetricDataResults": [{"Id": 7}]},
        {"MetricDataResults": [ROW], "NextToken": {"a": 1}},
        {"MetricDataResults": [], "Messages": "all is well"},
        {"MetricDataResults": [ROW | {"Values": ["1"]}]},
        {"MetricDataResults": [ROW | {"Values": [float("nan")]}]},
        {"MetricDataResults": [ROW | {"Values": [10**400]}]},
        {"MetricDataResults": [ROW | {"Values": [True]}]},
        {"MetricDataResults": [ROW | {"Values": None}]},
        {"MetricDataResults": [ROW | {"Timestamps": []}]},
        {"MetricDataResults": [ROW | {"StatusCode": "Great"}]},
        {"MetricDataResults": [ROW | {"StatusCode": None}]},
    ],
)
def test_an_odd_answer_is_a_failed_read_and_no_value(sky: Sky, result: dict[str, Any]) -> None:
    sky.gpus(1)
    known = fixture("cloudwatch", "GetMetricData", {"MetricDataResults": []})
    sky.aws.faults.append(
        Fault(
            service="cloudwatch",
            question="GetMetricData",
            status=200,
            body=json.dumps(result),
            headers=known.headers,
        )
    )
    found = sky.sweep()
    assert found.seen == ()
    assert found.reports[GET].failed == 1


def test_an_odd_metric_is_said_and_the_others_are_read(sky: Sky) -> None:
    sky.gpus(1)
    (fault,) = sky.aws.faults
    good = fault.body.removeprefix('{"Metrics": [').removesuffix("]}")
    fault.body = '{"Metrics": [{"Namespace": 7}, {"MetricName": "x"}, ' + good + "]}"
    sky.tells(sky.row(0, 5.0))
    found = sky.sweep()
    assert values(found) == {"0": (5,)}
    assert (found.reports[LIST].failed, found.reports[LIST].code) == (2, "UnexpectedAnswer")


def test_lists_that_are_refused_are_told_and_the_rest_is_read(sky: Sky) -> None:
    where = {"Namespace": "ContainerInsights"}
    sky.aws.faults.append(
        refused("cloudwatch", "ListMetrics", "AccessDenied", 403, parameters=where)
    )
    sky.gpus(1)
    sky.tells(sky.row(0, 5.0))
    found = sky.sweep()
    assert values(found) == {"0": (5,)}
    assert found.reports[LIST].denied == 3
    assert [(one.complete, one.code) for one in found.listings] == [(False, "AccessDenied")]


def test_a_region_that_answers_nothing_at_all_has_failed(sky: Sky) -> None:
    sky.aws.faults.append(refused("cloudwatch", "ListMetrics", "InternalFailure", 500))
    with pytest.raises(CollectorError) as raised:
        sky.sweep()
    assert raised.value.code == "InternalFailure"


def test_a_job_that_may_not_be_described_is_not_read(sky: Sky) -> None:
    sky.lists("/aws/sagemaker/TrainingJobs", {"Host": "train/algo-1"})
    sky.aws.faults.append(refused("sagemaker", "DescribeTrainingJob", "AccessDeniedException", 400))
    found = sky.sweep()
    assert found.seen == ()
    assert (found.reports[JOB].denied, found.reports[JOB].code) == (1, "AccessDeniedException")
    assert GET not in found.reports


def test_five_hundred_metrics_are_asked_for_at_once_and_no_more(
    sky: Sky, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aws_metrics, "_MOST_QUERIES", 3)
    sky.gpus(7)
    sky.tells(*(sky.row(number, 1.0) for number in range(3)))
    assert len(sky.sweep().seen) == 7
    sizes = [
        len(asked.parameters["MetricDataQueries"]) for asked in sky.aws.questions("GetMetricData")
    ]
    assert sorted(sizes) == [1, 3, 3]
