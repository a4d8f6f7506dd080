"""What the list of SKUs says of a size wins over our own table, as far as it says something."""

from typing import Any

import pytest

from app.domain.azure_machine_types import SKU_LIST, with_capabilities


def known(name: str, **capabilities: str) -> Any:
    found = with_capabilities(name, capabilities)
    assert found is not None
    return found


def test_a_count_that_differs_from_our_table_wins() -> None:
    one = known("Standard_ND96isr_H100_v5", GPUs="4", RdmaEnabled="True")
    assert (one.accelerator_count, one.accelerator_model) == (4, "NVIDIA H100")
    assert (one.rdma_interfaces, one.source) == (8, SKU_LIST)


def test_a_part_of_a_gpu_stays_a_part_though_it_is_listed_as_one() -> None:
    assert known("Standard_NV18ads_A10_v5", GPUs="1").accelerator_count == 0.5


def test_rdma_is_what_the_list_says_and_never_the_name() -> None:
    assert known("Standard_ND96isr_H100_v5", GPUs="8", RdmaEnabled="False").rdma_interfaces == 0
    assert known("Standard_ND96is_flex_H100_v5", GPUs="8", RdmaEnabled="True").rdma_interfaces == 1


def test_a_size_that_we_never_heard_of_is_known_by_its_capabilities() -> None:
    one = known(
        "Standard_ND999_B900_v9", GPUs="16", RdmaEnabled="True", vCPUs="999", MemoryGB="0.5"
    )
    assert (one.accelerator_kind, one.accelerator_model, one.accelerator_count) == ("gpu", "", 16)
    assert (one.rdma_interfaces, one.vcpu_count, one.memory_bytes) == (1, 999, 2**29)


def test_an_n_that_lists_no_gpu_may_hold_other_accelerators() -> None:
    assert with_capabilities("Standard_NP10s", {"RdmaEnabled": "False"}) is None


def test_a_size_of_another_family_that_lists_no_gpu_has_none() -> None:
    one = known("Standard_HB999rs_v9", RdmaEnabled="True")
    assert (one.accelerator_kind, one.accelerator_count, one.rdma_interfaces) == ("", 0, 1)


def test_nothing_told_of_a_size_that_nobody_knows_is_nothing() -> None:
    assert with_capabilities("Standard_ND999_B900_v9", {}) is None


@pytest.mark.parametrize("count", ["many", "-1", "nan", "1e9"])
def test_what_is_no_number_of_accelerators_is_refused(count: str) -> None:
    with pytest.raises(ValueError, match=r"accelerators|convert"):
        with_capabilities("Standard_NC40ads_H100_v5", {"GPUs": count})
