"""How far Managed Lustre has got to Blob, and what is not known of it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.file_system_lustre import lustre_file_system, names_of
from app.domain.health import healthy
from app.domain.lustre_sync import account_of, lustre_sync
from tests.support.azure_files import (
    ACCOUNT,
    CONTAINER,
    TIB,
    auto_export,
    auto_import,
    expansion,
    lustre,
)

DENIED = Unreadable("AuthorizationFailed")
EARLIER = datetime(2026, 12, 1, 6, tzinfo=UTC)


def jobs(*found: Any) -> Any:
    return Present(tuple(found))


def test_the_oldest_of_all_exports_decides() -> None:
    both = jobs(auto_export(), auto_export(name="b", prefixes=("/b",), last_success_at=EARLIER))
    found = lustre_sync(lustre(auto_export_jobs=both))
    assert found.exported_until == Present(EARLIER)
    assert found.exported_paths == Present(("/", "/b"))


def test_an_export_that_never_succeeded_has_exported_until_no_time() -> None:
    both = jobs(auto_export(), auto_export(name="b", last_success_at=None))
    assert lustre_sync(lustre(auto_export_jobs=both)).exported_until == ABSENT


def test_an_export_that_is_switched_off_does_not_count() -> None:
    found = lustre_sync(lustre(auto_export_jobs=jobs(auto_export(admin_status="Disable"))))
    assert found.exported_paths == Present(())
    assert (found.exported_until, found.export_failed_files) == (ABSENT, ABSENT)
    assert (found.export_backlog_bytes, found.export_backlog_seconds) == (ABSENT, ABSENT)


def test_without_a_container_nothing_is_exported_whatever_the_lists_say() -> None:
    found = lustre_sync(lustre(hsm_container_id=ABSENT, auto_export_jobs=DENIED))
    assert found.exported_paths == Present(())
    assert (found.exported_until, found.logs_beside_container) == (ABSENT, ABSENT)


def test_jobs_that_were_not_read_are_not_no_jobs() -> None:
    for facts in ({"auto_export_jobs": DENIED}, {"hsm_container_id": DENIED}):
        found = lustre_sync(lustre(**facts))
        assert found.exported_paths == found.exported_until == found.export_failed_files == DENIED
        assert found.export_backlog_seconds == DENIED


def test_the_backlog_is_what_the_mover_has_not_copied() -> None:
    job = auto_export(found_bytes=4 * TIB, moved_bytes=TIB)
    found = lustre_sync(lustre(auto_export_jobs=jobs(job)))
    assert found.export_backlog_bytes == Present(3 * TIB)
    assert found.export_backlog_seconds == Present(round(3 * TIB / 7.5e9, 1))
    ahead = auto_export(found_bytes=0, moved_bytes=TIB)
    assert lustre_sync(lustre(auto_export_jobs=jobs(ahead))).export_backlog_bytes == Present(0)


def test_figures_that_azure_leaves_out_are_not_zero() -> None:
    job = auto_export(failed_files=None, moved_bytes=None)
    found = lustre_sync(lustre(auto_export_jobs=jobs(job)))
    assert found.export_failed_files == Unreadable("NotReported")
    assert found.export_backlog_seconds == Unreadable("NotReported")


@pytest.mark.parametrize(
    ("logs", "beside"),
    [
        (Present(f"{ACCOUNT.upper()}/blobServices/default/containers/l"), Present(True)),
        (Present("/storageAccounts/other/blobServices/default/containers/l"), Present(False)),
        (Present("no id"), Present(False)),
        (ABSENT, Present(False)),
        (DENIED, DENIED),
    ],
)
def test_logs_lie_beside_the_container_in_any_letter_case(logs: Any, beside: Any) -> None:
    assert lustre_sync(lustre(hsm_logging_container_id=logs)).logs_beside_container == beside
    assert account_of(CONTAINER) == ACCOUNT.lower()


@pytest.mark.parametrize(
    ("found", "state"),
    [
        ((), Present("none")),
        ((expansion(),), Present("succeeded")),
        (
            (expansion(state="Failed", started_at=EARLIER), expansion()),
            Present("failed"),
        ),
        (
            (expansion(state="Failed"), expansion(started_at=EARLIER)),
            Present("succeeded"),
        ),
        ((expansion(), expansion(state="InProgress", started_at=None)), Present("running")),
        ((expansion(state="Dreaming"),), Unreadable("UnknownState Dreaming")),
    ],
)
def test_the_newest_expansion_counts(found: Any, state: Any) -> None:
    assert lustre_sync(lustre(expansion_jobs=jobs(*found))).expansion == state


def test_an_expansion_says_why_by_its_code_where_it_has_no_words() -> None:
    failed = expansion(state="Failed", code="InsufficientCapacity")
    found = lustre_sync(lustre(expansion_jobs=jobs(failed)))
    assert found.expansion_message == Present("InsufficientCapacity")


def test_expansions_that_were_not_read_are_not_none() -> None:
    found = lustre_sync(lustre(expansion_jobs=DENIED))
    assert found.expansion == found.expansion_started_at == found.expansion_message == DENIED


def test_an_export_of_one_directory_does_not_export_everything() -> None:
    part = lustre(auto_export_jobs=jobs(auto_export(prefixes=("/checkpoints",))))
    assert lustre_file_system(part).exports_changes == Present(False)
    assert lustre_file_system(lustre()).exports_changes == Present(True)
    off = lustre(auto_export_jobs=jobs(auto_export(admin_status="disable")))
    assert lustre_file_system(off).exports_changes == Present(False)


def test_a_failed_import_breaks_the_link_too() -> None:
    failed = auto_import(state="Failed", message="no access")
    found = lustre_file_system(lustre(auto_import_jobs=jobs(failed)))
    assert found.broken_repository_paths == Present(("/",))
    assert isinstance(found.repositories, Present)
    assert (found.repositories.value[0].status, found.repositories.value[0].fault) == (
        "Failed",
        "no access",
    )


def test_a_job_that_was_switched_off_after_it_failed_is_no_broken_link() -> None:
    off = auto_export(admin_status="Disable", state="Failed")
    found = lustre_file_system(lustre(auto_export_jobs=jobs(off)))
    assert found.broken_repository_paths == Present(())


def test_capacity_is_what_there_is_now() -> None:
    grown = lustre(current_storage_capacity_bytes=Present(32 * TIB))
    assert lustre_file_system(grown).capacity_bytes == Present(32 * TIB)
    untold = lustre(current_storage_capacity_bytes=ABSENT)
    assert lustre_file_system(untold).capacity_bytes == Present(16 * TIB)


def test_a_redundancy_that_copies_without_naming_the_region_leaves_it_unknown() -> None:
    geo = lustre(container_account_redundancy=Present("Standard_GRS"))
    found = lustre_file_system(geo).rest_places
    assert isinstance(found, Present)
    assert [(one.role, one.region_id, one.code) for one in found.value] == [
        ("primary", "swedencentral", ""),
        ("replica", "swedencentral", ""),
        ("geo_pair", None, "NotReported"),
    ]
    assert found.value[1].store == "stckpt/hsm"


def test_the_key_and_the_sku_say_what_they_say() -> None:
    own = lustre_file_system(lustre(key_url=Present("https://kv/keys/k")))
    assert (own.encrypted, own.encryption) == (Present(True), Present("customer_key"))
    assert lustre_file_system(lustre()).encryption == Present("provider_key")
    new = lustre_file_system(lustre(sku_name=Present("AMLFS-Scratch-1")))
    assert new.durability == Unreadable("UnknownSku AMLFS-Scratch-1")


@pytest.mark.parametrize(
    ("state", "found"),
    [
        (Present("Available"), Present(True)),
        (Present("DEGRADED"), Present(False)),
        (Present("Maintenance"), Unreadable("Passing Maintenance")),
        (Present("Sleeping"), Unreadable("UnknownState Sleeping")),
        (ABSENT, Unreadable("NotReported")),
        (DENIED, DENIED),
    ],
)
def test_a_state_that_passes_is_neither_healthy_nor_not(state: Any, found: Any) -> None:
    said = healthy(state, good=("available",), bad=("degraded",), passing=("maintenance",))
    assert said == found


def test_an_id_that_names_no_container_names_nothing() -> None:
    assert names_of(CONTAINER) == ("stckpt", "hsm")
    assert names_of("") == names_of("/a/b") == ("", "")
