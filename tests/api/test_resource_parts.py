"""Parts of a resource, such as the machines of a cluster, and what a part says of its parent."""

import csv
import io
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from tests.api.conftest import Estate
from tests.api.test_resources import id_of
from tests.support import estate

WHOLE = "arn:aws:s3:::alpha"


@pytest.fixture
def path(judged: Estate, program: TestClient) -> str:
    """The address of alpha's parts: part-1 to part-3, and beta stands alone."""
    later = judged.read_at + timedelta(minutes=30)
    parts = [estate.seen(f"part-{number}", parent=WHOLE) for number in (2, 3, 1)]
    estate.sweep(judged.ours, [estate.seen("alpha"), estate.seen("beta"), *parts], later)
    return f"/api/v1/resources/{id_of(program, 'alpha')}/parts"


def names(page: dict[str, list[dict[str, str]]]) -> list[str]:
    return [item["name"] for item in page["items"]]


def test_parts_are_listed_by_name_in_windows(program: TestClient, path: str) -> None:
    first = program.get(path, params={"limit": 2})
    assert names(first.json()) == ["part-1", "part-2"]
    assert first.json()["total"] == 3
    assert 'rel="next"' in first.headers["link"]
    second = program.get(path, params={"limit": 2, "after": first.json()["next"]}).json()
    assert names(second) == ["part-3"]
    assert second["next"] is None
    again = program.get(path, params={"limit": 2, "before": second["previous"]}).json()
    assert names(again) == names(first.json())


def test_a_part_names_its_parent_and_others_name_none(program: TestClient, path: str) -> None:
    listed = program.get(path).json()["items"]
    assert {item["parent_native_id"] for item in listed} == {WHOLE}
    one = program.get(f"/api/v1/resources/{listed[0]['id']}").json()
    assert one["parent_native_id"] == WHOLE
    alone = program.get(f"/api/v1/resources/{id_of(program, 'beta')}")
    assert alone.json()["parent_native_id"] is None


def test_what_has_no_parts_has_an_empty_list(program: TestClient, path: str) -> None:
    del path
    found = program.get(f"/api/v1/resources/{id_of(program, 'beta')}/parts")
    assert (found.status_code, found.json()["items"], found.json()["total"]) == (200, [], 0)


def test_parts_that_are_gone_are_left_out(judged: Estate, program: TestClient, path: str) -> None:
    later = judged.read_at + timedelta(minutes=40)
    estate.sweep(judged.ours, [estate.seen("alpha"), estate.seen("part-3", parent=WHOLE)], later)
    assert names(program.get(path).json()) == ["part-3"]


def test_parts_that_did_not_change_are_not_sent_again(program: TestClient, path: str) -> None:
    etag = {"If-None-Match": program.get(path).headers["etag"]}
    assert program.get(path, headers=etag).status_code == 304


def test_parts_are_given_as_csv(program: TestClient, path: str) -> None:
    answer = program.get(path, params={"format": "csv"})
    assert answer.headers["content-disposition"] == 'attachment; filename="parts.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["name"], row["parent_native_id"]) for row in rows] == [
        (f"part-{number}", WHOLE) for number in (1, 2, 3)
    ]


@pytest.mark.parametrize("query", ["limit=0", "nonsense=1", "sort=name", "after=AAAA"])
def test_a_wrong_query_of_parts_is_named(program: TestClient, path: str, query: str) -> None:
    assert program.get(f"{path}?{query}").status_code == 422


def test_a_key_of_another_list_is_refused(program: TestClient, path: str) -> None:
    key = program.get("/api/v1/resources", params={"limit": 1}).json()["next"]
    assert program.get(path, params={"after": key}).status_code == 422


def test_outsiders_do_not_see_the_parts_of_others(outsider: TestClient, path: str) -> None:
    assert outsider.get(path).status_code == 404
