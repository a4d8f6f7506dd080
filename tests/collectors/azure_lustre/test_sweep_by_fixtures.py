"""The collector against Microsoft's own examples, served as they stand."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_lustre import COLLECTOR
from app.domain.collecting import Connection, Provider
from app.domain.facts import Present, Unreadable
from tests.support.azure_swept_files import SweptFiles, swept_files
from tests.support.replay_arm import ReplayArm

WIRE = Path(__file__).parent / "wire"
JOBS = {
    "autoExportJobs": "lustre.auto_export_jobs.list",
    "importJobs": "lustre.import_jobs.list",
    "expansionJobs": "lustre.expansion_jobs.list",
}


def wire(name: str) -> Any:
    return json.loads((WIRE / f"{name}.json").read_text("utf-8"))


@pytest.fixture
def arm() -> Iterator[ReplayArm]:
    """The two file systems of the example, each with all jobs and one automatic import."""
    systems = wire("lustre.filesystems.list")["value"]
    with ReplayArm(systems) as running:
        for one in systems:
            running.answers[one["id"].lower()] = (200, one)
            for part, name in JOBS.items():
                running.set(one, part, without_next(wire(name)))
            running.set(one, "autoImportJobs", {"value": [wire("lustre.auto_import_job.get")]})
        yield running


def without_next(answer: Any) -> Any:
    return {key: value for key, value in answer.items() if key != "nextLink"}


def sweep(arm: ReplayArm) -> SweptFiles:
    return swept_files(
        COLLECTOR,
        Connection(
            id="0",
            name="Azure",
            provider=Provider.AZURE,
            config=arm.config(),
            secret=lambda _: "token",
            allow_private_endpoints=True,
        ),
    )


def test_the_examples_are_understood_whole(arm: ReplayArm) -> None:
    found = sweep(arm)
    assert set(found.resources) == {"fs1", "fs2"}
    facts, synced = found.facts("fs1"), found.derived("fs1", 1)
    assert len(facts.expansion_jobs.value) == 3
    assert synced.exported_paths == Present(("/",))
    assert (synced.export_failed_files, synced.expansion) == (Present(5), Present("running"))
    assert found.resources["fs1"].tags == {"Dept": "ContosoAds"}
    # The account of the container was not in the examples.
    assert facts.container_account_region == Unreadable("ResourceNotFound")


@pytest.mark.parametrize("link", [None, ""])
def test_a_list_that_ends_with_an_empty_link_is_whole(arm: ReplayArm, link: Any) -> None:
    answer = {**wire("lustre.expansion_jobs.list"), "nextLink": link}
    arm.set(arm.accounts[0], "expansionJobs", answer)
    assert len(sweep(arm).facts("fs1").expansion_jobs.value) == 3


@pytest.mark.parametrize("link", ["nextLink", 7, ["x"], "https://management.azure.com/next"])
def test_a_list_that_goes_on_nowhere_is_no_list(arm: ReplayArm, link: Any) -> None:
    answer = {**wire("lustre.expansion_jobs.list"), "nextLink": link}
    arm.set(arm.accounts[0], "expansionJobs", answer)
    found = sweep(arm)
    assert isinstance(found.facts("fs1").expansion_jobs, Unreadable)
    assert isinstance(found.facts("fs2").expansion_jobs, Present)
