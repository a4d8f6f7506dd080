"""Lists: windows, filters, orders, ETags and CSV."""

import csv
import io
import itertools
import re

import pytest
from starlette.testclient import TestClient

from tests.api.conftest import Estate

RESOURCES = "/api/v1/resources"
LISTS = [
    "connections", "sweeps", "runs", "resources", "policies", "findings", "reports", "tokens",
]  # fmt: skip


def names(page: dict[str, list[dict[str, str]]]) -> list[str]:
    return [item["name"] for item in page["items"]]


def test_windows_go_forth_and_back(judged: Estate, program: TestClient) -> None:
    del judged
    first = program.get(RESOURCES, params={"limit": 2}).json()
    second = program.get(RESOURCES, params={"limit": 2, "after": first["next"]}).json()
    again = program.get(RESOURCES, params={"limit": 2, "before": second["previous"]}).json()
    assert names(first) + names(second) == ["=gamma", "alpha", "beta", "hidden"]
    assert names(again) == names(first)
    assert first["previous"] is None
    assert second["next"] is None
    assert first["total"] == second["total"] == 4


def test_short_lists_have_windows_too(judged: Estate, program: TestClient) -> None:
    del judged
    policies = [item["id"] for item in program.get("/api/v1/policies?limit=200").json()["items"]]
    first = program.get("/api/v1/policies", params={"limit": 3}).json()
    second = program.get("/api/v1/policies", params={"limit": 3, "after": first["next"]}).json()
    again = program.get("/api/v1/policies", params={"limit": 3, "before": second["previous"]})
    shown = [item["id"] for item in first["items"] + second["items"]]
    assert shown == policies[:6]
    assert again.json()["items"] == first["items"]
    assert first["total"] == len(policies) > 6
    last = program.get("/api/v1/policies", params={"limit": 200}).json()
    assert last["next"] is None
    assert last["previous"] is None


def test_the_link_header_keeps_filters_and_order(judged: Estate, program: TestClient) -> None:
    del judged
    answer = program.get(RESOURCES, params={"limit": 1, "sort": "-name", "q": "a"})
    link = answer.headers["link"]
    (target,) = re.findall(r'<([^>]+)>; rel="next"', link)
    assert "sort=-name" in target
    assert "q=a" in target
    following = program.get(target)
    assert following.status_code == 200
    assert names(following.json()) != names(answer.json())
    assert 'rel="prev"' in following.headers["link"]


def test_a_list_that_did_not_change_is_not_sent_again(judged: Estate, program: TestClient) -> None:
    del judged
    program.get("/api/v1/me")  # the first use of a token is noted, and changes the list of tokens
    for name in LISTS:
        first = program.get(f"/api/v1/{name}")
        etag = {"If-None-Match": first.headers["etag"]}
        again = program.get(f"/api/v1/{name}", headers=etag)
        assert (first.status_code, again.status_code, again.content) == (200, 304, b""), name


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=201", "limit=x", "limit=1e3", "nonsense=1", "Limit=1", "limit=1&limit=2",
        "format=xml", "format=csv&limit=5", "after=" + "x" * 9000,
    ],
)  # fmt: skip
def test_a_wrong_query_is_named(program: TestClient, query: str) -> None:
    for name in LISTS:
        answer = program.get(f"/api/v1/{name}?{query}")
        assert answer.status_code == 422, name
        assert answer.json()["errors"][0]["where"].startswith("?")


@pytest.mark.parametrize(
    "key", ["x", "AAAA", "bm90IGpzb24", "W10", "WyJuYW1lIiwxLG51bGwsbnVsbF0", "%F0%9F%92%A9"]
)
def test_a_wrong_key_is_an_error_and_not_the_first_page(
    judged: Estate, program: TestClient, key: str
) -> None:
    del judged
    for name, side in itertools.product(LISTS, ("after", "before")):
        answer = program.get(f"/api/v1/{name}?{side}={key}")
        assert answer.status_code == 422
        assert "after" in answer.json()["mend"]


def test_a_key_of_another_order_is_refused(judged: Estate, program: TestClient) -> None:
    del judged
    key = program.get(RESOURCES, params={"limit": 1}).json()["next"]
    assert program.get(RESOURCES, params={"after": key, "sort": "-name"}).status_code == 422


def test_a_filter_that_does_not_exist_is_an_error(program: TestClient) -> None:
    long = "x" * 201
    for query in ("sort=size", "state=gone", "verdict=green", f"kind={long}", f"q={long}"):
        assert program.get(f"{RESOURCES}?{query}").status_code == 422


def test_filters_combine(judged: Estate, program: TestClient) -> None:
    del judged
    expected = {
        "q=ALPHA": ["alpha"],
        "q=speech&limit=1": ["=gamma"],
        "kind=azure_storage_account": [],
        "provider=aws&sort=-name&limit=2": ["hidden", "beta"],
        "policy_id=versioning-on&verdict=non_compliant&limit=1": ["=gamma"],
        "policy_id=encryption-at-rest&verdict=non_compliant": [],
        "state=deleted": [],
    }
    for query, found in expected.items():
        assert names(program.get(f"{RESOURCES}?{query}").json()) == found, query
    assert program.get(f"{RESOURCES}?connection_id=nonsense").status_code == 422


def test_every_list_is_given_as_csv(judged: Estate, program: TestClient) -> None:
    del judged
    for name in LISTS:
        answer = program.get(f"/api/v1/{name}?format=csv")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/csv")
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}.csv"'
        head, *rows = csv.reader(io.StringIO(answer.text))
        assert len(rows) == program.get(f"/api/v1/{name}").json()["total"]
        assert all(len(row) == len(head) for row in rows)


def test_csv_holds_all_rows_with_the_filter_and_never_a_formula(
    judged: Estate, program: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    del judged
    monkeypatch.setattr("app.http.downloads.ROWS_AT_ONCE", 1)
    text = program.get(f"{RESOURCES}?format=csv&connection_id=&q=a&sort=-name").text
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["name"] for row in rows] == ["hidden", "beta", "alpha", "'=gamma"]
