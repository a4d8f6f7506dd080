"""Where the bytes of a file system rest, in the form that object stores have too."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypedDict

from app.domain.collecting import Provider
from app.domain.facts import Fact, Present, Unreadable
from app.domain.object_store import RestPlace
from app.domain.storage_places import PRIMARY, REPLICA, place
from app.domain.storage_summary import home_region, home_zone, rest_region_ids


class PlaceFacts(TypedDict):
    """The part of FileSystemFacts that says where it is."""

    home_region: Fact[str]
    home_zone: Fact[str]
    rest_places: Fact[tuple[RestPlace, ...]]
    rest_region_ids: Fact[tuple[str, ...]]


def place_facts(
    provider: Provider, region: Fact[str], replicas: Fact[tuple[RestPlace, ...]]
) -> PlaceFacts:
    """The region of a file system and its replicas.

    Replicas that could not be read stand in the list as a replica without a store, so that the
    region itself is known all the same.
    """
    places: Fact[tuple[RestPlace, ...]] = Present(
        (place(provider, PRIMARY, region), *_listed(provider, replicas))
    )
    if isinstance(region, Unreadable) and isinstance(replicas, Unreadable):
        places = region
    return PlaceFacts(
        home_region=home_region(places),
        home_zone=home_zone(places),
        rest_places=places,
        rest_region_ids=rest_region_ids(places),
    )


def replica(
    provider: Provider, region_id: str, store: str, account_id: str | None = None
) -> RestPlace:
    """A copy of a whole file system in a region, as reported."""
    at = place(provider, REPLICA, Present(region_id))
    return replace(at, store=store, account_id=account_id)


def _listed(provider: Provider, replicas: Fact[tuple[RestPlace, ...]]) -> Iterable[RestPlace]:
    if isinstance(replicas, Unreadable):
        return (place(provider, REPLICA, replicas, readable=False),)
    return replicas.value if isinstance(replicas, Present) else ()
