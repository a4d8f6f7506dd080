"""The tables of both collectors of access points agree with the facts and with botocore."""

from dataclasses import fields
from typing import Any

import botocore.session
import pytest

from app.collectors.aws_s3_access import COLLECTOR as OF_A_REGION
from app.collectors.aws_s3_multi_region import COLLECTOR as OF_ALL
from app.domain.collecting import Collector, Operation, Reach

BOTH = (OF_A_REGION, OF_ALL)
CALLS = [pytest.param(one, id=one.name) for each in BOTH for one in each.operations]


@pytest.mark.parametrize("collector", BOTH, ids=lambda one: one.id)
def test_every_fact_is_fed_by_the_operation_that_it_names(collector: Collector) -> None:
    fed = {name: one.name for one in collector.operations for name in one.feeds}
    for kind in collector.kinds:
        document: Any = kind
        for field in fields(document):
            assert fed[field.name] == field.metadata["source"], field.name


@pytest.mark.parametrize("operation", CALLS)
def test_every_operation_is_a_read_that_aws_has_and_says_why(operation: Operation) -> None:
    service, _, action = operation.name.partition(":")
    assert action in botocore.session.get_session().get_service_model(service).operation_names
    assert action.startswith(("Get", "List"))
    assert operation.permission.partition(":")[0] in {"s3", "s3express"}
    assert operation.why.endswith(".")


def test_points_of_many_regions_are_read_once_for_an_account() -> None:
    assert OF_A_REGION.reach is Reach.REGION
    assert OF_ALL.reach is Reach.ACCOUNT
