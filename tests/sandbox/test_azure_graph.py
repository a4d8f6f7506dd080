"""Resource Graph: the queries of an inventory, their pages and their errors."""

from typing import Any

import httpx2
import pytest

from app.sandbox.azure import kql
from app.sandbox.azure.estate import SCRIPTED, AzureEstate
from app.sandbox.azure_server import AzureServer
from app.sandbox.story import AMERICAS, PLATFORM, TENANT_ID
from tests.sandbox.conftest import AzureWire

INVENTORY = (
    "Resources | where type =~ 'microsoft.storage/storageaccounts' | project id, name, type,"
    " location, kind, sku, tags, properties, subscriptionId, tenantId, resourceGroup"
    " | order by id asc"
)


def all_rows(azure: AzureWire, query: str, top: int) -> list[dict[str, Any]]:
    """Every row of a query, page by page."""
    page = azure.graph(query, **{"$top": top}).json()
    rows = list(page["data"])
    while "$skipToken" in page:
        page = azure.graph(query, **{"$top": top, "$skipToken": page["$skipToken"]}).json()
        rows += page["data"]
    return rows


def test_all_accounts_come_in_pages_in_order_and_once(azure: AzureWire) -> None:
    rows = all_rows(azure, INVENTORY, 7)
    ids = [row["id"] for row in rows]
    assert len(ids) == len(set(ids)) == len(SCRIPTED)
    assert ids == sorted(ids)


def test_rows_carry_the_projected_columns_in_the_graphs_own_case(azure: AzureWire) -> None:
    rows = {row["name"]: row for row in all_rows(azure, INVENTORY, 1000)}
    row = rows["stspeechswc"]
    assert row["type"] == "microsoft.storage/storageaccounts"
    assert row["resourceGroup"] == "rg-cierzo-speech"
    assert "/resourceGroups/rg-cierzo-speech/" in row["id"]
    assert row["tenantId"] == TENANT_ID
    assert row["sku"] == {"name": "Standard_ZRS", "tier": "Standard"}
    assert row["properties"] == azure.account("stspeechswc").json()["properties"]
    assert rows["stnopolicyweu"]["tags"] is None


def test_the_types_of_a_list_are_all_looked_for(azure: AzureWire) -> None:
    query = (
        "resources | where type in~ ('microsoft.search/searchservices',"
        " 'Microsoft.Storage/StorageAccounts') | project id"
    )
    assert azure.graph(query).json()["totalRecords"] == len(SCRIPTED)


def test_a_type_that_is_not_played_has_no_rows(azure: AzureWire) -> None:
    page = azure.graph(
        "resources | where type =~ 'microsoft.search/searchservices' | project id"
    ).json()
    assert (page["totalRecords"], page["data"], "$skipToken" in page) == (0, [], False)


def test_subscriptions_are_rows_of_the_containers_table(azure: AzureWire) -> None:
    query = (
        "resourcecontainers | where type =~ 'microsoft.resources/subscriptions'"
        " | project id, name, subscriptionId, tenantId, tags, properties | order by id asc"
    )
    rows = azure.graph(query).json()["data"]
    assert [row["name"] for row in rows][:1] == ["Cierzo Platform"]
    assert rows[0].keys() == {"id", "name", "subscriptionId", "tenantId", "tags", "properties"}


def test_only_the_asked_subscriptions_are_searched_and_unknown_ones_ignored(
    azure: AzureWire,
) -> None:
    body = {"query": INVENTORY, "subscriptions": [AMERICAS.subscription_id, "nobody's"]}
    path = "/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01"
    rows = azure.http.post(path, json=body).json()["data"]
    assert {row["subscriptionId"] for row in rows} == {AMERICAS.subscription_id}


def test_rows_can_be_narrowed_by_subscription_and_location(azure: AzureWire) -> None:
    query = (
        "resources | where type == 'microsoft.storage/storageaccounts' and location == 'westeurope'"
        f" and subscriptionId == '{PLATFORM.subscription_id}' | project id, name"
        " | order by name desc | limit 2"
    )
    page = azure.graph(query).json()
    assert [row["name"] for row in page["data"]] == ["stpremiumweu", "stmirrorweu"]
    assert page["totalRecords"] == 2


def test_without_the_id_rows_are_lost_and_the_page_says_so(azure: AzureWire) -> None:
    query = "resources | where type =~ 'microsoft.storage/storageaccounts' | project name"
    page = azure.graph(query, **{"$top": 5}).json()
    assert (page["count"], page["resultTruncated"], "$skipToken" in page) == (5, "true", False)


def test_the_default_page_has_a_hundred_rows() -> None:
    with AzureServer(AzureEstate(250)) as server:
        headers = {"Authorization": f"Bearer {server.token}"}
        with httpx2.Client(base_url=server.endpoint, headers=headers) as http:
            wire = AzureWire(server, http)
            first = wire.graph(INVENTORY).json()
            assert (first["count"], first["totalRecords"]) == (100, 250)
            assert len(all_rows(wire, INVENTORY, 1000)) == 250


def test_nested_columns_and_new_names_can_be_projected(azure: AzureWire) -> None:
    query = (
        "resources | where name == 'stradiologybrs'"
        " | project id, second = properties.secondaryLocation, properties.primaryLocation"
    )
    row = azure.graph(query).json()["data"][0]
    assert row["second"] == "southcentralus"
    assert row["properties_primaryLocation"] == "brazilsouth"


def test_the_table_format_has_columns_and_rows(azure: AzureWire) -> None:
    query = "resources | where name == 'stcierzoweu' | project id, name, tags"
    data = azure.graph(query, resultFormat="table").json()["data"]
    assert [column["name"] for column in data["columns"]] == ["id", "name", "tags"]
    assert data["columns"][2]["type"] == "object"
    assert data["rows"][0][1] == "stcierzoweu"


def test_quota_headers_come_with_every_page(azure: AzureWire) -> None:
    headers = azure.graph(INVENTORY).headers
    assert headers["x-ms-user-quota-remaining"].isdigit()
    assert headers["x-ms-user-quota-resets-after"] == "00:00:05"


@pytest.mark.parametrize(
    ("query", "options", "code"),
    [
        ("resources | summarize count() by type", {}, "InvalidQuery"),
        ("secrets | project id", {}, "InvalidQuery"),
        ("resources | where name matches regex 'x'", {}, "InvalidQuery"),
        ("resources | project nonsense", {}, "InvalidQuery"),
        ("resources | project i d", {}, "InvalidQuery"),
        ("resources | order by id sideways", {}, "InvalidQuery"),
        ("resources | limit many", {}, "InvalidQuery"),
        (INVENTORY, {"$top": 1001}, "InvalidQueryOptions"),
        (INVENTORY, {"$skipToken": "nonsense"}, "InvalidSkipToken"),
    ],
)
def test_bad_queries_are_refused_with_details(
    azure: AzureWire, query: str, options: dict[str, Any], code: str
) -> None:
    answer = azure.graph(query, **options)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, "BadRequest")
    assert error["details"][0]["code"] == code


@pytest.mark.parametrize("body", ["", "[]", "{", '{"query": 7}'])
def test_a_body_without_a_query_is_refused(azure: AzureWire, body: str) -> None:
    path = "/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01"
    answer = azure.http.post(path, content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "BadRequest")


def test_no_readable_subscription_is_an_error_not_an_empty_page(azure: AzureWire) -> None:
    path = "/providers/Microsoft.ResourceGraph/resources?api-version=2022-10-01"
    body = {"query": INVENTORY, "subscriptions": ["00000000-0000-0000-0000-000000000000"]}
    error = azure.http.post(path, json=body).json()["error"]
    assert error["details"][0]["code"] == "NoValidSubscriptionsInQueryRequest"


def test_a_deleted_account_leaves_the_graph(azure: AzureWire) -> None:
    assert azure.graph(INVENTORY).json()["totalRecords"] == len(SCRIPTED)
    azure.http.post("/_sandbox/accounts", json=[{"account": "stcierzoweu"}])
    assert azure.graph(INVENTORY).json()["totalRecords"] == len(SCRIPTED) - 1


def test_bars_and_commas_inside_quotes_do_not_split() -> None:
    query = kql.parse("resources | where name == 'a|b,c' | project id")
    assert query.conditions == [kql.Condition("name", "==", ("a|b,c",))]


@pytest.mark.parametrize(
    ("operator", "cell", "holds"),
    [
        ("==", "Abc", False),
        ("=~", "Abc", True),
        ("!=", "Abc", True),
        ("!~", "Abc", False),
        ("in", "abc", True),
        ("in~", "ABC", True),
    ],
)
def test_the_tilde_compares_without_case(operator: str, cell: str, holds: bool) -> None:
    assert kql.Condition("name", operator, ("abc",)).holds({"name": cell}) is holds
