"""A sweep of Batch over the simulated tenant."""

from collections.abc import Callable

import pytest

from app.collectors.azure_batch import COLLECTOR
from app.collectors.azure_batch.operations import POOLS, QUOTAS
from app.domain.azure_batch import BatchAccountFacts, BatchPoolFacts
from app.domain.collecting import Connection
from app.domain.facts import Present, Unreadable
from app.sandbox.azure.story_batch import ACCOUNTS
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Fault
from app.sandbox.story import AMERICAS, PLATFORM, RESEARCH, created_at
from tests.support.azure_fixtures import azure, azure_connection, tenant
from tests.support.azure_sweeps import Swept, swept

__all__ = ["azure", "azure_connection", "tenant"]
Make = Callable[..., Connection]
ACCOUNT, POOL = BatchAccountFacts.KIND, BatchPoolFacts.KIND


@pytest.fixture
def found(azure_connection: Make) -> Swept:
    return swept(COLLECTOR, azure_connection())


def pool(found: Swept, name: str) -> BatchPoolFacts:
    known = found.resources[POOL, name].facts
    assert isinstance(known, BatchPoolFacts)
    return known


def account(found: Swept, name: str) -> BatchAccountFacts:
    known = found.resources[ACCOUNT, name].facts
    assert isinstance(known, BatchAccountFacts)
    return known


def test_accounts_and_pools_are_found(found: Swept) -> None:
    assert found.names(ACCOUNT) == {one.name for one in ACCOUNTS}
    assert found.names(POOL) == {pool.name for one in ACCOUNTS for pool in one.pools}


def test_a_pool_is_a_part_of_its_account_and_lies_where_it_does(found: Swept) -> None:
    part, whole = found.resources[POOL, "nd-train"], found.resources[ACCOUNT, "cierzobatchswc"]
    assert part.parent_native_id == whole.native_id
    assert (part.region_id, part.sub_account_id) == ("swedencentral", RESEARCH.subscription_id)
    assert part.created_at == created_at("nd-train")
    assert part.immutable_id.endswith(f"@{part.created_at.isoformat()}")
    assert part.tags == {"phase": "training"}


def test_an_account_says_whose_its_machines_are(found: Swept) -> None:
    assert account(found, "cierzobatchswc").pool_allocation_mode == Present("BatchService")
    assert pool(found, "prep-cpu").pool_allocation_mode == Present("UserSubscription")
    assert account(found, "cierzobatchswc").pool_names == Present(
        ("nd-train", "eval-low", "mpi-pathology")
    )


def test_pools_that_may_not_be_read_are_not_taken_for_none(found: Swept) -> None:
    known = account(found, "cierzobatchlegacy")
    assert known.pool_names == Unreadable("AuthorizationFailed")
    done = {scope: one.complete for (kind, scope), one in found.listings.items() if kind == POOL}
    assert done == {
        PLATFORM.subscription_id: False,
        RESEARCH.subscription_id: True,
        AMERICAS.subscription_id: True,
    }
    assert all(one.complete for (kind, _), one in found.listings.items() if kind == ACCOUNT)


def test_quotas_are_asked_for_once_a_region(found: Swept) -> None:
    assert found.calls(QUOTAS) == len({(one.subscription, one.region) for one in ACCOUNTS})
    assert found.calls(POOLS) == len(ACCOUNTS)
    assert account(found, "cierzobatchweu").region_account_quota == Present(3)


def test_a_row_that_names_no_pool_leaves_the_list_open(
    azure: AzureServer, azure_connection: Make
) -> None:
    body = '{"value": [{"name": "x", "properties": {}}]}'
    azure.faults.add(Fault(path="cierzobatchswc/pools", body=body, status=200))
    after = swept(COLLECTOR, azure_connection())
    done = after.listings[POOL, RESEARCH.subscription_id]
    assert (done.complete, done.code) == (False, "UnexpectedAnswer")
