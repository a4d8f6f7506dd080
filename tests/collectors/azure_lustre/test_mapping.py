"""Managed Lustre's words into ours, and whatever else may stand in their place."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_lustre import mapping
from app.collectors.azure_lustre.operations import (
    ACCOUNT,
    AUTO_EXPORTS,
    AUTO_IMPORTS,
    EXPANSIONS,
    FILE_SYSTEM,
    IMPORTS,
    OPERATIONS,
)
from app.domain.azure_lustre import AzureLustreFileSystemFacts
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.replies import Parse, Reply, understood
from tests.collectors.test_hostile_answers import spoiled
from tests.support.azure_files import TIB, lustre

WIRE = Path(__file__).parent / "wire"
FEEDS = {operation.name: operation.feeds for operation in OPERATIONS}
ANSWERS: dict[str, tuple[str, Parse]] = {
    "lustre.filesystem.get": (FILE_SYSTEM, mapping.file_system),
    "lustre.auto_export_jobs.list": (AUTO_EXPORTS, mapping.auto_exports),
    "lustre.import_jobs.list": (IMPORTS, mapping.imports),
    "lustre.expansion_jobs.list": (EXPANSIONS, mapping.expansions),
    "storage.account.get": (ACCOUNT, mapping.container_account),
}


def wire(name: str) -> Any:
    return json.loads((WIRE / f"{name}.json").read_text("utf-8"))


def test_a_file_system_is_what_its_document_says() -> None:
    found = mapping.file_system(wire("lustre.filesystem.get"))
    assert found["sku_name"] == "AMLFS-Durable-Premium-250"
    assert found["storage_capacity_bytes"] == 16 * TIB
    assert found["current_storage_capacity_bytes"] is None
    assert (found["health_state"], found["availability_zones"]) == ("Available", ("1",))
    assert found["key_url"] == "https://keyvault-cmk.vault.azure.net/keys/key2048/test"
    assert found["maintenance_window"] == "Friday 22:00"
    assert found["hsm_container_id"].endswith("/containers/containername")
    assert found["hsm_logging_container_id"].endswith("/containers/loggingcontainername")
    (archive,) = found["archives"]
    assert (archive.path, archive.state, archive.code) == ("/", "Completed", "")


def test_the_account_of_the_container_is_above_it() -> None:
    document = wire("lustre.filesystem.get")
    account = mapping.container_account_id(document)
    assert account.endswith("/Microsoft.Storage/storageAccounts/storageaccountname")
    for settings in ({}, {"container": None}, {"container": "no id"}, {"container": 7}):
        document["properties"]["hsm"]["settings"] = settings
        assert mapping.container_account_id(document) == ""
    assert mapping.container_account_id({}) == ""


def test_a_file_system_without_a_container_has_none() -> None:
    document = wire("lustre.filesystem.get")
    for hsm in ({}, None, {"settings": None}, {"settings": {"container": ""}}):
        document["properties"]["hsm"] = hsm
        assert mapping.file_system(document)["hsm_container_id"] is None


def test_capacity_may_have_a_fraction_and_grow() -> None:
    document = wire("lustre.filesystem.get")
    document["properties"] |= {"storageCapacityTiB": 17.5, "currentStorageCapacityTiB": 35}
    found = mapping.file_system(document)
    assert found["storage_capacity_bytes"] == int(17.5 * TIB)
    assert found["current_storage_capacity_bytes"] == 35 * TIB


def test_an_export_tells_when_it_last_succeeded_and_what_it_has_left() -> None:
    running, off = mapping.auto_exports(wire("lustre.auto_export_jobs.list"))["auto_export_jobs"]
    assert (running.admin_status, running.state) == ("Enable", "InProgress")
    assert running.last_success_at == datetime(2024, 4, 21, 19, 28, 43, 511000, UTC)
    assert (running.failed_files, running.iterations) == (5, 100)
    assert (running.found_bytes, running.moved_bytes) == (4000 * 2**20, 500 * 2**20)
    assert (off.admin_status, off.state, off.prefixes) == ("Disable", "Disabled", ("/dir1",))
    assert (running.last_ended_at is None, off.last_ended_at is None) == (True, False)


def test_a_job_is_enabled_and_exports_everything_unless_it_says_otherwise() -> None:
    (job,) = mapping.auto_exports({"value": [{"name": "j", "properties": {}}]})["auto_export_jobs"]
    assert (job.admin_status, job.prefixes, job.state) == ("Enable", ("/",), "")
    assert (job.last_success_at, job.failed_files, job.found_bytes) == (None, None, None)


def test_an_automatic_import_tells_how_far_it_is() -> None:
    answer = {"value": [wire("lustre.auto_import_job.get")]}
    (job,) = mapping.auto_imports(answer)["auto_import_jobs"]
    assert (job.conflict_mode, job.deletes) == ("Skip", False)
    assert job.synchronized_at == datetime(2024, 3, 21, 18, 25, 43, 511000, UTC)
    assert (job.errors, job.conflicts) == (10, 5)


def test_imports_and_expansions_tell_how_they_ended() -> None:
    first, second = mapping.imports(wire("lustre.import_jobs.list"))["import_jobs"]
    assert (first.conflict_mode, second.prefixes) == ("OverwriteAlways", ("/dir1",))
    done, running, failed = mapping.expansions(wire("lustre.expansion_jobs.list"))["expansion_jobs"]
    assert (done.state, running.progress_percent, failed.code) == (
        "Completed",
        45,
        "InsufficientCapacity",
    )
    assert running.ended_at is None
    assert failed.new_capacity_bytes == 24 * TIB


def test_an_account_without_a_second_region_has_none() -> None:
    document = wire("storage.account.get")
    found = mapping.container_account(document)
    assert found["container_account_redundancy"] == document["sku"]["name"]
    del document["properties"]["secondaryLocation"]
    assert mapping.container_account(document)["container_account_secondary_region"] is None


@pytest.mark.parametrize("name", [*ANSWERS, "lustre.auto_import_job.get"])
def test_no_answer_breaks_what_follows(name: str) -> None:
    call, parse = ANSWERS.get(name, (AUTO_IMPORTS, lambda row: mapping.auto_imports(_one(row))))
    checked = typed(AzureLustreFileSystemFacts, parse)
    for answer in spoiled(wire(name)):
        reply, found = understood(Reply(Outcome.ANSWERED, answer), FEEDS[call], checked)
        assert reply.outcome in (Outcome.ANSWERED, Outcome.FAILED)
        facts = lustre(**found)
        assert json.dumps(to_fact_set(facts, *derive(facts)).to_json(), allow_nan=False)


def _one(row: Any) -> Any:
    return {"value": [row]}
