from typing import Any

import botocore.session
import pytest

from app.collectors.aws_accounts import COLLECTOR
from app.collectors.aws_accounts.operations import (
    ACCOUNTS,
    BY_NAME,
    EC2_REGIONS,
    OPERATIONS,
    REGIONS,
)
from app.domain.collecting import Reach
from app.domain.facts import fact_names
from app.domain.sub_accounts import AwsAccountFacts


def test_every_fact_is_fed_by_exactly_one_operation() -> None:
    fed = [name for operation in OPERATIONS for name in operation.feeds]
    assert sorted(fed) == sorted(fact_names(AwsAccountFacts))


def test_every_fact_names_the_operation_that_feeds_it() -> None:
    fields = AwsAccountFacts.__dataclass_fields__
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


@pytest.mark.parametrize("name", [ACCOUNTS, REGIONS, EC2_REGIONS])
def test_lists_have_the_words_of_pages_that_the_client_follows(name: str) -> None:
    service, _, operation = name.partition(":")
    shape: Any = (
        botocore.session.get_session()
        .get_service_model(service)
        .operation_model(operation)
        .output_shape
    )
    assert ("NextToken" in shape.members) is (name != EC2_REGIONS)


@pytest.mark.parametrize("service", ["organizations", "account"])
def test_the_services_of_one_region_are_found_from_any_region(service: str) -> None:
    session = botocore.session.get_session()
    session.set_credentials("A", "x")
    client: Any = session.create_client(service, region_name="eu-west-1")
    assert client.meta.endpoint_url == f"https://{service}.us-east-1.amazonaws.com"


def test_one_sweep_reads_all_accounts_of_a_connection() -> None:
    assert COLLECTOR.reach is Reach.CONNECTION
    assert COLLECTOR.operations == OPERATIONS
