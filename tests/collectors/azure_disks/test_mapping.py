"""Rows of disks, as Microsoft shows them, as they were recorded and as they may be."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.azure_disks import mapping
from app.collectors.azure_words import time_created
from app.domain.azure_disks import AzureDiskFacts, disk_use
from app.domain.fact_check import typed
from app.domain.facts import ABSENT, Present, Unreadable, fact_names

WIRE = Path(__file__).parent / "wire"
VM = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm"
told = typed(AzureDiskFacts, mapping.disk)


def wire(name: str) -> Any:
    return json.loads((WIRE / name).read_text("utf-8"))["value"]


def row(**more: Any) -> dict[str, Any]:
    """A row with usual values; `properties` are laid over the usual ones."""
    properties = more.pop("properties", {})
    return {
        "id": "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d",
        "sku": {"name": "Premium_LRS"},
        "tags": None,
        "zones": None,
        "managedBy": "",
        "properties": {"diskState": "Unattached", "diskSizeGB": 10, **properties},
        **more,
    }


def test_recorded_disks_are_understood() -> None:
    first, *_ = [told(one) for one in wire("recorded.compute.disks.list.json")]
    assert (first["state"], first["volume_type"]) == ("Unattached", "Standard_LRS")
    assert first["size_bytes"] == 1023 * 2**30
    assert first["attached_to"] == ()
    attached = [told(one) for one in wire("recorded.compute.disks.list.json")][2]
    assert attached["state"] == "Attached"
    assert attached["attached_to"][0].endswith("/virtualMachines/cctestvm")


def test_the_documented_disks_are_understood_though_they_tell_no_state() -> None:
    found = [told(one) for one in wire("compute.disks.list.json")]
    assert [one["size_bytes"] // 2**30 for one in found] == [200, 10, 200]
    assert {one["state"] for one in found} == {None}
    assert found[0]["made_of_id"].endswith("/disks/myManagedDisk1")
    assert time_created(wire("compute.disks.list.json")[0]) is not None


def test_a_disk_that_tells_no_state_is_no_orphan() -> None:
    facts: dict[str, Any] = dict.fromkeys(fact_names(AzureDiskFacts), ABSENT)
    facts |= {"attached_to": Present(())}
    assert disk_use(AzureDiskFacts(**facts)).is_orphan == ABSENT


def test_a_shared_disk_names_each_machine_once() -> None:
    found = told(
        row(
            managedBy=VM,
            managedByExtended=[VM, VM + "2"],
            properties={"shareInfo": [{"vmUri": VM + "2"}]},
        )
    )
    assert found["attached_to"] == (VM, VM + "2")


def test_a_size_in_bytes_is_more_exact() -> None:
    assert told(row(properties={"diskSizeBytes": 5}))["size_bytes"] == 5


def test_a_claim_of_kubernetes_is_told_by_its_tags() -> None:
    tags = {
        "kubernetes.io-created-for-pvc-namespace": "atlas",
        "Kubernetes.io-Created-for-pvc-name": "cache",
    }
    assert told(row(tags=tags))["kubernetes_claim"] == "atlas/cache"
    assert told(row(tags={"kubernetes.io-created-for-pvc-name": "x"}))["kubernetes_claim"] is None


@pytest.mark.parametrize(
    ("state", "attached", "orphan"),
    [
        ("Unattached", (), True),
        ("Reserved", (VM,), False),
        ("Attached", (VM,), False),
        ("ReadyToUpload", (), False),
        ("Unattached", (VM,), False),
    ],
)
def test_only_what_nothing_holds_is_an_orphan(
    state: str, attached: tuple[str, ...], orphan: bool
) -> None:
    facts: dict[str, Any] = dict.fromkeys(fact_names(AzureDiskFacts), ABSENT)
    facts |= {"state": Present(state), "attached_to": Present(attached)}
    assert disk_use(AzureDiskFacts(**facts)).is_orphan == Present(orphan)


def test_an_unread_disk_is_no_orphan() -> None:
    odd = Unreadable("UnexpectedAnswer")
    facts: dict[str, Any] = dict.fromkeys(fact_names(AzureDiskFacts), odd)
    assert disk_use(AzureDiskFacts(**facts)).is_orphan == odd


HOSTILE: list[Any] = [
    None, 0, -1, True, "", "x", [], {}, [None], ["x"], {"x": 1}, 1.5, 10**400, float("nan"),
]  # fmt: skip


@pytest.mark.parametrize("place", ["properties", "sku", "tags", "zones", "managedBy"])
@pytest.mark.parametrize("value", HOSTILE, ids=lambda value: repr(value)[:12])
def test_whatever_stands_in_a_row_is_a_fact_of_its_type_or_none(place: str, value: Any) -> None:
    spoiled = row(**{place: value} if place != "properties" else {})
    if place == "properties":
        spoiled["properties"] = value
    try:
        told(spoiled)
    except (LookupError, TypeError, ValueError, AttributeError):
        return  # what reading.stated takes for an odd row
