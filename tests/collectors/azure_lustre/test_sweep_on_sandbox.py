"""The collector against the sandbox's tenant: exports, containers in other accounts, refusals."""

from collections.abc import Callable

import pytest

from app.collectors.azure_lustre import COLLECTOR
from app.collectors.azure_lustre.operations import ACCOUNT, AUTO_EXPORTS, EXPANSIONS, FILE_SYSTEM
from app.collectors.azure_reading import GRAPH
from app.domain.azure_lustre import AzureLustreFileSystemFacts
from app.domain.collecting import Connection, Outcome
from app.domain.facts import ABSENT, Present, Unreadable
from app.kit.clock import utc_now
from app.sandbox.azure.story_lustre import FILE_SYSTEMS
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import RESEARCH
from tests.support.azure_fixtures import azure, azure_connection, tenant
from tests.support.azure_swept_files import SweptFiles, swept_files, unreadable

__all__ = ["azure", "azure_connection", "tenant"]
Connect = Callable[..., Connection]
KIND = AzureLustreFileSystemFacts.KIND
GOOD = "amlfs-swc-01"


@pytest.fixture
def sweep(azure: AzureServer, azure_connection: Connect) -> Callable[..., SweptFiles]:
    del azure
    return lambda **settings: swept_files(COLLECTOR, azure_connection(**settings))


Sweep = Callable[..., SweptFiles]


def test_every_file_system_is_read_with_its_jobs(sweep: Sweep, azure: AzureServer) -> None:
    found = sweep()
    assert set(found.resources) == {one.name for one in FILE_SYSTEMS}
    assert all(found.ends(KIND).values())
    assert {one.is_lagging for one in found.whole.listings.values()} == {True}
    calls = azure.calls.counts()
    assert calls["arm.graph.query"] == 1
    assert unreadable(found.facts(GOOD)) == {}
    assert found.resources[GOOD].tags == dict(FILE_SYSTEMS[0].dataset.tags(role="checkpoints"))


def test_what_an_export_has_reached_is_known_to_the_minute(sweep: Sweep) -> None:
    found = sweep()
    synced = found.derived(GOOD, 1)
    assert (utc_now() - synced.exported_until.value).total_seconds() < 600
    assert (synced.export_failed_files, synced.logs_beside_container) == (Present(0), Present(True))
    assert synced.expansion == Present("succeeded")
    behind = found.derived("amlfs-swc-notes", 1)
    assert behind.export_failed_files == Present(214)
    assert behind.export_backlog_seconds.value == round(14 * 2**40 / 7.5e9, 1)
    assert found.derived("amlfs-labs-scus", 1).exported_until == ABSENT


def test_copies_of_the_container_are_places_of_the_file_system(sweep: Sweep) -> None:
    found = sweep()
    places = {
        name: [(one.role, one.region_id) for one in found.derived(name).rest_places.value]
        for name in ("amlfs-swc-notes", GOOD, "amlfs-weu-lost", "amlfs-weu-scratch")
    }
    assert places == {
        GOOD: [("primary", "swedencentral"), ("replica", "swedencentral")],
        "amlfs-swc-notes": [
            ("primary", "swedencentral"),
            ("replica", "switzerlandnorth"),
            ("geo_pair", "switzerlandwest"),
        ],
        "amlfs-weu-lost": [("primary", "westeurope"), ("replica", None), ("geo_pair", None)],
        "amlfs-weu-scratch": [("primary", "westeurope")],
    }
    assert found.facts("amlfs-weu-lost").container_account_region == Unreadable("ResourceNotFound")


def test_a_file_system_without_a_container_exports_nothing_and_says_so(sweep: Sweep) -> None:
    found = sweep()
    facts = found.facts("amlfs-weu-scratch")
    assert (facts.hsm_container_id, facts.container_account_region) == (ABSENT, ABSENT)
    assert found.derived("amlfs-weu-scratch").repositories == ABSENT
    assert found.derived("amlfs-weu-scratch").healthy == Present(False)


def test_a_failed_export_is_a_broken_link(sweep: Sweep) -> None:
    broken = sweep().derived("amlfs-weu-lost")
    assert broken.broken_repository_paths == Present(("/",))
    (link,) = broken.repositories.value
    assert (link.system, link.store, link.prefix) == ("blob", "stlustregone", "hsm")
    assert link.fault == "The container could not be reached."
    assert broken.healthy == Unreadable("Passing Expanding")


def test_a_refused_list_of_jobs_costs_these_jobs_alone(sweep: Sweep, azure: AzureServer) -> None:
    azure.faults.add(Fault(path=f"{GOOD}/autoExportJobs", status=403, code="AuthorizationFailed"))
    found = sweep()
    assert unreadable(found.facts(GOOD)) == {"auto_export_jobs": "AuthorizationFailed"}
    assert found.derived(GOOD, 1).exported_until == Unreadable("AuthorizationFailed")
    assert found.derived(GOOD).exports_changes == Unreadable("AuthorizationFailed")
    assert found.total(AUTO_EXPORTS, Outcome.DENIED) == 1


def test_a_refused_account_leaves_its_region_unknown(sweep: Sweep, azure: AzureServer) -> None:
    azure.faults.add(
        Fault(path="storageAccounts/stcierzoswc", status=403, code="AuthorizationFailed")
    )
    found = sweep()
    rest = found.derived(GOOD).rest_places.value
    assert [(one.region_id, one.code) for one in rest] == [
        ("swedencentral", ""),
        (None, "AuthorizationFailed"),
        (None, "AuthorizationFailed"),
    ]
    assert found.total(ACCOUNT, Outcome.DENIED) == 2


@pytest.mark.parametrize("effect", [Effect.REPEATED_NEXT, Effect.FOREIGN_NEXT])
def test_a_list_of_jobs_that_does_not_end_is_no_list(
    sweep: Sweep, azure: AzureServer, effect: Effect
) -> None:
    azure.faults.add(Fault(path=f"{GOOD}/expansionJobs", effect=effect))
    found = sweep()
    assert isinstance(found.facts(GOOD).expansion_jobs, Unreadable)
    assert isinstance(found.derived(GOOD, 1).expansion, Unreadable)
    assert found.total(EXPANSIONS, Outcome.FAILED) == 1


def test_a_file_system_that_cannot_be_read_still_exists(sweep: Sweep, azure: AzureServer) -> None:
    azure.faults.add(Fault(path=f"amlFilesystems/{GOOD}", status=500, code="InternalError"))
    found = sweep()
    assert found.facts(GOOD).hsm_container_id == Unreadable("InternalError")
    assert found.facts(GOOD).container_account_region == Unreadable("InternalError")
    assert found.ends(KIND)[RESEARCH.subscription_id] == (True, "")
    assert found.total(FILE_SYSTEM, Outcome.FAILED) == 1


def test_without_an_inventory_nothing_is_gone(sweep: Sweep, azure: AzureServer) -> None:
    azure.faults.add(Fault(path="ResourceGraph", status=403, code="AuthorizationFailed"))
    found = sweep()
    assert found.resources == {}
    assert set(found.ends(KIND).values()) == {(False, "AuthorizationFailed")}
    assert found.total(GRAPH, Outcome.DENIED) == 1


def test_a_deleted_file_system_is_not_seen(sweep: Sweep, azure: AzureServer) -> None:
    azure.held.hide(FILE_SYSTEMS[0].resource_id)
    assert GOOD not in sweep().resources
