"""VM sizes of Azure are looked up without letter case; what nobody knows stays unknown."""

from datetime import date

import pytest

from app.domain.azure_machine_types import (
    FAMILY,
    _table,
    azure_machine_type,
    known_azure_size,
)
from app.domain.machine_types import TABLE

GIB = 2**30


@pytest.mark.parametrize(
    ("name", "model", "count", "memory_gib", "rdma"),
    [
        ("Standard_ND96asr_v4", "NVIDIA A100", 8, 40, 8),
        ("STANDARD_ND96AMSR_A100_V4", "NVIDIA A100", 8, 80, 8),
        ("standard_nd96isr_h100_v5", "NVIDIA H100", 8, 80, 8),
        ("Standard_ND96is_flex_H100_v5", "NVIDIA H100", 8, 80, 0),
        ("Standard_ND96isr_H200_v5", "NVIDIA H200", 8, 141, 8),
        ("Standard_ND128isr_NDR_GB200_v6", "NVIDIA GB200", 4, 192, 4),
        ("Standard_ND96isr_MI300X_v5", "AMD MI300X", 8, 192, 8),
        ("Standard_NC24ads_A100_v4", "NVIDIA A100", 1, 80, 0),
        ("Standard_NC48ads_A100_v4", "NVIDIA A100", 2, 80, 0),
        ("Standard_NC96ads_A100_v4", "NVIDIA A100", 4, 80, 0),
        ("Standard_NC80adis_H100_v5", "NVIDIA H100", 2, 94, 0),
        ("Standard_NC4as_T4_v3", "NVIDIA T4", 1, 16, 0),
        ("Standard_NC24rs_v3", "NVIDIA V100", 4, 16, 1),
        ("Standard_NV18ads_A10_v5", "NVIDIA A10", 0.5, 12, 0),
    ],
)
def test_accelerators_are_counted_in_whole_devices(
    name: str, model: str, count: float, memory_gib: int, rdma: int
) -> None:
    one = azure_machine_type(name)
    assert one is not None
    assert (one.accelerator_kind, one.accelerator_model) == ("gpu", model)
    assert (one.accelerator_count, one.rdma_interfaces) == (count, rdma)
    assert one.accelerator_memory_bytes == memory_gib * GIB
    assert one.source == TABLE


def test_a_sixth_of_a_gpu_is_a_sixth() -> None:
    one = azure_machine_type("Standard_NV6ads_A10_v5")
    assert one is not None
    assert one.accelerator_count == pytest.approx(1 / 6, abs=1e-5)


@pytest.mark.parametrize(
    "name", ["Standard_D4s_v5", "Standard_E4bs_v5", "basic_a1", "Standard_M64"]
)
def test_a_plain_family_holds_no_accelerator_and_its_rest_is_not_known(name: str) -> None:
    one = azure_machine_type(name)
    assert one is not None
    assert (one.accelerator_kind, one.accelerator_count, one.rdma_interfaces) == ("", 0, 0)
    assert (one.vcpu_count, one.memory_bytes, one.source) == (None, None, FAMILY)


@pytest.mark.parametrize(
    "name", ["", "Standard_NC999_X_v9", "Standard_NP10s", "Standard_HB999rs_v9", "M64", "anything"]
)
def test_what_may_hold_something_that_nobody_knows_is_unknown(name: str) -> None:
    assert azure_machine_type(name) is None


def test_rdma_without_accelerators_is_known_of_hpc_sizes() -> None:
    one = azure_machine_type("Standard_HB176rs_v4")
    assert one is not None
    assert (one.accelerator_count, one.rdma_interfaces, one.vcpu_count) == (0, 1, 176)


def test_memory_and_cpus_are_told_of_the_sizes_for_small_models() -> None:
    big, quick = azure_machine_type("Standard_E32s_v6"), azure_machine_type("Standard_F16als_v6")
    assert big
    assert quick
    assert (big.vcpu_count, big.memory_bytes) == (32, 256 * GIB)
    assert (quick.vcpu_count, quick.memory_bytes) == (16, 32 * GIB)


def test_an_old_size_names_a_newer_one_and_the_day_it_ends() -> None:
    old = known_azure_size("standard_nc24rs_v3")
    assert old is not None
    assert (old.newer_size, old.retires_on) == ("Standard_ND96isr_H200_v5", date(2025, 9, 30))
    current = known_azure_size("Standard_ND96isr_H200_v5")
    assert current is not None
    assert (current.newer_size, current.retires_on) == ("", None)


def test_every_newer_size_is_a_row_that_has_none_newer() -> None:
    for row in _table().values():
        if row.newer_size:
            newer = known_azure_size(row.newer_size)
            assert newer, row.newer_size
            assert not newer.newer_size, row.machine.id


def test_every_row_says_where_it_comes_from() -> None:
    assert all(row.page for row in _table().values())
