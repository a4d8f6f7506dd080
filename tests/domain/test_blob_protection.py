"""What an account promises and cannot keep; what is not known is never a promise kept."""

from typing import Any

import pytest

from app.domain.blob_protection import blob_protection
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.storage import AgeBasis, RuleSubject
from app.domain.storage_accounts import NO_DESTINATION, ContainerRetention, ReplicationOrigin
from tests.support.stores import (
    account,
    container,
    delete,
    inventory,
    move,
    replication,
    rule,
    rules,
)

DENIED = Unreadable("AuthorizationFailed")
ORIGIN = ReplicationOrigin("p", "near", None, ("copy",))
YES, NO = Present(True), Present(False)


def of(name: str, **facts: Any) -> Any:
    return getattr(blob_protection(account(**facts)), name)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, ABSENT),
        ({"replication_rules": Present((replication(),))}, Present(("versioning", "change_feed"))),
        (
            {"replication_rules": Present((replication(),)), "versioning_enabled": YES},
            Present(("change_feed",)),
        ),
        ({"replication_origins": Present((ORIGIN,))}, Present(("versioning",))),
        ({"replication_origins": Present((ORIGIN,)), "versioning_enabled": YES}, Present(())),
        ({"replication_origins": Present((ORIGIN,)), "versioning_enabled": DENIED}, DENIED),
        ({"replication_rules": DENIED, "replication_origins": DENIED}, DENIED),
    ],
)
def test_replication_needs_versions_on_both_ends_and_a_feed_on_one(
    facts: dict[str, Any], expected: object
) -> None:
    assert of("replication_gaps", **facts) == expected


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([""], Present(())),
        ([NO_DESTINATION], Present(("copy-frankfurt",))),
        (["ResourceNotFound"], Present(("copy-frankfurt",))),
        (["InternalError"], Unreadable("InternalError")),
        (["InternalError", "AuthorizationFailed"], Present(("copy-frankfurt",))),
    ],
)
def test_a_destination_that_is_not_seen_is_told_from_one_that_was_not_read(
    codes: list[str], expected: object
) -> None:
    given = tuple(replication(destination_code=code) for code in codes)
    assert of("unseen_destinations", replication_rules=Present(given)) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, ABSENT),
        ({"lifecycle_rules": rules(rule(delete(3)))}, ABSENT),
        ({"lifecycle_rules": rules(rule(move(3, "Cool"), enabled=False))}, ABSENT),
        ({"lifecycle_rules": rules(rule(move(3, "Cool")))}, Present(())),
        (
            {"lifecycle_rules": rules(rule(move(3, "Cool"), blob_types=("appendBlob",)))},
            Present(("cool",)),
        ),
        (
            {
                "lifecycle_rules": rules(rule(move(3, "Cool"))),
                "sku_name": Present("Premium_LRS"),
                "account_kind": Present("BlockBlobStorage"),
            },
            Present(("cool",)),
        ),
        ({"lifecycle_rules": rules(rule(move(3, "Cool"))), "sku_name": DENIED}, DENIED),
        ({"lifecycle_rules": DENIED}, DENIED),
    ],
)
def test_rules_are_idle_where_there_is_nothing_to_move_to(
    facts: dict[str, Any], expected: object
) -> None:
    assert of("idle_tiering_rules", **facts) == expected


SCOPED = container("notes", default_encryption_scope="patients")


@pytest.mark.parametrize(
    ("prefixes", "listed", "expected"),
    [
        ((), (SCOPED,), ("notes",)),
        (("notes/",), (SCOPED,), ("notes",)),
        (("other/",), (SCOPED,), ()),
        ((), (container("notes"),), ()),
    ],
)
def test_blobs_of_a_scope_are_never_archived(
    prefixes: Any, listed: Any, expected: tuple[str, ...]
) -> None:
    archiving = rules(rule(move(90, "Archive"), prefixes=prefixes))
    facts = {"containers": Present(listed), "lifecycle_rules": archiving}
    assert of("never_archived_containers", **facts) == Present(expected)
    cooling = {**facts, "lifecycle_rules": rules(rule(move(90, "Cool")))}
    assert of("never_archived_containers", **cooling) == ABSENT


def test_a_cut_list_of_containers_leaves_it_open_whether_one_has_a_scope() -> None:
    facts = {"lifecycle_rules": rules(rule(move(90, "Archive"))), "container_count": Present(2000)}
    assert of("never_archived_containers", **facts) == Unreadable("Truncated")


def retention(state: str | None, code: str = "") -> ContainerRetention:
    return ContainerRetention("slides", state, None, code)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((retention("Locked"),), Present(())),
        ((retention("Unlocked"), retention("Locked")), Present(("slides",))),
        ((retention(None, "Denied"),), Unreadable("Denied")),
        ((retention(None, "Denied"), retention("Unlocked")), Present(("slides",))),
    ],
)
def test_a_retention_is_locked_only_when_it_says_so(given: Any, expected: object) -> None:
    assert of("unlocked_containers", container_retentions=Present(given)) == expected


RESTORING = {
    "restore_days": Present(30),
    "blob_soft_delete_days": Present(31),
    "versioning_enabled": YES,
    "change_feed_enabled": YES,
}


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, Present(())),
        ({"blob_soft_delete_days": Present(30)}, Present(("soft_delete",))),
        ({"blob_soft_delete_days": ABSENT}, Present(("soft_delete",))),
        ({"versioning_enabled": ABSENT}, Present(("versioning",))),
        ({"change_feed_enabled": NO}, Present(("change_feed",))),
        ({"change_feed_days": Present(7)}, Present(("change_feed",))),
        ({"change_feed_days": Present(30)}, Present(())),
        ({"versioning_enabled": DENIED}, DENIED),
        ({"versioning_enabled": DENIED, "change_feed_enabled": NO}, Present(("change_feed",))),
        ({"restore_days": ABSENT}, ABSENT),
    ],
)
def test_a_restore_reaches_as_far_as_the_shortest_of_what_it_needs(
    facts: dict[str, Any], expected: object
) -> None:
    assert of("restore_gaps", **RESTORING | facts) == expected


@pytest.mark.parametrize(
    ("listed", "facts", "expected"),
    [
        ((inventory(),), {}, Present(())),
        ((inventory(enabled=False),), {}, ABSENT),
        ((inventory(destination="gone"),), {}, Present(("destination",))),
        ((inventory(includes_versions=False),), {}, Present(())),
        (
            (inventory(includes_versions=False),),
            {"versioning_enabled": YES},
            Present(("versions",)),
        ),
        ((inventory(),), {"containers": DENIED}, DENIED),
    ],
)
def test_an_inventory_is_delivered_and_tells_what_versions_there_are(
    listed: Any, facts: dict[str, Any], expected: object
) -> None:
    assert of("inventory_gaps", inventory_configurations=Present(listed), **facts) == expected


@pytest.mark.parametrize(
    ("actions", "expected"),
    [
        ((move(30, "Cool"), move(60, "Cold"), move(150, "Archive"), delete(330)), ()),
        ((move(30, "Cool"), move(59, "Cold")), ("cool",)),
        ((move(30, "Cold"), move(119, "Archive")), ("cool",)),
        ((move(90, "Archive"), delete(269)), ("cool",)),
        ((move(90, "Archive"), delete(270)), ()),
        ((move(30, "Cool"), delete(30)), ()),  # the deletion wins, so that nothing ever cools
        ((move(30, "Cool"), delete(31, subject=RuleSubject.SNAPSHOT)), ()),
        ((move(30, "Cool"), delete(31, basis=AgeBasis.LAST_ACCESS)), ()),
        ((move(30, "Smart"), delete(31)), ()),
    ],
)
def test_a_rule_is_hasty_when_it_takes_data_out_of_a_tier_too_soon(
    actions: Any, expected: tuple[str, ...]
) -> None:
    assert of("hasty_rules", lifecycle_rules=rules(rule(*actions))) == Present(expected)


def test_rules_that_move_nothing_or_are_off_are_not_hasty() -> None:
    hasty = (move(30, "Cool"), delete(31))
    assert of("hasty_rules", lifecycle_rules=rules(rule(*hasty, enabled=False))) == ABSENT
    assert of("hasty_rules", lifecycle_rules=rules(rule(delete(31)))) == ABSENT
    assert of("hasty_rules", lifecycle_rules=DENIED) == DENIED
