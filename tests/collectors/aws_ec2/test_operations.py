from dataclasses import fields
from typing import Any

import botocore.session
import pytest

from app.collectors.aws_ec2 import COLLECTOR
from app.collectors.aws_ec2.operations import OPERATIONS
from app.domain.collecting import Operation, Reach

IDS = [operation.name for operation in OPERATIONS]


@pytest.mark.parametrize("operation", OPERATIONS, ids=IDS)
def test_every_operation_is_a_read_that_ec2_has(operation: Operation) -> None:
    service, _, action = operation.name.partition(":")
    model: Any = botocore.session.get_session().get_service_model(service)
    assert action in model.operation_names
    assert action.startswith(("Describe", "Get"))
    assert operation.permission == operation.name
    assert operation.why.endswith(".")


@pytest.mark.parametrize("kind", COLLECTOR.kinds, ids=lambda kind: kind.KIND)
def test_every_fact_is_fed_by_the_operation_that_it_names(kind: Any) -> None:
    feeds = {operation.name: operation.feeds for operation in OPERATIONS}
    for found in fields(kind):
        assert found.name in feeds[found.metadata["source"]], found.name


def test_each_region_is_read_by_a_sweep_of_its_own() -> None:
    assert COLLECTOR.reach is Reach.REGION
    assert COLLECTOR.operations == OPERATIONS
