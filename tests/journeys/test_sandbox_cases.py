"""The estate of the sandbox: where copies rest, what rules touch, what was refused and told."""

from typing import Any

from app.web.resource_view import address_of
from tests.support.journeys import Journey, seen_words

NOT_OURS = "hospital-dr-copy"


def places_of(resource: dict[str, Any]) -> list[tuple[str, str | None]]:
    rest = resource["facts"]["present"]["rest_places"]
    return sorted(((one["role"], one.get("region_id")) for one in rest), key=str)


PLACES: dict[str, list[tuple[str, str | None]]] = {
    "cierzo-access-logs-use1": [("primary", "us-east-1")],  # its location is null
    "cierzo-clinical-notes-es-dub": [("primary", "eu-west-1")],  # its location is EU
    "cierzo-clinical-notes-es-fra": [
        ("primary", "eu-central-1"),
        ("replica", "eu-west-1"),
        ("replica", "us-east-1"),
        ("replica", None),
    ],
    "cierzo-mirror-off-fra": [("primary", "eu-central-1"), ("replica", "us-west-2")],
    "stclinicalfrc": [("geo_pair", "francesouth"), ("primary", "francecentral")],
    "stradiologybrs": [("geo_pair", "southcentralus"), ("primary", "brazilsouth")],
    "stckptgzrsweu": [("geo_pair", "northeurope"), ("primary", "westeurope")],
    "stspeechweu": [("geo_pair", "northeurope"), ("primary", "westeurope")],
    "stspeechuks": [("geo_pair", "ukwest"), ("primary", "uksouth")],
    "stmirrorweu": [  # by two prefixes
        ("primary", "westeurope"),
        ("replica", "southcentralus"),
        ("replica", "southcentralus"),
    ],
    "stlabsscus": [("primary", "southcentralus")],  # it only receives
    "stpartnerweu": [("primary", "westeurope"), ("replica", None)],
    "stfailoverneu": [("primary", "northeurope")],
    "ststalepairweu": [("geo_pair", "northeurope"), ("primary", "westeurope")],
    "stdisplayswc": [("primary", "swedencentral")],
    "stevalmad": [("primary", "spaincentral")],
}


def test_every_place_of_a_copy_is_known_or_said_to_be_unknown(estate: Journey) -> None:
    for name, wanted in PLACES.items():
        assert places_of(estate.resource(name)) == sorted(wanted, key=str), name


def test_the_page_names_every_region_and_the_refusal(estate: Journey) -> None:
    for name, wanted in PLACES.items():
        words = estate.words(f"/storage/{estate.resource(name)['id']}")
        for _, region in wanted:
            assert (region or "Not readable") in words, (name, region)


def test_a_copy_in_a_foreign_account_names_the_account(estate: Journey) -> None:
    rest = estate.resource("cierzo-clinical-notes-es-fra")["facts"]["present"]["rest_places"]
    foreign = {one["store"]: one["account_id"] for one in rest if one.get("account_id")}
    assert foreign == {NOT_OURS: "777788889999"}
    prefixes = {one["store"]: one["prefix"] for one in rest if one["role"] == "replica"}
    assert prefixes["cierzo-access-logs-use1"] == "logs/"


def judgement_of(resource: dict[str, Any], rule: str) -> dict[str, Any]:
    rules = resource["facts"]["present"]["lifecycle_judgements"]
    found: dict[str, Any] = next(one for one in rules if one["name"] == rule)
    return found


def test_a_bare_prefix_shows_which_sibling_it_hits(estate: Journey) -> None:
    found = judgement_of(estate.resource("stimagesweu"), "images")
    assert found["matched_containers"] == ["images", "images-prod"]


def test_a_rule_by_last_access_without_tracking_knows_no_access(estate: Journey) -> None:
    facts = estate.resource("stwebtextswc")["facts"]["present"]
    assert (facts["uses_last_access"], facts["last_access_known"]) == (True, False)
    (found,) = (one for one in estate.findings(policy_id="last-access-tracking"))
    assert found["resource_name"] == "stwebtextswc"
    assert "data still in use" in found["message"]


def test_small_objects_are_known_to_stay_unless_the_bucket_says_otherwise(estate: Journey) -> None:
    usual = estate.resource("cierzo-ct-thorax-fra")["facts"]
    varies = estate.resource("cierzo-tokens-varies-fra")["facts"]
    assert usual["present"]["cooling_skips_below_bytes"] == 131_072
    assert "cooling_skips_below_bytes" in varies["absent"]


def test_the_denied_bucket_says_so_and_is_neither_empty_nor_wrong(estate: Journey) -> None:
    facts = estate.resource("cierzo-partner-inbox-fra")["facts"]
    assert facts["unreadable"]["versioning_status"] == "AccessDenied"
    assert "versioning_status" not in facts["absent"]
    assert set(facts["unreadable"].values()) == {"AccessDenied"}


def test_hostile_tags_arrive_as_plain_words(estate: Journey) -> None:
    for name in ("cierzo-tags-fra", "sttagsweu"):
        resource = estate.resource(name)
        markup = estate.page(f"/storage/{resource['id']}")
        assert resource["tags"]["note"].startswith("<script>alert(")
        assert "<script>alert(" not in markup
        for value in resource["tags"].values():
            assert " ".join(value.split()) in seen_words(markup)


def test_the_connection_that_met_refusals_names_the_missing_rights(estate: Journey) -> None:
    (research,) = (one for one in estate.every("/connections") if one["provider"] == "aws")
    sweeps = estate.every("/sweeps", connection_id=research["id"])
    assert "partial" in {one["state"] for one in sweeps if one["collector_id"] == "aws_s3"}
    denied = {
        row["permission"]
        for row in estate.every(f"/connections/{research['id']}/permissions")
        if row["result"] == "denied"
    }
    words = estate.words(f"/connections/{research['id']}")
    assert "s3:GetLifecycleConfiguration" in denied
    assert "s3:GetBucketVersioning" in denied
    assert all(permission in words for permission in denied)


MEASURED = {
    "stctthoraxweu": {"stored_bytes", "object_count"},
    # Resource Manager spells its group otherwise than Resource Graph.
    "stspeechweu": {"stored_bytes", "object_count"},
    "amlfs-weu-scratch": {"used_bytes", "free_bytes", "connected_clients"},
    "vm-serve-es": {"cpu_util_percent"},
    "mlw-atlas": {"gpu_util_percent"},
}


def test_what_azure_monitor_measured_is_shown_with_its_resource(estate: Journey) -> None:
    for name, wanted in MEASURED.items():
        row = estate.resources()[name]
        told = {one["metric"] for one in estate.every(f"/resources/{row['id']}/metrics")}
        assert wanted <= told, name
        words = seen_words(estate.page(address_of(row["kind"], row["id"])))
        assert "Measured" in words, name
