"""Single objects: due, moving, late, or staying for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.collecting import Provider
from app.domain.compliance import Verdict
from app.domain.facts import Present, Unreadable
from app.domain.storage import AgeBasis, LifecycleRule
from app.domain.storage_lifecycle import Circumstances
from app.domain.storage_sizes import Fate, StoredObject, objects_due
from tests.support.stores import delete, move, rule


def fate(item: StoredObject, *given_rules: LifecycleRule, limit_days: float = 30) -> Fate:
    ((_, found),) = objects_due([item], given_rules, limit_days=limit_days).fates
    return found


def thing(size_bytes: int = 1_000_000, age_days: float = 40, key: str = "a/b") -> StoredObject:
    return StoredObject(key, size_bytes, age_days)


@pytest.mark.parametrize(
    ("size_bytes", "expected"),
    [(131_072, Fate.MOVES), (131_071, Fate.NEVER_MOVES), (0, Fate.NEVER_MOVES)],
)
def test_the_least_size_moves_and_one_byte_less_never_does(size_bytes: int, expected: Fate) -> None:
    assert fate(thing(size_bytes), rule()) is expected


@pytest.mark.parametrize(
    ("size_bytes", "expected"),
    [(1000, Fate.NEVER_MOVES), (1001, Fate.MOVES), (4999, Fate.MOVES), (5000, Fate.NEVER_MOVES)],
)
def test_size_filters_are_exclusive_on_both_ends(size_bytes: int, expected: Fate) -> None:
    between = rule(minimum_size_bytes=1000, maximum_size_bytes=5000)
    assert fate(thing(size_bytes), between) is expected


def test_an_upper_limit_alone_replaces_the_default_too() -> None:
    assert fate(thing(10), rule(maximum_size_bytes=5000)) is Fate.MOVES


def test_deletion_knows_no_least_size() -> None:
    assert fate(thing(1), rule(delete(20))) is Fate.MOVES


@pytest.mark.parametrize(
    ("age_days", "expected"), [(29.9, Fate.NOT_DUE), (30, Fate.MOVES), (400, Fate.MOVES)]
)
def test_an_object_is_due_from_the_limit_on(age_days: float, expected: Fate) -> None:
    assert fate(thing(age_days=age_days), rule()) is expected


def test_a_rule_after_the_limit_moves_late() -> None:
    due = objects_due([thing()], [rule(move(90))], limit_days=30)
    assert due.count(Fate.MOVES_LATE) == 1
    assert due.verdict is Verdict.NON_COMPLIANT


def test_objects_elsewhere_or_already_cool_are_left_out() -> None:
    due = objects_due(
        [thing(key="other/x"), StoredObject("a/x", 10, 400, "GLACIER")],
        [],
        prefix="a/",
        limit_days=30,
    )
    assert due.fates == ()
    assert due.verdict is Verdict.COMPLIANT


def test_last_access_of_a_single_object_is_unknown() -> None:
    at = Circumstances(Provider.AZURE, last_access=Present(True))
    by_access = rule(move(30, "Cool", basis=AgeBasis.LAST_ACCESS))
    due = objects_due([thing()], [by_access], limit_days=30, at=at)
    assert due.verdict is Verdict.UNKNOWN


def test_an_unread_redundancy_is_unknown_for_archive() -> None:
    at = Circumstances(Provider.AZURE, archive=Unreadable("AccessDenied"))
    due = objects_due([thing()], [rule(move(30, "Archive"))], limit_days=30, at=at)
    assert due.verdict is Verdict.UNKNOWN


@given(
    st.lists(st.builds(thing, st.integers(0, 2**70), st.integers(0, 400).map(float)), max_size=30)
)
def test_every_object_has_one_fate_and_bytes_add_up(items: list[StoredObject]) -> None:
    due = objects_due(items, [rule()], limit_days=30)
    assert sum(due.count(fate) for fate in Fate) == len(items)
    assert sum(due.size_bytes(fate) for fate in Fate) == sum(item.size_bytes for item in items)
    assert due.due == sum(item.age_days >= 30 for item in items)
