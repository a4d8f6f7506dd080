import botocore.session
import pytest

from app.collectors.aws_hyperpod import COLLECTOR
from app.collectors.aws_hyperpod.operations import BY_NAME, OPERATIONS
from app.domain.cluster import ClusterFacts
from app.domain.collecting import Reach
from app.domain.facts import FactDocument, fact_names
from app.domain.hyperpod import HyperpodClusterFacts


@pytest.mark.parametrize("document", COLLECTOR.kinds, ids=lambda kind: kind.KIND)
def test_every_fact_is_fed_by_the_operation_that_it_names(document: type[FactDocument]) -> None:
    fields = document.__dataclass_fields__
    for name in fact_names(document):
        feeding = [one.name for one in OPERATIONS if name in one.feeds]
        assert feeding == [fields[name].metadata["source"]], name


@pytest.mark.parametrize("name", list(BY_NAME))
def test_every_operation_is_one_that_aws_has(name: str) -> None:
    service, _, operation = name.partition(":")
    model = botocore.session.get_session().get_service_model(service)
    assert operation in model.operation_names
    assert BY_NAME[name].permission == name
    assert BY_NAME[name].why.endswith(".")


def test_machines_are_never_looked_up_in_ec2() -> None:
    assert {name for name in BY_NAME if name.startswith("ec2:")} == {"ec2:DescribeInstanceTypes"}


def test_own_and_derived_facts_have_names_of_their_own() -> None:
    assert set(fact_names(HyperpodClusterFacts)).isdisjoint(fact_names(ClusterFacts))


def test_one_sweep_reads_one_region() -> None:
    assert COLLECTOR.reach is Reach.REGION
    assert COLLECTOR.operations == OPERATIONS
