"""Buckets and accounts as rows: what each keeps, where, for how long, and how it is judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.domain.regions import region
from app.domain.storage_places import REPLICA
from app.store.queries.inventory import ResourceItem
from app.web.facts_view import Cell, Reader
from app.web.pages import Shell
from app.web.resource_view import age_of_resource, verdict_of
from app.web.words import ROLES

GEO_REDUNDANT = ("GRS", "GZRS")


@dataclass(frozen=True, slots=True)
class PlaceTag:
    """A region as a tag; no `code`: it could not be read."""

    code: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class StorageRow:
    """One bucket or account in the list. `age` is fresh, late or stale."""

    item: ResourceItem
    verdict: Cell
    places: tuple[PlaceTag, ...]
    versioning: Cell
    cools: Cell
    copies: Cell
    age: str


def row_of(item: ResourceItem, shell: Shell) -> StorageRow:
    """The row of a resource."""
    reader = Reader(item.facts, shell)
    return StorageRow(
        item=item,
        verdict=verdict_of(item, shell),
        places=places_of(item, reader, shell),
        versioning=versioning(reader, shell),
        cools=cools(reader, shell),
        copies=copies(reader, shell),
        age=age_of_resource(item, shell),
    )


def places_of(item: ResourceItem, reader: Reader, shell: Shell) -> tuple[PlaceTag, ...]:
    """Each region once, in the order of the copies."""
    places: list[dict[str, Any]] = reader.value("rest_places") or []
    if not places:
        places = [{"region_id": item.region_id, "role": "primary"}]
    tags: dict[str, PlaceTag] = {}
    for place in places:
        code = place.get("region_id") or ""
        known = region(item.provider, code)
        role = shell.t.gettext(ROLES.get(place["role"], ("", place["role"]))[1])
        tags.setdefault(code, PlaceTag(code, known.display_name if known else "", role))
    return tuple(tags.values())


def versioning(reader: Reader, shell: Shell) -> Cell:
    """Whether overwritten data is kept."""
    t = shell.t

    def write(on: bool) -> Cell:
        if on:
            return Cell("pass", t.gettext("On"))
        if reader.value("versioning_possible") is False:
            return Cell("", t.gettext("Not possible here"))
        return Cell("warn", t.gettext("Off"))

    return reader.cell("versioning_on", write)


def cools(reader: Reader, shell: Shell) -> Cell:
    """After how many days all data has left the hot tier."""
    t = shell.t
    if reader.value("default_tier_is_hot") is False:
        return Cell("", t.gettext("Not hot from the start"))
    if reader.value("tiering_possible") is False:
        return Cell("", t.gettext("Has no cooler tier"))
    return reader.cell("cools_after_days", reader.days, absent=Cell("warn", t.gettext("Never")))


def is_guess(place: Mapping[str, Any]) -> bool:
    """Whether a place only stands for replication that could not be read."""
    return place["role"] == REPLICA and not place.get("region_id") and not place.get("store")


def copies(reader: Reader, shell: Shell) -> Cell:
    """How many places hold the data, with the provider's word for redundancy.

    Where replication could not be read, further copies are possible, and none is counted.
    """
    t = shell.t

    def write(places: list[dict[str, Any]]) -> Cell:
        number = sum(not is_guess(place) for place in places)
        text = t.ngettext("%(num)s copy", "%(num)s copies", number) % {"num": t.number(number)}
        if number < len(places):
            return Cell("unknown", text, t.gettext("more are possible"))
        sku = str(reader.value("sku_name") or "").partition("_")[2]
        return Cell("", text, sku)

    return reader.cell("rest_places", write)
