"""What follows from a declared job, and what stays open where nothing was declared."""

from typing import Any

import pytest

from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.job_use import Fit, JobUseFacts, Store, job_use
from app.domain.jobs import PRACTICES, Capacity, JobProvider, ModelKind, Phase, Scratch
from app.domain.machine_fit import Misfit
from tests.support.jobs import job, training

SILENT = Unreadable("NotDeclared")


def test_it_is_derived_wherever_a_job_is_stored() -> None:
    (found,) = derive(training())
    assert isinstance(found, JobUseFacts)
    assert found.machine_fit == Present(Fit.RIGHT)


def test_of_a_right_machine_there_is_no_better_one_and_no_difference() -> None:
    found = job_use(training(machine_type="Standard_ND96isr_H100_v5"))
    assert found.better_machine_type == ABSENT
    assert found.price_difference_per_hour == ABSENT
    assert found.machine_price_per_hour == Present(98.32)


def test_a_wrong_machine_comes_with_a_better_one_and_the_difference_in_price() -> None:
    found = job_use(
        training(phase=Phase.INFERENCE, node_count=1, machine_type="Standard_ND96isr_H100_v5")
    )
    assert found.machine_fit == Present(Fit.WRONG)
    assert found.machine_misfits == Present((Misfit.WITH_UNUSED_RDMA,))
    assert found.better_machine_type == Present("Standard_NC40ads_H100_v5")
    assert found.price_difference_per_hour == Present(-91.34)
    assert found.price_currency == Present("USD")
    assert isinstance(found.price_source, Present)


def test_an_unknown_price_is_no_price_of_zero() -> None:
    found = job_use(training(machine_type="Standard_D64s_v5", region="swedencentral"))
    assert found.better_machine_type == Present("Standard_ND96isr_H200_v5")
    assert found.price_difference_per_hour == Unreadable("PriceNotKnown")
    assert found.better_price_per_hour == Unreadable("PriceNotKnown")


def test_of_spot_machines_no_price_is_told() -> None:
    found = job_use(training(capacity=Capacity.SPOT, machine_type="Standard_NC80adis_H100_v5"))
    assert found.price_difference_per_hour == Unreadable("SpotPrice")


def test_older_machines_are_told_from_wrong_ones() -> None:
    found = job_use(training(machine_type="Standard_ND96asr_v4"))
    assert found.machine_fit == Present(Fit.OLDER)
    assert found.better_machine_type == Present("Standard_ND96isr_H200_v5")


@pytest.mark.parametrize("name", ["phase", "node_count", "provider", "machine_type"])
def test_what_was_not_declared_leaves_the_fit_open(name: str) -> None:
    said = {
        "phase": Phase.TRAINING,
        "model_kind": ModelKind.LARGE_LANGUAGE_MODEL,
        "provider": JobProvider.AZURE,
        "machine_type": "Standard_ND96isr_H200_v5",
        "node_count": 2,
    }
    del said[name]
    assert job_use(job(**said)).machine_fit == SILENT


def test_a_machine_that_nobody_knows_leaves_the_fit_open() -> None:
    found = job_use(training(machine_type="Standard_ND1000_v99"))
    assert found.machine_fit == Unreadable("UnknownMachineType")
    assert found.accelerator_count == Unreadable("UnknownMachineType")


def test_no_rule_speaks_of_preprocessing() -> None:
    assert job_use(training(phase=Phase.PREPROCESSING)).machine_fit == ABSENT


def test_how_big_a_model_is_follows_from_its_kind_or_its_parameters() -> None:
    on_memory = {"machine_type": "Standard_E32s_v5", "node_count": 1}
    small = training(model_kind=ModelKind.VISION, parameter_count=25_000_000, **on_memory)
    classical = training(model_kind=ModelKind.CLASSICAL, parameter_count=None, **on_memory)
    silent = training(model_kind=ModelKind.VISION, parameter_count=None, **on_memory)
    assert job_use(small).machine_fit == Present(Fit.RIGHT)
    assert job_use(classical).machine_fit == Present(Fit.RIGHT)
    assert job_use(silent).machine_fit == SILENT


def test_one_practice_that_is_missing_is_known_before_the_others_are_told() -> None:
    every = dict.fromkeys(PRACTICES, "see the handbook")
    assert job_use(job(**every)).practices_missing == Present(())
    assert job_use(job(**(every | {"logged": None}))).practices_missing == Present(("logged",))
    assert job_use(job(logged=None)).practices_missing == Present(("logged",))
    assert job_use(job(logged="/var/log/run")).practices_missing == SILENT


@pytest.mark.parametrize(
    ("location", "store"),
    [
        ("abfss://ckpt@cierzo.dfs.core.windows.net/run", Store.OBJECT_STORE),
        ("https://cierzo.blob.core.windows.net/ckpt", Store.OBJECT_STORE),
        ("s3://ckpt/run", Store.OBJECT_STORE),
        ("https://ckpt.s3.eu-west-1.amazonaws.com/run", Store.OBJECT_STORE),
        ("/lustre/ckpt", Store.FILE_SYSTEM),
        ("10.0.0.4@tcp:/lustrefs", Store.FILE_SYSTEM),
        ("nfs-1.example.org:/volume", Store.FILE_SYSTEM),
        ("/mnt/nvme/ckpt", Store.SCRATCH),
        ("/mnt/nvme-old/ckpt", Store.FILE_SYSTEM),
        ("the usual place", Unreadable("UnknownAddress")),
    ],
)
def test_an_address_tells_what_holds_the_bytes(location: str, store: Any) -> None:
    found = job_use(training(checkpoint_location=location)).checkpoint_store
    assert found == (Present(store) if isinstance(store, Store) else store)


def test_a_path_on_an_unknown_scratch_is_not_guessed() -> None:
    hidden = job(scratch=Scratch.BEEOND, output_location="/mnt/x")
    assert job_use(hidden).output_store == SILENT
    assert job_use(job(output_location="/mnt/x")).output_store == SILENT
    assert job_use(job(scratch=None, output_location="/mnt/x")).output_store == Present(
        Store.FILE_SYSTEM
    )


def test_only_local_disks_are_gone_with_the_job() -> None:
    assert job_use(job(scratch=Scratch.BEEOND)).scratch_is_volatile == Present(True)
    assert job_use(job(scratch=Scratch.LUSTRE)).scratch_is_volatile == Present(False)
    assert job_use(job(scratch=None)).scratch_is_volatile == Present(False)
    assert job_use(job()).scratch_is_volatile == SILENT
