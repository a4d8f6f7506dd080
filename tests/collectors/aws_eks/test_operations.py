import botocore.session
import pytest

from app.collectors.aws_eks import COLLECTOR
from app.collectors.aws_eks.operations import BY_NAME, OPERATIONS
from app.domain.collecting import Reach
from app.domain.eks import EksClusterFacts
from app.domain.facts import fact_names


def test_every_fact_is_fed_by_exactly_one_operation() -> None:
    fed = [name for operation in OPERATIONS for name in operation.feeds]
    assert sorted(fed) == sorted(fact_names(EksClusterFacts))


def test_every_fact_names_the_operation_that_feeds_it() -> None:
    fields = EksClusterFacts.__dataclass_fields__
    for operation in OPERATIONS:
        for name in operation.feeds:
            assert fields[name].metadata["source"] == operation.name


@pytest.mark.parametrize("name", list(BY_NAME))
def test_every_operation_is_one_that_aws_has(name: str) -> None:
    service, _, operation = name.partition(":")
    model = botocore.session.get_session().get_service_model(service)
    assert operation in model.operation_names
    assert BY_NAME[name].permission == name
    assert BY_NAME[name].why.endswith(".")


def test_one_sweep_reads_one_region() -> None:
    assert COLLECTOR.reach is Reach.REGION
    assert COLLECTOR.operations == OPERATIONS
