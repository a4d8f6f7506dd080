"""Pages of every kind of resource, whatever its facts are: none is ever an error of ours.

Facts are made up from their published schema: with only the attributes that are never left out,
with hostile values in all of them, and with nothing in them.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from starlette.testclient import TestClient

from app.collectors import aws_s3
from app.domain.access import SYSTEM
from app.domain.collecting import ListingDone, Observation, ResourceSeen
from app.domain.fact_kinds import FACT_KINDS
from app.domain.facts import Fact, FactDocument, Present, Unreadable
from app.domain.paging import PageRequest
from app.kit import assets
from app.kit.clock import utc_now
from app.main import create_app
from app.services import connections
from app.store.queries import inventory
from app.store.queries.inventory import ResourceFilter, ResourceItem
from app.store.session import transaction
from app.web.resource_view import address_of
from tests.support import callers
from tests.support.schema import create_schema
from tests.support.site import installed
from tests.support.web_estate import AWS, HOSTILE, sweep

TABS = ("", "?tab=facts", "?tab=parts")
API = ("", "/metrics")
LISTS = ("/clusters", "/jobs", "/file-systems", "/accounts", "/storage", "/resources")
ODD_TEXT = f"{HOSTILE}\n\u202e%(num)s %s {{{{x}}}} =1+1\t" + "x" * 2_000
BIG = 2**63 - 1


class Shape:
    """How values are made up; `few` leaves out whatever may be left out."""

    def __init__(self, *, few: bool, text: str, number: float, length: int, on: bool) -> None:
        self.few, self.text, self.number, self.length, self.on = few, text, number, length, on

    def value(self, annotation: Any, depth: int = 0) -> Any:
        """A value of one type; None where it may be left out and few are wanted."""
        origin, inner = get_origin(annotation), get_args(annotation)
        if origin in (Union, UnionType):
            kept = next(one for one in inner if one is not NoneType)
            return None if self.few else self.value(kept, depth)
        if origin is tuple:
            length = self.length if depth == 0 else min(self.length, 3)
            return (self.value(inner[0], depth + 1),) * length
        if origin is dict:
            return {self.text: self.value(inner[1], depth + 1)}
        if isinstance(annotation, type) and issubclass(annotation, StrEnum):
            return next(iter(annotation))
        if is_dataclass(annotation):
            hints = get_type_hints(annotation)
            named = ((one.name, hints[one.name]) for one in fields(annotation))
            made: Any = annotation
            return made(**{name: self.value(hint, depth + 1) for name, hint in named})
        return self._plain(annotation)

    def _plain(self, annotation: Any) -> Any:
        if annotation is datetime:
            return datetime(9999 if self.on else 1, 6, 1, tzinfo=UTC)
        return {bool: self.on, int: int(self.number), float: self.number, str: self.text}[
            annotation
        ]

    def fact(self, annotation: Any) -> Fact[Any]:
        """A present fact of the type that `Fact[T]` names."""
        inner = next(get_args(part)[0] for part in get_args(annotation) if get_origin(part))
        return Present(self.value(inner))


SHAPES: dict[str, Callable[[Any], Fact[Any]]] = {
    "few and big": Shape(few=True, text=ODD_TEXT, number=BIG, length=2, on=True).fact,
    "hostile": Shape(few=False, text=ODD_TEXT, number=BIG, length=3, on=True).fact,
    "empty lists": Shape(few=False, text="", number=0, length=0, on=False).fact,
    "refused": lambda _: Unreadable("AccessDenied"),
}


def documents(kind: str, fact: Callable[[Any], Fact[Any]]) -> FactDocument:
    own, *_ = FACT_KINDS[kind]
    hints = get_type_hints(own)
    return own(**{one.name: fact(hints[one.name]) for one in fields(own)})


def seen(shape: str, fact: Callable[[Any], Fact[Any]]) -> Iterator[Observation]:
    for kind in FACT_KINDS:
        yield ResourceSeen(
            kind=kind,
            immutable_id=f"{shape}/{kind}",
            native_id=f"{shape}/{kind}",
            name=f"{kind} {shape}",
            sub_account_id="999900001111",
            region_id="eu-west-1",
            created_at=None,
            tags={ODD_TEXT[:100]: ODD_TEXT[:200]},
            facts=documents(kind, fact),
            scope="999900001111",
            parent_native_id=f"{shape}/eks_cluster",
        )
        yield ListingDone(kind, "999900001111", complete=True)


def swept(shape: str) -> tuple[ResourceItem, ...]:
    """One resource of every kind, through a connection of its own."""
    now = utc_now()
    with transaction() as session:
        made = connections.create(
            session, access=SYSTEM, name=f"AWS {shape}", provider="aws", config=AWS,
            now=now - timedelta(days=1),
        )  # fmt: skip
    sweep(made.id, aws_s3, partial(seen, shape, SHAPES[shape]), now - timedelta(minutes=5))
    with transaction() as session:
        where = ResourceFilter(connection_id=made.id)
        found = inventory.search_resources(
            session, access=SYSTEM, where=where, page=PageRequest(limit=100)
        )
    return tuple(found.items)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A site of its own, which has nothing but what these tests put into it."""
    url = f"sqlite:///{tmp_path_factory.mktemp('any')}/atalaya.db"
    assets.build()
    create_schema(url)
    with installed(url):
        app = create_app()
        known = callers.browser(app, callers.person())
        yield TestClient(
            app, callers.HOST, raise_server_exceptions=False, headers=dict(known.headers),
            cookies=known.cookies, follow_redirects=False,
        )  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_every_page_of_a_resource_opens_whatever_its_facts_are(
    browser: TestClient, shape: str
) -> None:
    found = swept(shape)
    assert {one.kind for one in found} == set(FACT_KINDS)
    own = [f"{address_of(one.kind, one.id)}{tab}" for one in found for tab in TABS]
    listed = f"?connection={found[0].connection_id}&limit=100"
    lists = [f"{path}{listed}{more}" for path in LISTS for more in ("", "&format=csv")]
    api = [f"/api/v1/resources/{one.id}{part}" for one in found for part in API]
    kinds = {one.id: one.kind for one in found}
    wrong = [
        (kinds.get(path.split("?")[0].rpartition("/")[2], ""), path, status)
        for path in own + lists + api
        for status in [browser.get(path).status_code]
        if status != 200
    ]
    assert wrong == []
