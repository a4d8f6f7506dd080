"""Derived facts say the same of both clouds, and keep what is not known not known."""

from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.derive import derive
from app.domain.facts import ABSENT, Fact, FactDocument, Present, Unreadable
from app.domain.object_store import ObjectStoreFacts
from app.domain.storage import AgeBasis, RuleSubject
from app.domain.storage_exposure import BLOCK_SWITCHES
from tests.support.stores import (
    account,
    bucket,
    container,
    containers,
    delete,
    inventory,
    move,
    rule,
    rules,
)

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
YES, NO, NONE, DENIED = Present(True), Present(False), ABSENT, Unreadable("AccessDenied")


def of_bucket(**facts: Any) -> ObjectStoreFacts:
    found, *_ = derive(bucket(**facts), NOW)
    assert isinstance(found, ObjectStoreFacts)
    return found


def of_account(**facts: Any) -> ObjectStoreFacts:
    found, *_ = derive(account(**facts), NOW)
    assert isinstance(found, ObjectStoreFacts)
    return found


def test_an_unknown_kind_has_nothing_derived() -> None:
    @dataclass(frozen=True, slots=True)
    class Other(FactDocument):
        pass

    assert derive(Other()) == ()


@pytest.mark.parametrize(
    "known", [of_bucket(lifecycle_rules=DENIED), of_account(lifecycle_rules=DENIED)]
)
def test_unread_rules_leave_all_that_follows_unread(known: ObjectStoreFacts) -> None:
    following = (
        known.cools_after_days,
        known.cooling_basis,
        known.cooling_skips_below_bytes,
        known.lifecycle_judgements,
        known.deletes_current_after_days,
        known.deletes_everything,
        known.uses_last_access,
        known.archives,
    )
    assert set(following) == {DENIED}


def test_no_rules_cool_nothing_and_delete_nothing() -> None:
    known = of_bucket()
    assert (known.cools_after_days, known.cooling_basis, known.lifecycle_judgements) == (NONE,) * 3
    assert (known.deletes_current_after_days, known.deletes_everything) == (NONE, NO)


def test_cooling_tells_age_basis_and_what_stays() -> None:
    known = of_bucket(lifecycle_rules=rules(rule(move(30, "STANDARD_IA"))))
    assert known.cools_after_days == Present(30)
    assert known.cooling_basis == Present("creation")
    assert known.cooling_skips_below_bytes == Present(131_072)
    assert isinstance(known.lifecycle_judgements, Present)
    assert known.lifecycle_judgements.value[0].counts


def test_a_cut_list_of_containers_proves_nothing() -> None:
    known = of_account(
        lifecycle_rules=rules(rule(move(30, "Cool"), prefixes=("training",))),
        containers=Present((container("training"),)),
        container_count=Present(2),
    )
    assert known.cools_after_days == Unreadable("Truncated")


def test_system_and_deleted_containers_need_no_rule() -> None:
    known = of_account(
        lifecycle_rules=rules(rule(move(30, "Cool"), prefixes=("training/",))),
        containers=Present(
            (container("training"), container("$logs"), container("old", deleted=True))
        ),
        container_count=Present(3),
    )
    assert known.cools_after_days == Present(30)


class TestVersioning:
    @pytest.mark.parametrize(
        ("status", "expected"),
        [(Present("Enabled"), YES), (Present("Suspended"), NO), (NONE, NO), (DENIED, DENIED)],
    )
    def test_suspended_and_never_on_are_both_off(
        self, status: Fact[str], expected: Fact[bool]
    ) -> None:
        known = of_bucket(versioning_status=status)
        assert (known.versioning_on, known.versioning_possible) == (expected, YES)

    @pytest.mark.parametrize(
        ("facts", "expected"),
        [
            ({}, YES),
            ({"hierarchical_namespace": YES}, NO),
            ({"hierarchical_namespace": YES, "versioning_enabled": YES}, YES),
            ({"hierarchical_namespace": DENIED}, DENIED),
            ({"hierarchical_namespace": DENIED, "account_kind": Present("FileStorage")}, NO),
            ({"account_kind": Present("Storage")}, NO),
            ({"account_kind": Present("BlockBlobStorage")}, YES),
            ({"account_kind": NONE}, Unreadable("NotReported")),
        ],
    )
    def test_a_namespace_refuses_versions_unless_it_reports_them(
        self, facts: dict[str, Any], expected: Fact[bool]
    ) -> None:
        assert of_account(**facts).versioning_possible == expected


class TestRecovery:
    def test_known_protections_are_listed(self) -> None:
        known = of_account(
            blob_soft_delete_days=Present(7),
            restore_days=Present(6),
            containers=Present((container(has_legal_hold=True),)),
        )
        assert known.recovery_alternatives == Present(
            ("soft_delete", "point_in_time_restore", "immutability")
        )

    def test_one_mutable_container_is_no_immutability(self) -> None:
        half = (container("a", has_immutability_policy=True), container("b"))
        assert of_account(
            containers=Present(half), container_count=Present(2)
        ).recovery_alternatives == Present(())

    @pytest.mark.parametrize(
        ("soft_delete", "expected"),
        [(Present(7), Present(("soft_delete",))), (NONE, DENIED), (DENIED, DENIED)],
    )
    def test_unread_protections_matter_only_when_none_is_known(
        self, soft_delete: Fact[int], expected: Fact[tuple[str, ...]]
    ) -> None:
        known = of_account(blob_soft_delete_days=soft_delete, containers=DENIED)
        assert known.recovery_alternatives == expected

    @pytest.mark.parametrize(
        ("lock", "expected"),
        [(YES, Present(("object_lock",))), (NONE, Present(())), (DENIED, DENIED)],
    )
    def test_object_lock_protects_a_bucket(
        self, lock: Fact[bool], expected: Fact[tuple[str, ...]]
    ) -> None:
        assert of_bucket(object_lock_enabled=lock).recovery_alternatives == expected


def kept(known: ObjectStoreFacts) -> tuple[Fact[str], Fact[int]]:
    return known.deleted_data_kept, known.deleted_data_kept_days


class TestDeletedData:
    expiring = rules(rule(delete(12, subject=RuleSubject.NONCURRENT)))
    on = Present("Enabled")

    def test_a_bucket_without_versions_keeps_nothing(self) -> None:
        assert kept(of_bucket()) == (Present("no"), NONE)

    def test_versions_are_kept_until_a_rule_removes_them(self) -> None:
        assert kept(of_bucket(versioning_status=self.on)) == (Present("always"), NONE)
        known = of_bucket(versioning_status=self.on, lifecycle_rules=self.expiring)
        assert kept(known) == (Present("for_days"), Present(12))

    def test_a_disabled_rule_removes_nothing(self) -> None:
        off = rules(rule(delete(12, subject=RuleSubject.NONCURRENT), enabled=False))
        assert kept(of_bucket(versioning_status=self.on, lifecycle_rules=off))[0] == Present(
            "always"
        )

    def test_a_rule_that_spares_the_newest_version_keeps_what_was_deleted(self) -> None:
        sparing = rule(delete(12, subject=RuleSubject.NONCURRENT, newer_versions_kept=1))
        known = of_bucket(versioning_status=self.on, lifecycle_rules=rules(sparing))
        assert kept(known) == (Present("always"), NONE)

    def test_unread_rules_may_remove_versions(self) -> None:
        known = of_bucket(versioning_status=self.on, lifecycle_rules=DENIED)
        assert kept(known) == (DENIED, DENIED)
        assert kept(of_bucket(versioning_status=DENIED)) == (DENIED, DENIED)

    @pytest.mark.parametrize(
        ("facts", "expected"),
        [
            ({}, (Present("no"), NONE)),
            ({"blob_soft_delete_days": Present(7)}, (Present("for_days"), Present(7))),
            ({"blob_soft_delete_days": DENIED}, (DENIED, DENIED)),
            ({"versioning_enabled": YES}, (Present("always"), NONE)),
            ({"versioning_enabled": DENIED}, (DENIED, DENIED)),
            ({"versioning_enabled": YES, "lifecycle_rules": DENIED}, (DENIED, DENIED)),
            ({"versioning_enabled": YES, "lifecycle_rules": expiring}, (Present("no"), NONE)),
            (
                {
                    "versioning_enabled": YES,
                    "lifecycle_rules": expiring,
                    "blob_soft_delete_days": Present(9),
                },
                (Present("for_days"), Present(9)),
            ),
        ],
    )
    def test_versions_of_azure_age_from_their_writing(
        self, facts: dict[str, Any], expected: tuple[Fact[str], Fact[int]]
    ) -> None:
        assert kept(of_account(**facts)) == expected


class TestDestruction:
    def test_the_soonest_deletion_of_current_data_is_told(self) -> None:
        known = of_bucket(
            lifecycle_rules=rules(
                rule(delete(300), prefixes=("tmp/",)),
                rule(delete(30), tags={"temporary": "yes"}),
                rule(delete(1, subject=RuleSubject.NONCURRENT)),
                rule(delete(2), enabled=False),
            )
        )
        assert known.deletes_current_after_days == Present(30)
        assert known.deletes_everything == NO

    @pytest.mark.parametrize(
        ("attributes", "expected"),
        [
            ({}, YES),
            ({"prefixes": ("",)}, YES),
            ({"prefixes": ("tmp/",)}, NO),
            ({"tags": {"a": "b"}}, NO),
            ({"minimum_size_bytes": 1}, NO),
            ({"maximum_size_bytes": 1}, NO),
            ({"blob_types": ("appendBlob",)}, NO),
            ({"blob_types": ("blockBlob", "appendBlob")}, YES),
            ({"enabled": False}, NO),
        ],
    )
    def test_only_a_rule_without_filter_deletes_everything(
        self, attributes: dict[str, Any], expected: Fact[bool]
    ) -> None:
        known = of_bucket(lifecycle_rules=rules(rule(delete(365), **attributes)))
        assert known.deletes_everything == expected

    @pytest.mark.parametrize(
        ("offset_days", "expected"), [(-1, Present(0.0)), (0, Present(0.0)), (1, NONE)]
    )
    def test_a_date_deletes_from_its_day_on(self, offset_days: int, expected: Fact[float]) -> None:
        dated = rule(delete(None, on_date=NOW + timedelta(days=offset_days)))
        known = of_bucket(lifecycle_rules=rules(dated))
        assert known.deletes_current_after_days == expected
        assert known.deletes_everything == YES

    def test_without_a_clock_a_date_is_left_open(self) -> None:
        dated = rules(rule(delete(None, on_date=NOW)))
        known, *_ = derive(bucket(lifecycle_rules=dated))
        assert isinstance(known, ObjectStoreFacts)
        assert known.deletes_current_after_days == Unreadable("DateNotCompared")

    def test_removing_delete_markers_deletes_no_data(self) -> None:
        known = of_bucket(lifecycle_rules=rules(rule(delete(None))))
        assert (known.deletes_current_after_days, known.deletes_everything) == (NONE, NO)

    def test_a_rule_by_last_access_deletes_even_without_tracking(self) -> None:
        untracked = rule(delete(60, basis=AgeBasis.LAST_ACCESS))
        known = of_account(lifecycle_rules=rules(untracked))
        assert known.deletes_current_after_days == Present(60)
        assert (known.uses_last_access, known.last_access_known) == (YES, NO)


class TestTiers:
    @pytest.mark.parametrize(
        ("facts", "tiers", "archive"),
        [
            ({}, YES, YES),
            ({"sku_name": Present("Standard_RAGRS")}, YES, YES),
            ({"sku_name": Present("Standard_ZRS")}, YES, NO),
            ({"sku_name": Present("Standard_GZRS")}, YES, NO),
            ({"sku_name": Present("Standard_RAGZRS")}, YES, NO),
            ({"sku_name": Present("Premium_LRS")}, NO, NO),
            ({"account_kind": Present("FileStorage")}, NO, NO),
            ({"account_kind": Present("Storage")}, NO, NO),
            ({"account_kind": DENIED}, DENIED, DENIED),
            ({"sku_name": Present("StandardV9_LRS")}, YES, Unreadable("UnknownSku STANDARDV9_LRS")),
        ],
    )
    def test_kind_and_redundancy_decide(
        self, facts: dict[str, Any], tiers: Fact[bool], archive: Fact[bool]
    ) -> None:
        known = of_account(**facts)
        assert (known.tiering_possible, known.archive_possible) == (tiers, archive)

    @pytest.mark.parametrize(
        ("tier", "expected"),
        [
            (Present("Hot"), YES),
            (Present("Premium"), YES),
            (Present("Cool"), NO),
            (Present("Cold"), NO),
            (Present("Smart"), NO),
            (NONE, YES),
            (DENIED, DENIED),
            (Present("Lukewarm"), Unreadable("UnknownTier Lukewarm")),
        ],
    )
    def test_the_default_tier(self, tier: Fact[str], expected: Fact[bool]) -> None:
        assert of_account(access_tier=tier).default_tier_is_hot == expected

    @pytest.mark.parametrize(
        ("storage_class", "expected"),
        [("GLACIER", YES), ("DEEP_ARCHIVE", YES), ("GLACIER_IR", NO), ("STANDARD_IA", NO)],
    )
    def test_archives_are_what_must_be_restored_first(
        self, storage_class: str, expected: Fact[bool]
    ) -> None:
        old_versions = rule(move(30, storage_class, subject=RuleSubject.NONCURRENT))
        assert of_bucket(lifecycle_rules=rules(old_versions)).archives == expected


def on(*switches: str) -> Fact[tuple[str, ...]]:
    return Present(switches)


WHOLE = on(*BLOCK_SWITCHES)


class TestExposure:
    @pytest.mark.parametrize(
        ("blocked", "policy", "readable"),
        [
            (WHOLE, YES, NO),
            (NONE, YES, YES),
            (on("BlockPublicPolicy", "IgnorePublicAcls"), YES, YES),
            (on("RestrictPublicBuckets"), YES, Unreadable("AclNotRead")),
            (on("RestrictPublicBuckets", "IgnorePublicAcls"), YES, NO),
            (on("IgnorePublicAcls"), NO, NO),
            (NONE, NO, Unreadable("AclNotRead")),
            (NONE, NONE, Unreadable("AclNotRead")),
            (DENIED, YES, DENIED),
            (NONE, DENIED, DENIED),
            (WHOLE, DENIED, NO),
        ],
    )
    def test_a_bucket_is_closed_where_neither_policy_nor_access_list_opens_it(
        self, blocked: Fact[tuple[str, ...]], policy: Fact[bool], readable: Fact[bool]
    ) -> None:
        known = of_bucket(public_access_block=blocked, policy_is_public=policy)
        assert known.publicly_readable == readable
        for_all = of_bucket(
            public_access_block=NONE, account_public_access_block=blocked, policy_is_public=policy
        )
        assert for_all.publicly_readable == readable

    @pytest.mark.parametrize(
        ("own", "for_all", "blocked"),
        [
            (WHOLE, NONE, YES),
            (NONE, WHOLE, YES),
            (WHOLE, DENIED, YES),
            (DENIED, WHOLE, YES),
            (on(*BLOCK_SWITCHES[:2]), on(*BLOCK_SWITCHES[2:]), YES),
            (on(*BLOCK_SWITCHES[:3]), on(*BLOCK_SWITCHES[:3]), NO),
            (NONE, NONE, NO),
            (NONE, DENIED, DENIED),
            (DENIED, on(*BLOCK_SWITCHES[1:]), DENIED),
        ],
    )
    def test_each_switch_counts_where_bucket_or_account_has_it_on(
        self, own: Fact[tuple[str, ...]], for_all: Fact[tuple[str, ...]], blocked: Fact[bool]
    ) -> None:
        known = of_bucket(public_access_block=own, account_public_access_block=for_all)
        assert known.anonymous_access_blocked == blocked

    @pytest.mark.parametrize(
        ("facts", "blocked", "readable"),
        [
            ({}, YES, NO),
            ({"public_blob_access_allowed": YES}, NO, NO),
            ({"public_blob_access_allowed": NONE}, NO, NO),
            (
                {
                    "public_blob_access_allowed": YES,
                    "containers": Present((container(public_access="Blob"),)),
                },
                NO,
                YES,
            ),
            (
                {
                    "public_blob_access_allowed": YES,
                    "containers": Present((container(public_access="Blob", deleted=True),)),
                },
                NO,
                NO,
            ),
            ({"public_blob_access_allowed": YES, "containers": DENIED}, NO, DENIED),
            (
                {"public_blob_access_allowed": YES, "container_count": Present(5)},
                NO,
                Unreadable("Truncated"),
            ),
            (
                {"public_blob_access_allowed": YES, "public_network_access": Present("Disabled")},
                YES,
                NO,
            ),
            ({"public_blob_access_allowed": DENIED}, DENIED, NO),
            (
                {
                    "public_blob_access_allowed": DENIED,
                    "containers": Present((container(public_access="Container"),)),
                },
                DENIED,
                DENIED,
            ),
        ],
    )
    def test_an_account_is_closed_by_its_switch_or_by_all_containers(
        self, facts: dict[str, Any], blocked: Fact[bool], readable: Fact[bool]
    ) -> None:
        known = of_account(**facts)
        assert (known.anonymous_access_blocked, known.publicly_readable) == (blocked, readable)


class TestEncryption:
    @pytest.mark.parametrize(
        ("algorithm", "key", "expected"),
        [
            (Present("AES256"), NONE, Present("provider_key")),
            (Present("aws:kms"), NONE, Present("provider_key")),
            (Present("aws:kms"), Present("alias/aws/s3"), Present("provider_key")),
            (Present("aws:kms"), Present("arn:aws:kms:x:1:key/9"), Present("customer_key")),
            (Present("aws:kms:dsse"), Present("arn:aws:kms:x:1:key/9"), Present("customer_key")),
            (NONE, NONE, Present("none")),
            (DENIED, DENIED, DENIED),
            (Present("rot13"), NONE, Unreadable("UnknownAlgorithm rot13")),
        ],
    )
    def test_of_a_bucket(self, algorithm: Fact[str], key: Fact[str], expected: Fact[str]) -> None:
        known = of_bucket(encryption_algorithm=algorithm, encryption_key_id=key)
        assert known.encryption == expected

    @pytest.mark.parametrize(
        ("source", "expected"),
        [
            (Present("Microsoft.Storage"), Present("provider_key")),
            (Present("Microsoft.Keyvault"), Present("customer_key")),
            (Present("Other"), Unreadable("UnknownKeySource Other")),
            (NONE, NONE),
            (DENIED, DENIED),
        ],
    )
    def test_of_an_account(self, source: Fact[str], expected: Fact[str]) -> None:
        assert of_account(encryption_key_source=source).encryption == expected


@pytest.mark.parametrize(
    ("configured", "expected"),
    [
        (Present((inventory(),)), YES),
        (Present((inventory(enabled=False),)), NO),
        (NONE, NO),
        (DENIED, DENIED),
    ],
)
def test_an_inventory_must_be_switched_on(configured: Any, expected: Fact[bool]) -> None:
    assert of_bucket(inventory_configurations=configured).inventory_enabled == expected
    assert of_account(inventory_configurations=configured).inventory_enabled == expected


def test_file_accounts_hold_no_objects() -> None:
    assert of_account(account_kind=Present("FileStorage")).holds_objects == NO
    assert of_account().holds_objects == YES
    assert of_bucket().holds_objects == YES


@pytest.mark.parametrize("given", [bucket, account])
def test_a_store_of_which_nothing_could_be_read_promises_nothing(given: Any) -> None:
    """No derived fact may be positive when every input was refused."""
    blind = given(**{found.name: DENIED for found in fields(given())})
    known, *_ = derive(blind, NOW)
    known_anyway = {
        found.name for found in fields(known) if isinstance(getattr(known, found.name), Present)
    }
    fixed_for_s3 = {
        "versioning_possible",
        "default_tier_is_hot",
        "last_access_known",
        "tiering_possible",
        "archive_possible",
        "holds_objects",
    }
    assert known_anyway == (fixed_for_s3 if given is bucket else set())


def test_a_long_account_is_derived_from_all_of_it() -> None:
    many = [f"c{number}" for number in range(1500)]
    known = of_account(lifecycle_rules=rules(rule(move(9, "Cool"))), **containers(*many))
    assert known.cools_after_days == Present(9)
