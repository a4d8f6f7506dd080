"""The collector against the sandbox's tenant: what Azure knows of Qumulo, and what it does not."""

from collections.abc import Callable

import pytest

from app.collectors.azure_qumulo import COLLECTOR
from app.domain.azure_qumulo import AzureQumuloFileSystemFacts
from app.domain.collecting import Connection
from app.domain.facts import ABSENT, Present, Unreadable
from app.sandbox.azure.story_qumulo import FILE_SYSTEMS
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Fault
from tests.support.azure_fixtures import azure, azure_connection, tenant
from tests.support.azure_swept_files import SweptFiles, swept_files

__all__ = ["azure", "azure_connection", "tenant"]
Sweep = Callable[..., SweptFiles]
KIND = AzureQumuloFileSystemFacts.KIND
ONLY_QUMULO = Unreadable("ToldByQumuloAlone")


@pytest.fixture
def sweep(azure: AzureServer, azure_connection: Callable[..., Connection]) -> Sweep:
    del azure
    return lambda **settings: swept_files(COLLECTOR, azure_connection(**settings))


def test_every_file_system_comes_with_one_query(sweep: Sweep, azure: AzureServer) -> None:
    found = sweep()
    assert set(found.resources) == {one.name for one in FILE_SYSTEMS}
    assert azure.calls.counts()["arm.graph.query"] == 1
    assert set(found.ends(KIND).values()) == {(True, "")}


def test_what_only_qumulo_tells_is_neither_none_nor_zero(sweep: Sweep) -> None:
    archive = sweep().derived("anq-archive-weu")
    assert archive.capacity_bytes == archive.used_bytes == archive.repositories == ONLY_QUMULO
    places = [(one.region_id, one.code) for one in archive.rest_places.value]
    assert places == [("westeurope", ""), (None, "ToldByQumuloAlone")]
    assert (archive.durability, archive.zones) == (Present("multi_az"), ABSENT)


def test_a_suspended_plan_is_no_healthy_file_system(sweep: Sweep) -> None:
    found = sweep()
    assert found.derived("anq-labs-eus2").healthy == Present(False)
    assert found.derived("anq-archive-weu").healthy == Present(True)
    assert found.derived("anq-new-weu").healthy == Unreadable("Passing Creating")


def test_without_an_inventory_nothing_is_gone(sweep: Sweep, azure: AzureServer) -> None:
    azure.faults.add(Fault(path="ResourceGraph", status=403, code="AuthorizationFailed"))
    found = sweep()
    assert found.resources == {}
    assert set(found.ends(KIND).values()) == {(False, "AuthorizationFailed")}
