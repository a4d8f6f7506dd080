"""How long browsers keep files."""

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from app.http.static import CHECKED, FOR_EVER, CachedStatic


@pytest.fixture
def files(tmp_path: Path) -> TestClient:
    for name in ("app.css", "app.4be1f00d.css"):
        (tmp_path / name).write_text("a{}")
    return TestClient(Starlette(routes=[Mount("/static", CachedStatic(directory=tmp_path))]))


@pytest.mark.parametrize("address", ["app.css?v=4be1f00dcafe", "app.4be1f00d.css"])
def test_an_address_that_names_the_content_is_kept_for_ever(
    files: TestClient, address: str
) -> None:
    assert files.get(f"/static/{address}").headers["cache-control"] == FOR_EVER


@pytest.mark.parametrize("address", ["app.css", "app.css?v=1", "app.css?v=not-a-hash"])
def test_any_other_is_asked_for_each_time(files: TestClient, address: str) -> None:
    answer = files.get(f"/static/{address}")
    assert answer.headers["cache-control"] == CHECKED
    etag = {"If-None-Match": answer.headers["etag"]}
    assert files.get(f"/static/{address}", headers=etag).status_code == 304


def test_nothing_outside_the_folder_is_served(files: TestClient, tmp_path: Path) -> None:
    (tmp_path.parent / "secret").write_text("no")
    assert files.get("/static/..%2fsecret").status_code == 404
