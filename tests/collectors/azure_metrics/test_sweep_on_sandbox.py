"""A sweep of Azure Monitor against the simulated tenant: whole batches, and no invented value."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from app.collectors.azure_metrics import COLLECTOR
from app.collectors.azure_metrics_batch import DEFINITIONS, GET
from app.domain.collecting import Connection, ScopeReport
from app.domain.samples import AZURE_LUSTRE, AZURE_VM, Unit
from app.kit.errors import CollectorError
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Effect, Fault
from tests.support.azure_fixtures import azure, azure_connection, tenant
from tests.support.samples import Swept, swept

__all__ = ["azure", "azure_connection", "tenant"]
Connect = Callable[..., Connection]
NOW = datetime(2026, 12, 1, 9, 2, tzinfo=UTC)
TIB = 2**40


def sweep(connect: Connect) -> Swept:
    return swept(COLLECTOR, connect(), NOW)


def reports(connection: Connection, operation: str) -> list[ScopeReport]:
    seen = list(COLLECTOR.collect(connection, NOW))
    return [one for one in seen if isinstance(one, ScopeReport) and one.operation == operation]


def test_targets_of_lustre_are_summed_and_its_clients_are_not(azure_connection: Connect) -> None:
    result = sweep(azure_connection)
    used = result.of("used_bytes", "/amlfs-swc-01")
    free = result.of("free_bytes", "/amlfs-swc-01")
    ((key, used_values),) = used.items()
    assert key[1] == ""
    # Where one target is late there is no sum, for a part of it would be told as the whole.
    assert len(used_values) == 36 - 6
    assert used_values[0] + free[key][0] == pytest.approx(96 * TIB, rel=0.01)
    assert set(result.of("connected_clients", "/amlfs-swc-01")[key]) == {8.0}


def test_a_file_system_that_nobody_mounts_has_zero_clients_which_is_a_value(
    azure_connection: Connect,
) -> None:
    ((_, clients),) = sweep(azure_connection).of("connected_clients", "/amlfs-weu-scratch").items()
    assert set(clients) == {0.0}


def test_a_machine_that_is_off_has_no_data(azure_connection: Connect) -> None:
    measured = {key[0].rpartition("/")[2] for key in sweep(azure_connection).of("cpu_util_percent")}
    assert "vm-serve-es" in measured
    assert not measured & {"vm-notebook-marta", "vm-segment-train", "vm-labels-spot"}


def test_missing_points_are_left_out(azure_connection: Connect) -> None:
    for values in sweep(azure_connection).of("cpu_util_percent").values():
        assert 20 < len(values) <= 36
        assert all(0 < value <= 100 for value in values)


def test_gpus_of_azure_ml_are_told_one_by_one_in_percent(azure_connection: Connect) -> None:
    result = sweep(azure_connection)
    gpus = result.of("gpu_util_percent", "/mlw-atlas")
    assert {key[1] for key in gpus} == {
        f"nd-h100/node-{node}/{gpu}" for node in range(2) for gpu in range(4)
    }
    assert {one.unit for one in result.series("gpu_util_percent")} == {Unit.PERCENT}


def test_netapp_is_read_by_the_names_that_its_type_defines(azure_connection: Connect) -> None:
    result = sweep(azure_connection)
    pools, volumes = result.of("allocated_bytes"), result.of("used_bytes", "/vol-homes-neu")
    assert {key[0].split("/")[-2] for key in pools} == {"capacityPools"}
    assert set(result.of("used_bytes", "/pool-empty").popitem()[1]) == {0.0}
    assert all(value > 0 for values in volumes.values() for value in values)
    assert not result.of("cool_bytes"), "nothing defines it here"


def test_a_workspace_that_runs_nothing_has_no_data(azure_connection: Connect) -> None:
    assert not sweep(azure_connection).of("gpu_util_percent", "/mlw-labs")


def test_samples_are_filed_under_the_id_of_their_resource(azure_connection: Connect) -> None:
    result = sweep(azure_connection)
    (lustre,) = result.series("used_bytes", "/amlfs-swc-01")
    assert lustre.subject_kind == AZURE_LUSTRE
    assert lustre.region_id == "swedencentral"
    assert (lustre.period_seconds, lustre.source) == (
        300,
        "azure_monitor:Microsoft.StorageCache/amlFilesystems/OSTBytesUsed",
    )
    (machine,) = result.series("cpu_util_percent", "/vm-serve-es")
    assert machine.subject_kind == AZURE_VM
    assert "/resourceGroups/rg-cierzo-train/" in machine.subject_id


def test_a_type_costs_one_question_of_definitions_and_one_call_per_region_and_split(
    azure: AzureServer, azure_connection: Connect
) -> None:
    sweep(azure_connection)
    calls = azure.calls.counts()
    assert calls["arm.metricDefinitions.list"] <= 6
    assert calls["arm.graph.query"] == 1
    assert calls["monitor.metrics.batch"] < 40


def test_a_refused_batch_says_which_role_and_where(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(path="getBatch", status=403, code="AuthorizationFailed"))
    denied = reports(azure_connection(), GET)
    assert denied
    assert all(one.denied == one.asked for one in denied)
    assert all("Monitoring Reader on the subscription" in one.message for one in denied)
    assert not sweep(azure_connection).seen


def test_definitions_that_are_refused_leave_all_of_their_type_unread(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(path="amlFilesystems/.*/metricDefinitions", status=403, code="Denied"))
    result = sweep(azure_connection)
    assert not result.of("used_bytes", "amlfs-swc-01")
    assert result.of("cpu_util_percent")
    assert any(one.denied for one in reports(azure_connection(), DEFINITIONS))


@pytest.mark.parametrize(
    "fault",
    [
        Fault(path="getBatch", status=500, code="InternalError"),
        Fault(path="getBatch", effect=Effect.MALFORMED),
        Fault(path="getBatch", status=200, body='{"values": {}}'),
        Fault(path="getBatch", status=200, body='{"values": [null]}'),
        Fault(path="getBatch", status=200, body="{}"),
    ],
)
def test_a_broken_batch_is_a_failed_call_and_no_sample(
    azure: AzureServer,
    azure_connection: Connect,
    fault: Fault,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.clouds.azure_calls._ATTEMPTS", 1)
    azure.faults.add(fault)
    assert not sweep(azure_connection).seen
    assert all(one.failed for one in reports(azure_connection(), GET))


def test_a_resource_that_is_not_answered_for_is_said(
    azure: AzureServer, azure_connection: Connect
) -> None:
    azure.faults.add(Fault(path="getBatch", status=200, body='{"values": []}'))
    found = reports(azure_connection(), GET)
    assert any("no answer to it" in one.message for one in found)


def test_when_the_inventory_fails_the_list_of_series_is_not_whole(
    azure: AzureServer, azure_connection: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.clouds.azure_calls._ATTEMPTS", 1)
    azure.faults.add(Fault(path="ResourceGraph", status=500, code="InternalError"))
    try:
        result = sweep(azure_connection)
    except CollectorError:
        return
    assert all(not one.complete for one in result.listings)
