"""The right machine for a job, by what document 001 recommends."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from app.domain import machine_fit
from app.domain.jobs import JobProvider, Phase
from app.domain.machine_fit import Misfit, Work, better_type, machine_type_of, misfits
from app.domain.machine_prices import machine_price
from app.domain.machine_types import MachineType

TRAINING = Work(Phase.TRAINING, False, 4, 7_000_000_000, JobProvider.AZURE, "eastus")
INFERENCE = replace(TRAINING, phase=Phase.INFERENCE, node_count=1)
SMALL = replace(TRAINING, is_small=True, node_count=1, parameter_count=1_000_000)
SCORING = replace(SMALL, phase=Phase.INFERENCE)


def machine(name: str, provider: JobProvider = JobProvider.AZURE) -> MachineType:
    """A type that is known."""
    found = machine_type_of(provider, name)
    assert found is not None
    return found


def judged(work: Work, name: str) -> tuple[tuple[Misfit, ...] | None, str]:
    """What speaks against a machine, and what would be better."""
    one = machine(name, work.provider)
    found = misfits(work, one)
    return found, better_type(work, one) if found else ""


@pytest.mark.parametrize(
    ("work", "name"),
    [
        (TRAINING, "Standard_ND96isr_H200_v5"),
        (TRAINING, "standard_nd96isr_h100_v5"),
        (replace(TRAINING, node_count=1), "Standard_NC40ads_H100_v5"),
        (INFERENCE, "Standard_NC80adis_H100_v5"),
        (SMALL, "Standard_E32s_v5"),
        (SMALL, "Standard_M64s_v2"),
        (SCORING, "Standard_F16as_v6"),
        (replace(INFERENCE, phase=Phase.PREPROCESSING), "Standard_D4s_v5"),
    ],
)
def test_what_the_document_recommends_is_right(work: Work, name: str) -> None:
    assert judged(work, name) == ((), "")


@pytest.mark.parametrize(
    ("work", "name", "misfit", "better"),
    [
        (TRAINING, "Standard_D64s_v5", "without_accelerators", "Standard_ND96isr_H100_v5"),
        (TRAINING, "Standard_NC80adis_H100_v5", "without_rdma", "Standard_ND96isr_H100_v5"),
        (INFERENCE, "Standard_ND96isr_H100_v5", "with_unused_rdma", "Standard_NC40ads_H100_v5"),
        (INFERENCE, "Standard_NV36ads_A10_v5", "for_graphics", "Standard_NC40ads_H100_v5"),
        (SMALL, "Standard_NC6s_v3", "small_model_on_accelerators", "Standard_E32s_v5"),
        (SMALL, "Standard_F16s_v2", "not_memory_optimised", "Standard_E32s_v5"),
        (SCORING, "Standard_E32s_v5", "not_compute_optimised", "Standard_F16as_v6"),
        (SCORING, "Standard_F16s_v2", "older_generation", "Standard_F16als_v6"),
        (INFERENCE, "Standard_NC24ads_A100_v4", "older_generation", "Standard_NC40ads_H100_v5"),
    ],
)
def test_what_it_advises_against_is_named_with_what_is_better(
    work: Work, name: str, misfit: str, better: str
) -> None:
    assert judged(work, name) == ((Misfit(misfit),), better)


def test_where_no_price_tells_what_is_sold_the_newest_type_is_named() -> None:
    work = replace(TRAINING, region_id="swedencentral")
    assert judged(work, "Standard_D64s_v5")[1] == "Standard_ND96isr_H200_v5"


def test_the_better_type_holds_the_model() -> None:
    """70e9 parameters of 16 bits need 168 GB: two H100 of 94 GB, not one."""
    work = replace(INFERENCE, parameter_count=70_000_000_000)
    assert judged(work, "Standard_ND96isr_H100_v5")[1] == "Standard_NC80adis_H100_v5"


def test_a_model_too_big_for_any_machine_without_a_fabric_may_have_one() -> None:
    work = replace(INFERENCE, parameter_count=400_000_000_000)
    assert judged(work, "Standard_ND96isr_H200_v5") == ((), "")


def test_without_its_size_nobody_knows_whether_a_model_needs_the_big_machine() -> None:
    work = replace(INFERENCE, parameter_count=None)
    assert judged(work, "Standard_ND96isr_H100_v5")[0] is None


@pytest.mark.parametrize("work", [TRAINING, INFERENCE], ids=["training", "inference"])
def test_a_machine_whose_fabric_is_not_told_is_not_judged_by_it(work: Work) -> None:
    silent = replace(machine("Standard_ND96isr_H200_v5"), rdma_interfaces=None)
    assert misfits(work, silent) is None
    plain = replace(silent, accelerator_kind="", accelerator_count=0)
    assert misfits(work, plain) == (Misfit.WITHOUT_ACCELERATORS,)


def test_aws_is_judged_by_its_own_types() -> None:
    work = replace(TRAINING, provider=JobProvider.AWS, region_id="us-west-2")
    assert judged(work, "p5en.48xlarge") == ((), "")
    assert judged(work, "ml.g6.xlarge") == ((Misfit.WITHOUT_RDMA,), "p5en.48xlarge")
    serving = replace(work, phase=Phase.INFERENCE, node_count=1)
    assert judged(serving, "p5.48xlarge") == ((Misfit.WITH_UNUSED_RDMA,), "g6e.2xlarge")
    assert judged(serving, "g6.12xlarge") == ((), "")


def test_a_bigger_machine_is_not_advised_because_its_price_is_known() -> None:
    work = replace(INFERENCE, provider=JobProvider.AWS, region_id="us-west-2")
    assert machine_price("aws", "g6e.12xlarge", "us-west-2") is not None
    assert judged(work, "p5.48xlarge")[1] == "g6e.2xlarge"


def test_no_machine_is_known_of_other_providers() -> None:
    assert machine_type_of(JobProvider.OTHER, "dgx-a100") is None


def test_whatever_is_recommended_is_known_and_right_for_it() -> None:
    table = Path(machine_fit.__file__).parent / "data" / "machine_choices.csv"
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    works = {
        "cluster_training": TRAINING,
        "training": replace(TRAINING, node_count=1),
        "inference": INFERENCE,
        "small_training": SMALL,
        "small_inference": SCORING,
    }
    assert {row["work"] for row in rows} == set(works)
    for row in rows:
        work = replace(works[row["work"]], provider=JobProvider(row["provider"]))
        assert judged(work, row["machine_type"]) == ((), ""), row


def test_a_price_is_known_by_region_whatever_the_spelling_of_the_size() -> None:
    found = machine_price("azure", "STANDARD_ND96ISR_H100_V5", "EastUS")
    assert found is not None
    assert (str(found.per_hour), found.currency) == ("98.32", "USD")
    assert machine_price("azure", "Standard_ND96isr_H100_v5", "swedencentral") is None
    assert machine_price("aws", "p5.48xlarge", "us-east-1") is None
    served = machine_price("aws", "ml.p5.48xlarge", "us-west-2")
    assert served is not None
    assert str(served.per_hour) == "55.04"
