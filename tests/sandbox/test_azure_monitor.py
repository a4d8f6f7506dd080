"""The simulated Azure Monitor refuses what the real one refuses."""

from typing import Any

import httpx2
import pytest

from app.sandbox.azure import tokens
from app.sandbox.azure_server import AzureServer
from app.sandbox.story import PLATFORM, RESEARCH
from tests.support.azure_fixtures import azure, tenant

__all__ = ["azure", "tenant"]
LUSTRE = (
    f"/subscriptions/{RESEARCH.subscription_id}/resourceGroups/rg-cierzo-swc"
    "/providers/Microsoft.StorageCache/amlFilesystems/amlfs-swc-01"
)
ASKED = {
    "api-version": "2024-02-01",
    "starttime": "2026-12-01T06:00:00Z",
    "endtime": "2026-12-01T07:00:00Z",
    "interval": "PT5M",
    "metricnamespace": "Microsoft.StorageCache/amlFilesystems",
    "metricnames": "OSTBytesUsed",
    "aggregation": "average",
    "filter": "ostnum eq '*'",
    "top": "10000",
}


def ask(
    server: AzureServer,
    *,
    region: str = "swedencentral",
    ids: Any = (LUSTRE,),
    audience: str = "metrics",
    **changed: str | None,
) -> httpx2.Response:
    wanted = {name: value for name, value in {**ASKED, **changed}.items() if value is not None}
    subscription = RESEARCH.subscription_id
    return httpx2.post(
        f"{server.endpoint}/metrics/{region}/subscriptions/{subscription}/metrics:getBatch",
        params=wanted,
        json={"resourceids": ids},
        headers={"Authorization": f"Bearer {tokens.issue(audience)}"},
    )


def series(answer: httpx2.Response) -> list[Any]:
    found: list[Any] = answer.json()["values"][0]["value"][0]["timeseries"]
    return found


def test_a_split_metric_has_a_series_per_part_in_lower_case(azure: AzureServer) -> None:
    found = series(ask(azure))
    assert [one["metadatavalues"][0]["name"]["value"] for one in found] == ["ostnum"] * len(found)
    assert len(found) > 1
    assert len(found[0]["data"]) == 12


def test_without_a_split_all_parts_are_one_mean(azure: AzureServer) -> None:
    (one,) = series(ask(azure, filter=None))
    assert one["metadatavalues"] == []


def test_only_so_many_series_are_told_as_were_asked_for(azure: AzureServer) -> None:
    assert len(series(ask(azure, top="2"))) == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"region": "westeurope"},
        {"ids": []},
        {"ids": [LUSTRE] * 51},
        {"ids": [LUSTRE.replace(RESEARCH.subscription_id, PLATFORM.subscription_id)]},
        {"metricnames": "OSTBytesTotalOfAll"},
        {"metricnames": None},
        {"filter": "disk eq '*'"},
        {"interval": "PT7M"},
        {"starttime": "yesterday"},
    ],
)
def test_a_wrong_question_is_refused(azure: AzureServer, changed: dict[str, Any]) -> None:
    answer = ask(azure, **changed)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "BadRequest")


def test_a_token_of_another_audience_is_refused(azure: AzureServer) -> None:
    assert ask(azure, audience="arm").status_code == 401
