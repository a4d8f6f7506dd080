"""Doors to buckets: who may come in by them, and where they may lead."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.access_paths import MultiRegionPlaceFacts
from app.domain.access_points import (
    AccessPathFacts,
    MemberBucket,
    S3AccessPointFacts,
    S3MultiRegionAccessPointFacts,
)
from app.domain.derive import derive
from app.domain.directory_buckets import S3DirectoryBucketFacts
from app.domain.facts import ABSENT, Fact, FactDocument, Present, Unreadable
from app.domain.object_store import ObjectStoreFacts
from app.domain.storage_exposure import BLOCK_SWITCHES
from tests.support.stores import delete, rule, rules

ALL, NONE, DENIED = Present(BLOCK_SWITCHES), Present(()), Unreadable("AccessDenied")
HALF, OTHER_HALF = Present(BLOCK_SWITCHES[:2]), Present(BLOCK_SWITCHES[2:])
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def filled(kind: type[Any], **facts: Any) -> Any:
    """A document with these facts; the others are absent."""
    return kind(**{one.name: facts.get(one.name, ABSENT) for one in fields(kind)})


def path(document: FactDocument) -> AccessPathFacts:
    found = derive(document)[0]
    assert isinstance(found, AccessPathFacts)
    return found


@pytest.mark.parametrize(
    ("own", "account", "blocked"),
    [
        (ALL, ABSENT, Present(True)),
        (ALL, DENIED, Present(True)),
        (NONE, ALL, Present(True)),
        (HALF, OTHER_HALF, Present(True)),
        (HALF, ABSENT, Present(False)),
        (NONE, DENIED, DENIED),
        (DENIED, HALF, DENIED),
    ],
)
@pytest.mark.parametrize("kind", [S3AccessPointFacts, S3MultiRegionAccessPointFacts])
def test_switches_of_point_and_account_add_up(
    kind: type[Any], own: Any, account: Any, blocked: Fact[bool]
) -> None:
    point = filled(kind, public_access_block=own, account_public_access_block=account)
    assert path(point).anonymous_access_blocked == blocked


@pytest.mark.parametrize(
    ("origin", "reachable"),
    [
        (Present("VPC"), Present(False)),
        (Present("Internet"), Present(True)),
        (DENIED, DENIED),
        (ABSENT, Unreadable("NotReported")),
    ],
)
def test_only_a_point_of_one_network_is_off_the_internet(origin: Any, reachable: Any) -> None:
    point = filled(S3AccessPointFacts, network_origin=origin)
    assert path(point).reachable_from_internet == reachable


def places(*members: MemberBucket) -> MultiRegionPlaceFacts:
    given = filled(S3MultiRegionAccessPointFacts, member_buckets=Present(members))
    found = derive(given)[1]
    assert isinstance(found, MultiRegionPlaceFacts)
    return found


def test_every_bucket_behind_a_point_is_a_place() -> None:
    found = places(
        MemberBucket("fra", "eu-central-1", None),
        MemberBucket("dub", "eu-west-1", None),
        MemberBucket("pdx", "us-west-2", "222222222222"),
    )
    assert found.rest_region_ids == Present(("eu-central-1", "eu-west-1", "us-west-2"))
    assert found.rest_zones == Present(("EU", "US"))
    assert isinstance(found.rest_places, Present)
    assert [at.account_id for at in found.rest_places.value] == [None, None, "222222222222"]


@pytest.mark.parametrize(
    ("region_id", "code"), [(None, "NotReported"), ("mars-1", "UnknownRegion mars-1")]
)
def test_a_place_that_is_not_known_stays_in_the_list(region_id: str | None, code: str) -> None:
    found = places(MemberBucket("fra", "eu-central-1", None), MemberBucket("x", region_id, None))
    assert isinstance(found.rest_places, Present)
    unknown = found.rest_places.value[1]
    assert (unknown.region_id, unknown.zone, unknown.code) == (None, None, code)
    assert found.rest_zones == Present(("EU",))


def test_unread_buckets_leave_the_places_unread() -> None:
    point = filled(S3MultiRegionAccessPointFacts, member_buckets=DENIED)
    found = derive(point)[1]
    assert isinstance(found, MultiRegionPlaceFacts)
    assert {found.rest_places, found.rest_region_ids, found.rest_zones} == {DENIED}


def store(**facts: Any) -> ObjectStoreFacts:
    known = {"bucket_region": Present("us-west-2"), "encryption_algorithm": Present("AES256")}
    (found,) = derive(filled(S3DirectoryBucketFacts, **(known | facts)), NOW)
    assert isinstance(found, ObjectStoreFacts)
    return found


def test_a_directory_bucket_keeps_no_versions_and_has_no_other_tier() -> None:
    found = store()
    assert (found.versioning_possible, found.deleted_data_kept) == (Present(False), Present("no"))
    assert (found.tiering_possible, found.archive_possible) == (Present(False), Present(False))
    assert (found.home_region, found.home_zone) == (Present("us-west-2"), Present("US"))
    assert found.encryption == Present("provider_key")
    assert found.anonymous_access_blocked == Present(True)


def test_its_rules_delete_and_unread_ones_are_unknown() -> None:
    emptied = store(lifecycle_rules=rules(rule(delete(9))))
    assert emptied.deletes_everything == Present(True)
    assert emptied.deletes_current_after_days == Present(9)
    assert store(lifecycle_rules=DENIED).deletes_everything == DENIED
    assert store(encryption_algorithm=DENIED).encryption == DENIED
