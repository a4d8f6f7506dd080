"""Whatever stands in an address: no fault of ours, no markup, nothing that steers a terminal."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from httpx2 import Response

from tests.support.routes import Route, routes
from tests.support.site import Site

MARKUP = "<b id=zz>\"'`"
HOSTILE = {
    "markup": MARKUP,
    "SQL": "x' OR 1=1 --",
    "wildcards": "%_\\",
    "template": "{{7*7}}%(num)s%s${x}{0}",
    "direction": "\u202ezz\u2066\u200b",
    "terminal": "zz\x1b[31m",
    "terminal of eight bits": "zz\x9b31m\x7f",
    "control": "zz\x00\r\nX-Zz: 1",
    "astral": "\U0001f600\U000e0041",
    "digits of others": "\u0663\uff11",
    "huge number": "9" * 400,
    "negative": "-1",
    "not a number": "NaN",
    "long": "z" * 9_000,
    "path": "../../etc/passwd",
    "a cursor that is none": "WyJuYW1lIiwtMV0",
    "a cursor of nothing": "bnVsbA",
}
STEERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# The API is tried by its own description; readiness is 503 for reasons of its own.
ELSEWHERE = ("/api/", "/metrics", "/readyz")
EVERY = 8  # each place of each address meets every eighth text, another one at the next place
SOME = {"metric": "posture", "policy_id": "versioning-on", "kind": "s3_bucket", "week": "2026-W48"}


def pages(site: Site) -> list[Route]:
    return [
        one
        for one in routes(site.app)
        if one.method == "GET" and not one.path.startswith(ELSEWHERE)
    ]


def values_of(site: Site, route: Route) -> list[str]:
    estate = site.estate
    known = SOME | {
        "resource_id": estate.cluster,
        "connection_id": estate.aws,
        "finding_id": estate.finding,
        "token_id": site.token,
    }
    return [known.get(name, "x") for name in route.params]


def addresses(site: Site, text: str) -> Iterator[str]:
    """Every page with this text in each place of its address in turn."""
    for route in pages(site):
        own = values_of(site, route)
        for place in range(len(own)):
            yield route.address(*own[:place], quote(text, safe=""), *own[place + 1 :])
        for name in (*route.query, "zz"):
            yield f"{route.address(*own)}?{name}={quote(text, safe='')}"
        yield f"{route.address(*own)}?{quote(text, safe='')}=1"


def is_repeated(answer: Response) -> bool:
    """Whether a text came back as it was sent where it must not."""
    sent = answer.text + "".join(answer.headers.values())
    return bool(STEERS.search(sent)) or MARKUP in answer.text or "x-zz" in answer.headers


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_address_of_a_page_is_a_fault_of_ours_or_shows_markup(site: Site, kind: str) -> None:
    text, turn = HOSTILE[kind], [*HOSTILE].index(kind)
    browser = site.client()
    wrong = []
    for address in [*addresses(site, text)][turn % EVERY :: EVERY]:
        answer = browser.get(address)
        if answer.status_code >= 500 or is_repeated(answer):
            wrong.append((answer.status_code, address[:200]))
    assert wrong == []
