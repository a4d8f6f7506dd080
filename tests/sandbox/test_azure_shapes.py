"""The simulated Azure answers in the shapes that the real one was seen to use."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.sandbox.story import RESEARCH
from tests.sandbox.conftest import AzureWire

WIRE = Path(__file__).parent / "wire"
Wire = Callable[[str], Any]
# Fields of the real API that no recording happens to hold.
UNRECORDED = {
    "properties.secondaryEndpoints.blob",
    "properties.secondaryEndpoints.dfs",
    "properties.secondaryEndpoints.queue",
    "properties.secondaryEndpoints.table",
    "properties.secondaryEndpoints.web",
    "properties.lastGeoFailoverTime",
    "properties.encryption.requireInfrastructureEncryption",
    "properties.containerDeleteRetentionPolicy.days",
    "properties.containerDeleteRetentionPolicy.enabled",
    "properties.defaultEncryptionScope",
    "properties.denyEncryptionScopeOverride",
    *(
        f"properties.immutableStorageWithVersioning.{name}"
        for name in (
            "enabled",
            "immutabilityPolicy.allowProtectedAppendWrites",
            "immutabilityPolicy.immutabilityPeriodSinceCreationInDays",
            "immutabilityPolicy.state",
        )
    ),
    "properties.restorePolicy.days",
    "properties.restorePolicy.lastEnabledTime",
    "properties.restorePolicy.minRestoreTime",
    "properties.restorePolicy.enabled",
    "properties.lastAccessTimeTrackingPolicy.blobType[]",
}


def paths(document: Any, prefix: str = "") -> Iterator[str]:
    """Every leaf of a JSON document as a dotted path; tags are data, not shape."""
    if isinstance(document, dict) and document:
        for name, value in document.items():
            if name != "tags":
                yield from paths(value, f"{prefix}.{name}" if prefix else name)
    elif isinstance(document, list):
        for item in document:
            yield from paths(item, prefix + "[]")
    else:
        yield prefix


def known(wire: Wire, *names: str, inside: str = "") -> set[str]:
    """All paths of some recorded answers, of each row when they are lists."""
    found = set(UNRECORDED)
    for name in names:
        document = wire(name)
        rows = document.get("value", [document]) if isinstance(document, dict) else document
        found |= {path for row in rows for path in paths(row)}
    return found | {inside}


ACCOUNT_FILES = (
    "recorded.storage.accounts.list.json",
    "storage.accounts.list.json",
    "storage.account.get.json",
    "storage.account.get.cmk.json",
)
POLICY_FILES = (
    "recorded.storage.management_policy.json",
    "storage.management_policy.get.json",
    "storage.management_policy.cold_tier.json",
    "storage.management_policy.last_access.json",
    "storage.management_policy.versions_snapshots.json",
)


def test_every_account_has_only_known_fields(azure: AzureWire, wire: Wire) -> None:
    shape = known(wire, *ACCOUNT_FILES)
    for account in azure.server.estate.scripted:
        document = azure.account(account.name, **{"$expand": "geoReplicationStats"}).json()
        assert set(paths(document)) - shape == set(), account.name


def test_an_account_lacks_no_field_that_recorded_ones_have(azure: AzureWire, wire: Wire) -> None:
    recorded = wire("recorded.storage.accounts.list.json")["value"][0]
    never_read = {
        "properties.dnsEndpointType",
        "properties.defaultToOAuthAuthentication",
        "properties.isNfsV3Enabled",
        "properties.isLocalUserEnabled",
        "properties.isSftpEnabled",
        "identity.type",
    }
    wanted = {
        path
        for path in paths(recorded)
        if path not in never_read and not path.startswith("properties.networkAcls")
    }
    assert wanted - set(paths(azure.account("stctthoraxswc").json())) == set()


def test_a_geo_redundant_account_has_the_fields_of_a_real_one(azure: AzureWire, wire: Wire) -> None:
    real = wire("storage.account.get.json")["properties"]
    ours = azure.account("stctthoraxweu").json()["properties"]
    for name in ("primaryLocation", "secondaryLocation", "statusOfPrimary", "statusOfSecondary"):
        assert isinstance(ours[name], type(real[name]))


def test_blob_services_have_only_known_fields(azure: AzureWire, wire: Wire) -> None:
    shape = known(
        wire,
        "recorded.storage.blob_services.json",
        "storage.blob_services.get.json",
        "storage.blob_services.last_access_tracking.json",
    )
    for account in azure.server.estate.scripted:
        answer = azure.account(account.name, "/blobServices/default")
        if answer.status_code == 200:
            assert set(paths(answer.json())) - shape == set(), account.name


def test_lifecycle_policies_have_only_known_fields(azure: AzureWire, wire: Wire) -> None:
    rows = "properties.policy.rules[].definition"
    shape = known(wire, *POLICY_FILES) | {
        f"{rows}.filters.blobIndexMatch[].{name}" for name in ("name", "op", "value")
    }
    for basis in ("Creation", "LastTierChange", "Modification", "LastAccessTime"):
        for action in ("tierToCool", "tierToCold", "tierToArchive", "delete"):
            for kind in ("baseBlob", "version", "snapshot"):
                shape.add(f"{rows}.actions.{kind}.{action}.daysAfter{basis}GreaterThan")
    for account in azure.server.estate.scripted:
        answer = azure.account(account.name, "/managementPolicies/default")
        if answer.status_code == 200:
            assert set(paths(answer.json())) - shape == set(), account.name


def test_days_come_as_floating_point_numbers(azure: AzureWire, wire: Wire) -> None:
    def days(policy: Any) -> Any:
        rule = policy["properties"]["policy"]["rules"][0]
        return next(iter(next(iter(rule["definition"]["actions"]["baseBlob"].values())).values()))

    ours = azure.account("stctthoraxswc", "/managementPolicies/default").json()
    assert type(days(ours)) is type(days(wire("recorded.storage.management_policy.json")))


def test_a_missing_policy_is_the_recorded_404(azure: AzureWire, wire: Wire) -> None:
    answer = azure.account("stnopolicyweu", "/managementPolicies/default")
    recorded = wire("recorded.storage.management_policy.404.json")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == recorded["error"]["code"]
    assert set(paths(answer.json())) == set(paths(recorded))


@pytest.mark.parametrize(
    ("account", "below", "file"),
    [
        ("stcierzoweu", "/blobServices/default/containers", "storage.containers.list.json"),
        ("stctthoraxswc", "/inventoryPolicies", "storage.inventory_policy.list.json"),
    ],
)
def test_lists_have_only_known_fields(
    azure: AzureWire, wire: Wire, account: str, below: str, file: str
) -> None:
    document = azure.account(account, below).json()
    assert {path for row in document["value"] for path in paths(row)} <= known(wire, file)


def test_object_replication_shows_what_the_example_shows(azure: AzureWire, wire: Wire) -> None:
    ours = azure.account("stspeechswc", "/objectReplicationPolicies").json()["value"][0]
    example = wire("storage.object_replication.list.json")["value"][0]
    assert set(paths(example)) <= set(paths(ours))
    assert ours["type"] == example["type"]


def test_an_immutability_policy_has_the_examples_fields(azure: AzureWire, wire: Wire) -> None:
    below = "/blobServices/default/containers/evidence/immutabilityPolicies/default"
    ours = azure.account("stevidenceswc", below).json()
    example = wire("storage.container.immutability.get.json")
    assert set(paths(ours)) == set(paths(example))


def test_locations_have_the_fields_of_the_recorded_region(azure: AzureWire, wire: Wire) -> None:
    ours = azure.get(f"/subscriptions/{RESEARCH.subscription_id}/locations").json()["value"]
    west = next(row for row in ours if row["name"] == "westeurope")
    recorded = wire("locations.westeurope.recorded.json")[0]
    assert set(paths(west)) == set(paths(recorded))
    pair = recorded["metadata"]["pairedRegion"][0]["name"]
    assert west["metadata"]["pairedRegion"][0]["name"] == pair
    shape = known(wire, "locations.list.json", "locations.westeurope.recorded.json")
    assert {path for row in ours for path in paths(row)} <= shape
    madrid = next(row for row in ours if row["name"] == "spaincentral")
    assert madrid["metadata"]["pairedRegion"] == []


def test_subscriptions_have_only_known_fields(azure: AzureWire, wire: Wire) -> None:
    ours = azure.get("/subscriptions").json()["value"]
    shape = known(wire, "subscriptions.list.json") | {"managedByTenants"}
    assert {path for row in ours for path in paths(row)} <= shape | {"managedByTenants[]"}


def test_a_page_of_the_graph_has_the_recorded_envelope(azure: AzureWire, wire: Wire) -> None:
    query = "resources | where type =~ 'microsoft.storage/storageaccounts' | project id, name"
    ours = azure.graph(query, **{"$top": 3}).json()
    example = wire("resourcegraph.first_page.json")
    assert ours.keys() == example.keys()
    assert {name: type(value) for name, value in ours.items()} == {
        name: type(value) for name, value in example.items()
    }


def parsed(text: str) -> ET.Element:
    """The root of an XML document of our own or of the recordings."""
    return ET.fromstring(text)  # noqa: S314 - both are ours to trust


def element_paths(element: ET.Element, prefix: str = "") -> Iterator[str]:
    """Every element of an XML document as a slashed path."""
    path = f"{prefix}/{element.tag}"
    yield path
    for child in element:
        yield from element_paths(child, path)


def test_blob_lists_have_the_recorded_elements(azure: AzureWire) -> None:
    recorded: set[str] = set()
    for file in WIRE.glob("blob.list.*.xml"):
        recorded |= set(element_paths(parsed(file.read_text(encoding="utf-8"))))
    lake = azure.http.get("/stlakeswc/lake?restype=container&comp=list")
    thorax = azure.http.get("/stctthoraxswc/ct-thorax?restype=container&comp=list&include=versions")
    ours = {path for text in (lake.text, thorax.text) for path in element_paths(parsed(text))}
    assert ours == recorded
