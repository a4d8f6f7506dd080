"""Azure Resource Manager and Blob, as a collector reads them over a real socket."""

import xml.etree.ElementTree as ET
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from app.sandbox.azure.arm import CONTAINERS_PAGE
from app.sandbox.azure.estate import AzureEstate
from app.sandbox.azure_server import AzureServer
from app.sandbox.story import AMERICAS, PLATFORM, RESEARCH, SUBSCRIPTIONS
from tests.sandbox.conftest import AzureWire


def error_of(answer: Any) -> tuple[int, str]:
    """Status and code of an ARM error."""
    return answer.status_code, answer.json()["error"]["code"]


def test_subscriptions_are_listed(azure: AzureWire) -> None:
    rows = azure.get("/subscriptions").json()["value"]
    assert [row["displayName"] for row in rows] == [
        "Cierzo Platform",
        "Cierzo Research Data",
        "Cierzo Labs Americas",
    ]


def test_logical_zones_are_not_the_same_building_in_two_subscriptions(azure: AzureWire) -> None:
    def first_zone(subscription_id: str) -> str:
        rows = azure.get(f"/subscriptions/{subscription_id}/locations").json()["value"]
        west = next(row for row in rows if row["name"] == "westeurope")
        return str(west["availabilityZoneMappings"][0]["physicalZone"])

    assert first_zone(PLATFORM.subscription_id) != first_zone(RESEARCH.subscription_id)


def test_a_logical_region_is_listed_and_is_no_place(azure: AzureWire) -> None:
    rows = azure.get(f"/subscriptions/{RESEARCH.subscription_id}/locations").json()["value"]
    europe = next(row for row in rows if row["name"] == "europe")
    assert europe["metadata"]["regionType"] == "Logical"


def test_brazil_pairs_with_texas(azure: AzureWire) -> None:
    properties = azure.account("stradiologybrs").json()["properties"]
    assert (properties["primaryLocation"], properties["secondaryLocation"]) == (
        "brazilsouth",
        "southcentralus",
    )
    assert "secondaryEndpoints" not in properties


def test_only_readable_secondaries_have_endpoints(azure: AzureWire) -> None:
    properties = azure.account("stctthoraxweu").json()["properties"]
    assert properties["secondaryEndpoints"]["blob"].startswith("https://stctthoraxweu-secondary.")


def test_geo_statistics_come_only_when_asked_for(azure: AzureWire) -> None:
    plain = azure.account("stctthoraxweu").json()["properties"]
    expanded = azure.account("stctthoraxweu", **{"$expand": "geoReplicationStats"}).json()
    assert "geoReplicationStats" not in plain
    assert expanded["properties"]["geoReplicationStats"]["status"] == "Live"


@pytest.mark.parametrize(
    ("account", "below", "expected"),
    [
        ("stoncologyweu", "/blobServices/default", (403, "AuthorizationFailed")),
        ("stoncologyweu", "/blobServices/default/containers", (403, "AuthorizationFailed")),
        ("stfilesswc", "/blobServices/default", (400, "FeatureNotSupportedForAccount")),
        ("stnopolicyweu", "/managementPolicies/default", (404, "ManagementPolicyNotFound")),
        ("stnopolicyweu", "/inventoryPolicies/default", (404, "BlobInventoryPolicyNotFound")),
        (
            "stnopolicyweu",
            "/objectReplicationPolicies/none",
            (404, "ObjectReplicationPolicyNotFound"),
        ),
        (
            "stnopolicyweu",
            "/blobServices/default/containers/misc/immutabilityPolicies/default",
            (404, "ImmutabilityPolicyNotFound"),
        ),
        ("stnopolicyweu", "/queueServices/default", (404, "InvalidResourceType")),
    ],
)
def test_refusals_have_arms_own_codes(
    azure: AzureWire, account: str, below: str, expected: tuple[int, str]
) -> None:
    assert error_of(azure.account(account, below)) == expected


def test_lifecycle_of_a_denied_blob_service_can_still_be_read(azure: AzureWire) -> None:
    assert azure.account("stoncologyweu", "/managementPolicies/default").status_code == 200


def test_an_unknown_account_or_group_or_subscription_is_not_found(azure: AzureWire) -> None:
    base = azure.server.estate.named("stcierzoweu")
    assert base is not None
    missing = base.resource_id.replace("stcierzoweu", "stnowhere")
    elsewhere = base.resource_id.replace("rg-cierzo-weu", "rg-other")
    foreign = base.resource_id.replace(PLATFORM.subscription_id, AMERICAS.subscription_id)
    unknown = base.resource_id.replace(PLATFORM.subscription_id, PLATFORM.subscription_id[::-1])
    assert error_of(azure.get(missing)) == (404, "ResourceNotFound")
    assert error_of(azure.get(elsewhere)) == (404, "ResourceNotFound")
    assert error_of(azure.get(foreign)) == (404, "ResourceNotFound")
    assert error_of(azure.get(unknown)) == (404, "SubscriptionNotFound")


def test_ids_compare_without_case(azure: AzureWire) -> None:
    account = azure.server.estate.named("stspeechswc")
    assert account is not None
    assert azure.get(account.resource_id.upper()).json()["name"] == "stspeechswc"


def test_every_call_needs_an_api_version(azure: AzureWire) -> None:
    assert error_of(azure.http.get("/subscriptions")) == (400, "MissingApiVersionParameter")


def test_containers_come_in_pages_by_absolute_links(azure: AzureWire) -> None:
    page = azure.account("stpatienttilesneu", "/blobServices/default/containers").json()
    names = [row["name"] for row in page["value"]]
    assert len(names) == CONTAINERS_PAGE
    requests = 1
    while "nextLink" in page:
        assert page["nextLink"].startswith(azure.server.endpoint)
        page = azure.http.get(page["nextLink"]).json()
        names += [row["name"] for row in page["value"]]
        requests += 1
    assert (len(names), len(set(names)), requests) == (230, 230, 3)


def test_the_page_size_is_honoured_and_kept(azure: AzureWire) -> None:
    below = "/blobServices/default/containers"
    page = azure.account("stcierzoweu", below, **{"$maxpagesize": "2"}).json()
    assert len(page["value"]) == 2
    assert "$maxpagesize=2" in page["nextLink"]
    assert [row["name"] for row in azure.http.get(page["nextLink"]).json()["value"]] == [
        "notebooks"
    ]


@pytest.mark.parametrize("size", ["0", "5001", "many"])
def test_a_page_size_out_of_range_is_refused(azure: AzureWire, size: str) -> None:
    below = "/blobServices/default/containers"
    answer = azure.account("stcierzoweu", below, **{"$maxpagesize": size})
    assert error_of(answer) == (400, "OutOfRangeQueryParameterValue")


def test_accounts_of_a_subscription_are_listed(azure: AzureWire) -> None:
    path = f"/subscriptions/{AMERICAS.subscription_id}/providers/Microsoft.Storage/storageAccounts"
    names = [row["name"] for row in azure.get(path).json()["value"]]
    assert names == ["stradiologybrs", "stlabsscus"]


def test_a_long_list_of_accounts_comes_in_pages_and_follows_changes() -> None:
    with AzureServer(AzureEstate(2500)) as server:
        headers = {"Authorization": f"Bearer {server.token}"}
        with httpx2.Client(base_url=server.endpoint, headers=headers) as http:
            wire = AzureWire(server, http)

            def listed(subscription_id: str) -> list[str]:
                path = f"/subscriptions/{subscription_id}/providers/Microsoft.Storage"
                page = wire.get(f"{path}/storageAccounts").json()
                names = [row["name"] for row in page["value"]]
                while "nextLink" in page:
                    page = http.get(page["nextLink"]).json()
                    names += [row["name"] for row in page["value"]]
                return names

            names = [name for each in SUBSCRIPTIONS for name in listed(each.subscription_id)]
            assert len(names) == len(set(names)) == 2500
            http.post("/_sandbox/accounts", json=[{"account": "stlabsscus"}])
            assert "stlabsscus" not in listed(AMERICAS.subscription_id)


def test_an_account_can_vanish_and_come_back_as_another(azure: AzureWire) -> None:
    born = azure.account("stcierzoweu").json()["properties"]["creationTime"]
    path = azure.server.estate.named("stcierzoweu")
    assert path is not None
    admin = "/_sandbox/accounts"
    assert azure.http.post(admin, json=[{"account": "stcierzoweu"}]).status_code == 200
    assert azure.get(path.resource_id).status_code == 404
    again = {"account": "stcierzoweu", "made_again_at": "2026-03-02T09:00:00Z"}
    azure.http.post(admin, json=[again])
    reborn = azure.get(path.resource_id).json()
    assert reborn["properties"]["creationTime"] == "2026-03-02T09:00:00.0000000Z" != born
    azure.http.delete(admin)
    assert azure.get(path.resource_id).json()["properties"]["creationTime"] == born


@pytest.mark.parametrize("body", ['[{"account": "stnowhere"}]', '[{"name": 1}]', "x", "[1]"])
def test_a_change_that_makes_no_sense_changes_nothing(azure: AzureWire, body: str) -> None:
    answer = azure.http.post("/_sandbox/accounts", content=body)
    assert answer.status_code == 422
    assert answer.json()["detail"]


def blob_names(text: str) -> list[str]:
    """Names in a blob list."""
    root = ET.fromstring(text)  # noqa: S314 - our own server's answer
    return [element.text or "" for element in root.iter("Name")]


def test_containers_and_blobs_are_listed_with_the_account_in_the_path(azure: AzureWire) -> None:
    assert blob_names(azure.http.get("/stcierzoweu?comp=list").text) == [
        "eval",
        "eval-results",
        "notebooks",
    ]
    blobs = azure.http.get("/stcierzoweu/eval?restype=container&comp=list")
    assert len(blob_names(blobs.text)) == 12


def test_blobs_come_in_pages_by_markers(azure: AzureWire) -> None:
    path = "/stpathologyweu/wsi?restype=container&comp=list&maxresults=20"
    names, marker, pages = [], "", 0
    while marker or not pages:
        text = azure.http.get(f"{path}&marker={quote(marker)}").text
        names += blob_names(text)
        marker = ET.fromstring(text).findtext("NextMarker") or ""  # noqa: S314 - our own
        pages += 1
    assert (len(names), len(set(names)), pages) == (50, 50, 3)


def test_versions_come_only_when_asked_for(azure: AzureWire) -> None:
    path = "/stctthoraxswc/ct-thorax?restype=container&comp=list"
    current = blob_names(azure.http.get(path).text)
    everything = blob_names(azure.http.get(path + "&include=versions").text)
    assert len(current) == 60 < len(everything)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/stnowhere?comp=list", (404, "ResourceNotFound")),
        ("/stfilesswc?comp=list", (404, "ResourceNotFound")),
        ("/stcierzoweu/none?comp=list", (404, "ContainerNotFound")),
        ("/stoncologyweu?comp=list", (403, "AuthorizationPermissionMismatch")),
        ("/stcierzoweu/eval?comp=list&marker=zz", (400, "InvalidQueryParameterValue")),
        ("/stcierzoweu/eval?comp=list&maxresults=0", (400, "OutOfRangeQueryParameterValue")),
    ],
)
def test_blob_refusals_are_xml(azure: AzureWire, path: str, expected: tuple[int, str]) -> None:
    answer = azure.http.get(path)
    root = ET.fromstring(answer.text)  # noqa: S314 - our own server's answer
    assert (answer.status_code, root.findtext("Code")) == expected
    assert answer.headers["x-ms-error-code"] == expected[1]
