"""Part or page: decided in one place, from what htmx says."""

import pytest
from starlette.requests import Request

from app.http.fragments import wants_fragment


def request(**headers: str) -> Request:
    raw = [(name.replace("_", "-").lower().encode(), b"true") for name in headers]
    raw += [(b"hx-request-type", headers["type"].encode())] if "type" in headers else []
    return Request({"type": "http", "method": "GET", "path": "/", "headers": raw})


@pytest.mark.parametrize(
    ("headers", "part"),
    [
        ({}, False),
        ({"HX_Request": "true"}, True),
        ({"HX_Request": "true", "HX_Boosted": "true"}, False),
        ({"HX_Request": "true", "HX_History_Restore_Request": "true"}, False),
        ({"HX_Request": "true", "type": "full"}, False),
        ({"HX_Request": "true", "type": "partial"}, True),
        ({"HX_Boosted": "true"}, False),
    ],
)
def test_only_a_swap_of_a_part_gets_a_part(headers: dict[str, str], part: bool) -> None:
    assert wants_fragment(request(**headers)) is part
