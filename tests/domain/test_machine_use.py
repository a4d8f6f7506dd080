"""What a machine of Azure adds to totals, and whether its size is old."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.azure_machines import AzureVmFacts, AzureVmScaleSetFacts
from app.domain.facts import ABSENT, Fact, Present, Unreadable, fact_names
from app.domain.machine_use import machine_use, scale_set_use

H100 = "Standard_ND96isr_H100_v5"
DENIED = Unreadable("AuthorizationFailed")


def machine(**facts: Any) -> AzureVmFacts:
    """A running machine with eight accelerators that nothing else counts."""
    usual: dict[str, Any] = dict.fromkeys(fact_names(AzureVmFacts), ABSENT)
    usual |= {
        "machine_type": Present(H100),
        "is_billed": Present(True),
        "accelerator_count": Present(8.0),
    }
    return AzureVmFacts(**{**usual, **facts})


def scale_set(**facts: Any) -> AzureVmScaleSetFacts:
    """Two machines with eight accelerators each."""
    usual: dict[str, Any] = dict.fromkeys(fact_names(AzureVmScaleSetFacts), ABSENT)
    usual |= {
        "machine_type": Present(H100),
        "target_count": Present(2),
        "accelerators_per_machine": Present(8.0),
    }
    return AzureVmScaleSetFacts(**{**usual, **facts})


def test_a_machine_alone_counts_its_accelerators() -> None:
    assert machine_use(machine()).own_accelerator_count == Present(8.0)


def test_what_a_cluster_counts_is_not_counted_again() -> None:
    owned = machine_use(machine(counted_in=Present("/x")))
    assert owned.own_accelerator_count == Present(0.0)
    assert scale_set_use(scale_set(counted_in=Present("/x"))).own_accelerator_count == Present(0.0)


def test_a_deallocated_machine_has_given_them_back() -> None:
    found = machine_use(machine(is_billed=Present(False)))
    assert found.own_accelerator_count == Present(0.0)


def test_what_could_not_be_read_is_no_zero() -> None:
    for name in ("counted_in", "is_billed", "accelerator_count"):
        assert machine_use(machine(**{name: DENIED})).own_accelerator_count == DENIED
    assert scale_set_use(scale_set(counted_in=DENIED)).own_accelerator_count == DENIED
    found = scale_set_use(scale_set(accelerators_per_machine=DENIED))
    assert found.own_accelerator_count == DENIED


def test_a_machine_without_accelerators_has_none_whatever_its_state() -> None:
    found = machine_use(machine(is_billed=DENIED, accelerator_count=Present(0.0)))
    assert found.own_accelerator_count == Present(0.0)


def test_a_scale_set_counts_the_machines_that_it_is_meant_to_have() -> None:
    assert scale_set_use(scale_set()).own_accelerator_count == Present(16.0)
    empty = scale_set(target_count=Present(0), accelerators_per_machine=DENIED)
    assert scale_set_use(empty).own_accelerator_count == Present(0.0)
    assert scale_set_use(scale_set(target_count=ABSENT)).own_accelerator_count == ABSENT


def test_an_old_size_tells_a_newer_one_and_its_end() -> None:
    found = machine_use(machine(machine_type=Present("standard_nc6s_v3")))
    assert found.newer_machine_type == Present("Standard_NC40ads_H100_v5")
    assert found.retires_at == Present(datetime(2025, 9, 30, tzinfo=UTC))


def test_a_current_size_has_neither_and_an_unknown_one_is_unknown() -> None:
    current = machine_use(machine())
    assert (current.newer_machine_type, current.retires_at) == (ABSENT, ABSENT)
    unknown = machine_use(machine(machine_type=Present("Standard_NX1_v9")))
    assert unknown.newer_machine_type == Unreadable("UnknownMachineType")
    assert scale_set_use(scale_set(machine_type=DENIED)).retires_at == DENIED


@pytest.mark.parametrize(
    ("state", "running"),
    [
        ("running", Present(value=True)),
        ("stopped", Present(value=False)),
        ("deallocated", Present(value=False)),
        ("starting", Unreadable("Passing starting")),
        ("deallocating", Unreadable("Passing deallocating")),
        ("hibernating", Unreadable("UnknownState hibernating")),
    ],
)
def test_a_machine_on_its_way_is_neither_running_nor_at_rest(
    state: str, running: Fact[bool]
) -> None:
    assert machine_use(machine(state=Present(state))).is_running == running
