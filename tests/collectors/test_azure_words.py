"""Azure's own words, as any of its services writes them."""

from datetime import UTC, datetime

import pytest

from app.collectors.azure_words import (
    below,
    canonical_id,
    group_of,
    instant,
    region,
    subscription_of,
    tag,
    tags_of,
    tags_or_none,
)

ID = "/subscriptions/AAAA/resourceGroups/RG-One/providers/Microsoft.Batch/batchAccounts/b/pools/p"


@pytest.mark.parametrize(
    "text",
    ["2025-05-22T21:11:08.3016464Z", "2025-05-22T21:11:08.301646+00:00", "2025-05-22T21:11:08Z"],
)
def test_times_with_any_number_of_decimals_are_read(text: str) -> None:
    found = instant(text)
    assert found is not None
    assert found.replace(microsecond=0) == datetime(2025, 5, 22, 21, 11, 8, tzinfo=UTC)
    assert instant(None) is None


@pytest.mark.parametrize("location", ["East US 2", "eastus2", "EastUS2"])
def test_a_region_is_its_code_in_any_spelling(location: str) -> None:
    assert region(location) == "eastus2"


@pytest.mark.parametrize("spelling", [ID, ID.upper(), ID[1:], ID + "/", ID.lower()])
def test_ids_that_differ_in_letter_case_and_slashes_are_one(spelling: str) -> None:
    assert canonical_id(spelling) == canonical_id(ID)
    assert (subscription_of(spelling), group_of(spelling)) == ("aaaa", "rg-one")


@pytest.mark.parametrize("text", ["", "/", "/providers/Microsoft.Billing/x", "/subscriptions"])
def test_an_id_without_a_subscription_names_none(text: str) -> None:
    assert (subscription_of(text), group_of(text)) == ("", "")


def test_an_ancestor_is_what_ends_with_its_name() -> None:
    assert below(ID, "batchaccounts").endswith("/batchAccounts/b")
    with pytest.raises(ValueError, match="workspaces"):
        below(ID, "workspaces")


def test_tags_are_found_in_any_letter_case() -> None:
    found = tags_of({"tags": {"CycleCloudCluster": "/sites/s/clusters/c"}})
    assert tag(found, "cyclecloudcluster") == "/sites/s/clusters/c"
    assert tag(found, "ClusterName") == ""
    assert tags_of({"tags": None}) == {}
    with pytest.raises(TypeError):
        tags_of({"tags": ["a"]})


def test_tags_of_no_known_shape_are_not_no_tags() -> None:
    assert tags_or_none({}) == {}
    assert tags_or_none({"tags": ["a"]}) is None
