"""A pool of Batch in the words of any cluster, and the ways into its account."""

from typing import Any

import pytest

from app.domain.azure_batch import BatchAccountFacts
from app.domain.cluster import ClusterFacts
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.service_access import ServiceAccessFacts
from tests.support.azure_clusters import batch_pool
from tests.support.documents import filled

NOT_TOLD = Unreadable("NotTold")


def of_pool(**facts: Any) -> ClusterFacts:
    (found,) = derive(batch_pool(**facts))
    assert isinstance(found, ClusterFacts)
    return found


def names(found: ClusterFacts) -> list[str]:
    assert isinstance(found.machine_groups, Present)
    return [one.name for one in found.machine_groups.value]


def test_a_size_is_known_in_the_letters_of_batch() -> None:
    found = of_pool()
    assert (found.orchestrator, found.capacities) == (Present("batch"), Present(("on_demand",)))
    assert (found.accelerator_count, found.accelerator_models) == (
        Present(16),
        Present(("NVIDIA H100",)),
    )
    assert found.groups_with_rdma == Present(("dedicated",))
    assert found.machine_types == Present(("Standard_ND96isr_H100_v5",))


@pytest.mark.parametrize(
    ("low", "dedicated", "groups"),
    [
        ((0, 0), (2, 2), ["dedicated"]),
        ((3, 4), (2, 2), ["dedicated", "low_priority"]),
        ((0, 4), (0, 0), ["low_priority"]),
        ((0, 0), (0, 0), ["dedicated"]),
    ],
)
def test_only_groups_that_have_or_want_nodes_are_told(
    low: tuple[int, int], dedicated: tuple[int, int], groups: list[str]
) -> None:
    found = of_pool(
        current_low_priority_nodes=low[0],
        target_low_priority_nodes=low[1],
        current_dedicated_nodes=dedicated[0],
        target_dedicated_nodes=dedicated[1],
    )
    assert names(found) == groups
    assert found.machine_count == Present(low[0] + dedicated[0])
    assert found.machine_target_count == Present(low[1] + dedicated[1])


def test_nodes_that_do_not_come_are_missing() -> None:
    found = of_pool(current_low_priority_nodes=1, target_low_priority_nodes=3)
    assert found.groups_below_target == Present(("low_priority",))
    assert found.capacities == Present(("low_priority", "on_demand"))


def test_a_formula_that_never_ran_has_no_target() -> None:
    found = of_pool(target_dedicated_nodes=ABSENT, target_low_priority_nodes=ABSENT)
    assert (found.machine_count, found.machine_target_count) == (Present(2), NOT_TOLD)


def test_a_fixed_size_has_no_room() -> None:
    found = of_pool(autoscales=False)
    assert isinstance(found.machine_groups, Present)
    assert {one.minimum_count for one in found.machine_groups.value} == {2}
    scaled = of_pool(autoscales=True)
    assert isinstance(scaled.machine_groups, Present)
    assert {one.minimum_count for one in scaled.machine_groups.value} == {None}


def test_a_pool_that_was_not_understood_leaves_all_unread() -> None:
    odd = Unreadable("UnexpectedAnswer")
    found = of_pool(machine_type=odd)
    assert (found.machine_groups, found.machine_count, found.capacities) == (odd, odd, odd)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"public_network_access": "Enabled"}, Present(value=True)),
        ({"public_network_access": "Disabled"}, Present(value=False)),
        ({"public_network_access": "SecuredByPerimeter"}, Present(value=False)),
        (
            {"public_network_access": "Enabled", "network_default_action": "Deny"},
            Present(value=False),
        ),
        ({}, Unreadable("NotReported")),
    ],
)
def test_an_account_is_open_where_no_rule_narrows_it(facts: Any, expected: object) -> None:
    (found,) = derive(filled(BatchAccountFacts, **facts))
    assert isinstance(found, ServiceAccessFacts)
    assert found.open_to_internet == expected


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        (("AAD", "SharedKey"), Present(value=True)),
        (("AAD",), Present(value=False)),
        (ABSENT, Unreadable("NotReported")),
    ],
)
def test_an_account_takes_keys_where_it_says_so(modes: object, expected: object) -> None:
    (found,) = derive(filled(BatchAccountFacts, authentication_modes=modes))
    assert isinstance(found, ServiceAccessFacts)
    assert found.keys_accepted == expected
