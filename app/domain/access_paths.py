"""What follows for access points: who may come in, and in which places they may end up."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.access_points import (
    AccessPathFacts,
    MemberBucket,
    S3AccessPointFacts,
    S3MultiRegionAccessPointFacts,
)
from app.domain.collecting import Provider
from app.domain.fact_sums import first_unreadable, mapped, reported
from app.domain.facts import Fact, FactDocument, Present, Unreadable, fact
from app.domain.object_store import RestPlace
from app.domain.regions import region
from app.domain.storage_exposure import BLOCK_SWITCHES
from app.domain.storage_places import NOT_REPORTED, UNKNOWN_REGION
from app.domain.storage_summary import rest_region_ids

MEMBER = "member"
_VPC = "VPC"
Switches = Fact[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class MultiRegionPlaceFacts(FactDocument):
    """Derived facts of where the buckets behind a multi-region access point lie."""

    KIND: ClassVar[str] = "multi_region_places"

    rest_places: Fact[tuple[RestPlace, ...]] = fact(
        "All regions that it may lead to, each of them equal to the others.", "derived"
    )
    rest_region_ids: Fact[tuple[str, ...]] = fact("Known regions, each once.", "derived")
    rest_zones: Fact[tuple[str, ...]] = fact("Known legal zones, each once.", "derived")


def access_path(point: S3AccessPointFacts | S3MultiRegionAccessPointFacts) -> AccessPathFacts:
    """Who may come in. A multi-region access point is never bound to one network."""
    reachable: Fact[bool] = Present(True)
    if isinstance(point, S3AccessPointFacts):
        reachable = mapped(reported(point.network_origin), lambda origin: origin != _VPC)
    return AccessPathFacts(
        reachable_from_internet=reachable,
        anonymous_access_blocked=_blocked(
            point.public_access_block, point.account_public_access_block
        ),
    )


def _blocked(*levels: Switches) -> Fact[bool]:
    """S3 applies the strictest combination, switch by switch."""
    on = {name for level in levels if isinstance(level, Present) for name in level.value}
    if on >= set(BLOCK_SWITCHES):
        return Present(True)
    return first_unreadable(*levels) or Present(False)


def multi_region_places(point: S3MultiRegionAccessPointFacts) -> MultiRegionPlaceFacts:
    """The places of all buckets behind it.

    A point without any leads nowhere, which is not to say only where it may: that is not known.
    """
    places = mapped(point.member_buckets, lambda buckets: tuple(map(_place, buckets)))
    if places == Present(()):
        places = Unreadable(NOT_REPORTED)
    return MultiRegionPlaceFacts(
        rest_places=places,
        rest_region_ids=rest_region_ids(places),
        rest_zones=mapped(places, _zones),
    )


def _zones(places: tuple[RestPlace, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(at.zone for at in places if at.zone is not None))


def _place(bucket: MemberBucket) -> RestPlace:
    found = region(Provider.AWS.value, bucket.region_id)
    unknown = f"{UNKNOWN_REGION} {bucket.region_id}" if bucket.region_id else NOT_REPORTED
    return RestPlace(
        role=MEMBER,
        region_id=found.id if found else None,
        jurisdiction=found.jurisdiction if found else None,
        zone=found.zone if found else None,
        readable=found is not None,
        store=bucket.name,
        account_id=bucket.account_id,
        prefix="",
        code="" if found else unknown,
    )
