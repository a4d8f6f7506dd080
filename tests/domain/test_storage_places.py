"""A copy is a place: unread, in another account, or left by a rule that is off."""

from typing import Any

import pytest

from app.domain.collecting import Provider
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.object_store import ObjectStoreFacts, RestPlace
from app.domain.storage_azure import azure_object_store
from app.domain.storage_places import (
    external_accounts,
    place,
    places_for,
    region_ids,
    regions_allowed,
    rest_places,
)
from app.domain.storage_s3 import s3_object_store
from tests.support.stores import account, bucket, replication

DENIED = Unreadable("AccessDenied")
IRELAND = Present("eu-west-1")


def of_bucket(*copies: Any, region: Fact[str] = IRELAND) -> tuple[RestPlace, ...]:
    found = rest_places(Provider.AWS, region, (), Present(copies))
    assert isinstance(found, Present)
    return found.value


def of_account(**facts: Any) -> tuple[RestPlace, ...]:
    found = azure_object_store(account(**facts), None).rest_places
    assert isinstance(found, Present)
    return found.value


def test_a_bucket_without_copies_rests_in_one_place() -> None:
    (home,) = of_bucket()
    assert (home.role, home.region_id, home.jurisdiction, home.zone) == (
        "primary",
        "eu-west-1",
        "IE",
        "EU",
    )


def test_the_copies_of_a_disabled_rule_still_lie_there() -> None:
    places = of_bucket(replication(enabled=False, destination_region_id="us-east-1"))
    assert region_ids(places) == ("eu-west-1", "us-east-1")
    assert places[1].role == "replica"


def test_an_unread_destination_is_a_place_without_a_region() -> None:
    places = of_bucket(
        replication(
            destination_region_id=None,
            destination_code="AccessDenied",
            destination_account_id="222222222222",
        )
    )
    copy = places[1]
    assert (copy.region_id, copy.zone, copy.code, copy.readable) == (
        None,
        None,
        "AccessDenied",
        False,
    )
    assert external_accounts(places, "111111111111") == ("222222222222",)
    assert external_accounts(places, "222222222222") == ()


def test_unread_replication_is_an_unknown_place_beside_the_known_ones() -> None:
    found = rest_places(Provider.AWS, Present("us-west-2"), (), DENIED)
    assert isinstance(found, Present)
    assert region_ids(found.value) == ("us-west-2", None)
    assert found.value[1].code == "AccessDenied"


def test_nothing_known_is_unreadable() -> None:
    assert rest_places(Provider.AWS, DENIED, (), DENIED) == DENIED


def test_a_region_outside_the_table_is_no_region() -> None:
    (home,) = of_bucket(region=Present("mars-1"))
    assert (home.region_id, home.code) == (None, "UnknownRegion mars-1")


@pytest.mark.parametrize(
    ("rule_prefix", "is_place"),
    [
        ("", True),
        ("pii/", True),
        ("pii", True),
        ("pii/eu/", True),
        ("logs/", False),
        ("PII/", False),
    ],
)
def test_only_rules_that_touch_the_data_make_places_of_it(rule_prefix: str, is_place: bool) -> None:
    places = of_bucket(replication(prefix=rule_prefix))
    assert (len(places_for(places, "pii/")) == 2) is is_place


@pytest.mark.parametrize("name", ["Standard_GRS", "Standard_GZRS", "STANDARD_grs"])
def test_the_copy_of_plain_geo_redundancy_cannot_be_read(name: str) -> None:
    _, pair = of_account(sku_name=Present(name), secondary_region=Present("northeurope"))
    assert (pair.role, pair.region_id, pair.readable) == ("geo_pair", "northeurope", False)


@pytest.mark.parametrize("name", ["Standard_RAGRS", "Standard_RAGZRS", "Standard_RA-GRS"])
def test_read_access_geo_redundancy_can_be_read(name: str) -> None:
    _, pair = of_account(sku_name=Present(name), secondary_region=Present("North Europe"))
    assert (pair.region_id, pair.readable) == ("northeurope", True)


@pytest.mark.parametrize("name", ["Standard_GRS", "Standard_RAGZRS"])
def test_a_geo_copy_whose_region_is_not_said_is_a_copy_somewhere(name: str) -> None:
    _, pair = of_account(sku_name=Present(name), secondary_region=ABSENT)
    assert (pair.region_id, pair.code) == (None, "NotReported")


@pytest.mark.parametrize("name", ["Standard_LRS", "Standard_ZRS", "Premium_ZRS"])
def test_local_and_zone_redundancy_stay_in_the_region(name: str) -> None:
    places = of_account(sku_name=Present(name), secondary_region=ABSENT)
    assert region_ids(places) == ("westeurope",)


@pytest.mark.parametrize("sku", [ABSENT, Present("Standard_XRS"), Present("")])
def test_a_redundancy_that_is_not_known_may_have_a_copy_somewhere(sku: Fact[str]) -> None:
    _, pair = of_account(sku_name=sku, secondary_region=ABSENT)
    assert (pair.role, pair.region_id, pair.code) == ("geo_pair", None, "NotReported")


def test_a_reported_second_region_counts_whatever_the_sku_says() -> None:
    places = of_account(sku_name=Present("Standard_LRS"), secondary_region=Present("northeurope"))
    assert region_ids(places) == ("westeurope", "northeurope")


def test_object_replication_adds_places_to_geo_redundancy() -> None:
    places = of_account(
        sku_name=Present("Standard_GRS"),
        primary_region=Present("brazilsouth"),
        secondary_region=Present("southcentralus"),
        replication_rules=Present((replication(destination_region_id="uksouth"),)),
    )
    assert [found.zone for found in places] == ["BR", "US", "GB"]


@pytest.mark.parametrize(
    ("codes", "allowed", "expected"),
    [
        (("westeurope",), ["westeurope"], True),
        (("westeurope",), ["West Europe"], True),
        (("westeurope", None), ["westeurope"], None),
        (("westeurope", "eastus", None), ["westeurope"], False),
        ((None,), ["westeurope"], None),
        (("eastus",), [], False),
    ],
)
def test_a_known_breach_outweighs_what_is_unknown(
    codes: tuple[str | None, ...], allowed: list[str], expected: bool | None
) -> None:
    places = [place(Provider.AZURE, "replica", Present(code) if code else DENIED) for code in codes]
    assert regions_allowed(places, allowed) is expected


def test_home_is_where_the_primary_lies() -> None:
    facts: ObjectStoreFacts = s3_object_store(bucket(bucket_region=Present("eu-central-2")), None)
    assert (facts.home_region, facts.home_zone) == (Present("eu-central-2"), Present("EFTA"))


def test_without_a_region_there_is_no_home() -> None:
    facts = s3_object_store(bucket(bucket_region=DENIED), None)
    assert (facts.home_region, facts.home_zone) == (DENIED, DENIED)
    assert isinstance(facts.rest_places, Present)
