"""A rule counts only when it is on, reaches all of the data, and can act in this store."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.collecting import Provider
from app.domain.compliance import Verdict
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.storage import AgeBasis, LifecycleRule, RuleEffect, RuleSubject
from app.domain.storage_judgement import judge_rules, leaves_hot, matched_containers
from app.domain.storage_lifecycle import S3, Circumstances, Cooling, cooling
from tests.support.stores import delete, move, rule, rules

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
TRACKED = Present(True)
DENIED = Unreadable("AccessDenied")


def azure(**known: Any) -> Circumstances:
    return Circumstances(Provider.AZURE, now=NOW, **known)


def cools(*given_rules: LifecycleRule, prefix: str = "", at: Circumstances = S3) -> Fact[Cooling]:
    return cooling(given_rules, prefix, at).fact()


def days(*given_rules: LifecycleRule, prefix: str = "", at: Circumstances = S3) -> float | None:
    """Days until all data is cool; None when some never is. Fails when that is not known."""
    found = cools(*given_rules, prefix=prefix, at=at)
    assert not isinstance(found, Unreadable), found
    return found.value.after_days if isinstance(found, Present) else None


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (rule(enabled=False), "disabled"),
        (rule(tags={"class": "old"}), "tags"),
        (rule(maximum_size_bytes=1_000_000), "below 1000000 bytes"),
        (rule(prefixes=("logs/",)), "prefixes"),
        (rule(blob_types=("appendBlob",)), "block blobs"),
        (rule(move(subject=RuleSubject.NONCURRENT)), "old versions"),
        (rule(delete(subject=RuleSubject.SNAPSHOT)), "old versions"),
        (rule(move(effect=RuleEffect.ABORT_MULTIPART)), "neither moves"),
        (rule(move(effect=RuleEffect.OTHER)), "neither moves"),
        (rule(move(storage_class="STANDARD")), "within the hot tier"),
        (rule(move(storage_class="REDUCED_REDUNDANCY")), "within the hot tier"),
        (rule(delete(None)), "no age condition"),
        (rule(move(basis=AgeBasis.LAST_TIER_CHANGE)), "change of tier"),
        (rule(move(basis=AgeBasis.LAST_ACCESS)), "not tracked"),
        (rule(minimum_size_bytes=5_000_000), "5000001 bytes and more"),
        (rule(actions=()), "no action"),
    ],
)
def test_a_rule_that_does_not_work_does_not_count(bad: LifecycleRule, reason: str) -> None:
    assert days(bad, prefix="datasets/a/") is None
    (judged,) = judge_rules([bad], "datasets/a/")
    assert not judged.counts
    assert reason in judged.reason
    assert not judged.code


@pytest.mark.parametrize(
    "storage_class",
    ["STANDARD_IA", "ONEZONE_IA", "GLACIER_IR", "GLACIER", "DEEP_ARCHIVE", "INTELLIGENT_TIERING"],
)
def test_every_other_class_of_s3_is_out_of_the_hot_tier(storage_class: str) -> None:
    assert days(rule(move(7, storage_class))) == 7


def test_deleting_counts_as_leaving_and_knows_no_least_size() -> None:
    found = cools(rule(delete(20)))
    assert found == Present(Cooling(20, 0, AgeBasis.CREATION))


@pytest.mark.parametrize(
    ("starts", "prefix", "expected"),
    [
        ((), "a/b/", 30),
        (("",), "a/b/", 30),
        (("a",), "a/b/", 30),
        (("a/b/",), "a/b/", 30),
        (("a/b/c",), "a/b/", None),
        (("A/",), "a/b/", None),
        (("b/",), "a/b/", None),
        (("b/", "a/"), "a/b/", 30),
    ],
)
def test_a_prefix_covers_when_it_starts_the_data(
    starts: tuple[str, ...], prefix: str, expected: float | None
) -> None:
    assert days(rule(prefixes=starts), prefix=prefix) == expected


def test_the_soonest_of_several_rules_decides() -> None:
    assert days(rule(move(90)), rule(move(40), delete(365)), rule(move(7), enabled=False)) == 40


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("floor", "expected"),
    [
        (MEGABYTE - 1, Present(Cooling(30, 0, AgeBasis.CREATION))),
        (MEGABYTE, ABSENT),  # objects of exactly a megabyte are in neither rule
        (500_000, Present(Cooling(30, 0, AgeBasis.CREATION))),
    ],
)
def test_rules_may_share_the_sizes_of_objects_between_them(
    floor: int, expected: Fact[Cooling]
) -> None:
    small = rule(move(30), maximum_size_bytes=MEGABYTE)
    large = rule(move(20), minimum_size_bytes=floor)
    assert cools(small, large) == expected
    assert [judged.counts for judged in judge_rules([small, large])] == [False, False]


def test_the_slowest_size_decides() -> None:
    small = rule(move(90), maximum_size_bytes=MEGABYTE)
    assert days(small, rule(move(10), minimum_size_bytes=MEGABYTE - 1)) == 90
    assert days(small, rule(move(10))) == 10, "smaller ones of these are below the default"


def test_a_gap_among_small_objects_only_is_the_gap_of_the_whole() -> None:
    found = cools(rule(move(30)), rule(move(30), maximum_size_bytes=5000))
    assert found == Present(Cooling(30, 131_072, AgeBasis.CREATION))


class TestFixedDates:
    """A date is no age: it has come, or it has not."""

    at = Circumstances(Provider.AWS, now=NOW)

    def test_a_past_date_acts_at_once(self) -> None:
        assert days(rule(move(None, on_date=NOW - timedelta(days=1))), at=self.at) == 0

    def test_a_future_date_does_not_act_yet(self) -> None:
        later = rule(move(None, on_date=NOW + timedelta(days=1)))
        assert days(later, at=self.at) is None
        assert "2026-12-01" in judge_rules([later], at=self.at)[0].reason

    def test_without_a_clock_a_date_is_not_judged(self) -> None:
        dated = rule(move(None, on_date=NOW))
        assert cools(dated) == Unreadable("DateNotCompared")
        assert leaves_hot(rules(dated), "", 30) is Verdict.UNKNOWN
        assert leaves_hot(rules(dated, rule()), "", 30) is Verdict.COMPLIANT


class TestSmallObjects:
    """S3 leaves small objects alone unless the rule or the bucket says otherwise."""

    def skipped(self, word: str, storage_class: str, minimum: int | None = None) -> int:
        at = Circumstances(Provider.AWS, small_objects=Present(word))
        found = cools(rule(move(30, storage_class), minimum_size_bytes=minimum), at=at)
        assert isinstance(found, Present)
        return found.value.skips_below_bytes

    @pytest.mark.parametrize(
        ("word", "storage_class", "expected"),
        [
            ("all_storage_classes_128K", "GLACIER", 131_072),
            ("all_storage_classes_128K", "STANDARD_IA", 131_072),
            ("varies_by_storage_class", "GLACIER", 0),
            ("varies_by_storage_class", "DEEP_ARCHIVE", 0),
            ("varies_by_storage_class", "STANDARD_IA", 131_072),
            ("varies_by_storage_class", "GLACIER_IR", 131_072),
            ("varies_by_storage_class", "INTELLIGENT_TIERING", 131_072),
        ],
    )
    def test_the_default_depends_on_the_class(
        self, word: str, storage_class: str, expected: int
    ) -> None:
        assert self.skipped(word, storage_class) == expected

    @pytest.mark.parametrize("minimum", [0, 1, 131_071, 131_072])
    def test_an_own_size_filter_replaces_the_default(self, minimum: int) -> None:
        for word in ("all_storage_classes_128K", "varies_by_storage_class"):
            assert self.skipped(word, "STANDARD_IA", minimum) == minimum + 1

    @pytest.mark.parametrize("minimum", [131_073, 5_000_000_000])
    def test_a_rule_for_large_objects_does_not_cover_the_data(self, minimum: int) -> None:
        large = rule(move(), minimum_size_bytes=minimum)
        assert days(large) is None
        (judged,) = judge_rules([large])
        assert not judged.counts
        assert str(minimum + 1) in judged.reason

    def test_without_an_answer_the_default_of_s3_holds(self) -> None:
        found = cools(rule(move()))
        assert isinstance(found, Present)
        assert found.value.skips_below_bytes == 131_072

    def test_a_second_rule_for_the_small_ones_closes_the_gap(self) -> None:
        every_size = rule(move(90), minimum_size_bytes=0)
        assert cools(rule(move(7)), every_size) == Present(Cooling(7, 1, AgeBasis.CREATION))

    def test_the_same_rule_leaves_none_behind_on_azure(self) -> None:
        found = cools(rule(move(30, "Cool")), at=azure())
        assert found == Present(Cooling(30, 0, AgeBasis.CREATION))


class TestAzureTiers:
    """An action counts only when kind and redundancy admit its tier."""

    def test_archive_needs_a_redundancy_that_has_it(self) -> None:
        to_archive = rule(move(30, "Archive"))
        assert days(to_archive, at=azure()) == 30
        assert days(to_archive, at=azure(archive=Present(False))) is None

    def test_cool_works_where_archive_does_not(self) -> None:
        both = rule(move(10, "Archive"), move(60, "Cool"))
        assert days(both, at=azure(archive=Present(False))) == 60

    def test_premium_accounts_can_only_delete(self) -> None:
        at = azure(tiers=Present(False), archive=Present(False))
        assert days(rule(move(30, "Cool")), at=at) is None
        assert days(rule(move(30, "Cool"), delete(90)), at=at) == 90

    def test_moving_back_to_hot_does_not_count(self) -> None:
        assert days(rule(move(1, "Hot")), at=azure()) is None

    def test_unread_redundancy_is_a_doubt_only_where_it_decides(self) -> None:
        at = azure(archive=DENIED)
        assert cools(rule(move(10, "Archive")), at=at) == DENIED
        assert days(rule(move(10, "Cool"), move(30, "Archive")), at=at) == 10

    def test_a_tier_not_known_yet_is_a_doubt(self) -> None:
        assert cools(rule(move(10, "Frozen")), at=azure()) == Unreadable("UnknownStorageClass")


class TestLastAccess:
    """Counting from last access needs the tracking of it."""

    by_access = rule(move(30, "Cool", basis=AgeBasis.LAST_ACCESS))
    by_change = rule(move(90, "Cool", basis=AgeBasis.MODIFICATION))

    @pytest.mark.parametrize(
        ("tracking", "expected"),
        [
            (Present(True), Verdict.COMPLIANT),
            (Present(False), Verdict.NON_COMPLIANT),
            (ABSENT, Verdict.NON_COMPLIANT),
            (DENIED, Verdict.UNKNOWN),
        ],
    )
    def test_it_counts_only_when_tracked(self, tracking: Fact[bool], expected: Verdict) -> None:
        at = azure(last_access=tracking)
        assert leaves_hot(rules(self.by_access), "training/", 30, at) is expected

    def test_a_doubt_that_cannot_decide_is_no_doubt(self) -> None:
        at = azure(last_access=DENIED)
        both = rules(self.by_access, self.by_change)
        assert leaves_hot(both, "training/", 90, at) is Verdict.COMPLIANT
        assert leaves_hot(both, "training/", 30, at) is Verdict.UNKNOWN
        assert leaves_hot(both, "training/", 29, at) is Verdict.NON_COMPLIANT

    def test_the_basis_is_told(self) -> None:
        found = cools(self.by_access, at=azure(last_access=TRACKED))
        assert found == Present(Cooling(30, 0, AgeBasis.LAST_ACCESS))


class TestWholeAccounts:
    """The whole store is the sum of its containers."""

    at = azure(containers=Present(("images", "images-prod", "raw")))

    def covering(self, *starts: str, after: float = 30) -> LifecycleRule:
        return rule(move(after, "Cool"), prefixes=starts, blob_types=("blockBlob",))

    def test_rules_together_cover_all_containers_and_the_slowest_decides(self) -> None:
        assert days(self.covering("images"), self.covering("raw/", after=45), at=self.at) == 45

    def test_one_uncovered_container_spoils_it(self) -> None:
        assert days(self.covering("images/"), self.covering("raw/"), at=self.at) is None

    def test_part_of_a_container_does_not_cover_it(self) -> None:
        assert days(self.covering("images"), self.covering("raw/2025/"), at=self.at) is None

    def test_an_empty_account_needs_a_rule_for_everything(self) -> None:
        empty = azure(containers=Present(()))
        assert days(self.covering("images"), at=empty) is None
        assert days(self.covering(), at=empty) == 30

    def test_unread_containers_leave_it_open(self) -> None:
        unread = azure(containers=DENIED)
        assert cools(self.covering("images"), at=unread) == DENIED
        assert days(self.covering(), at=unread) == 30
        (judged,) = judge_rules([self.covering("images")], at=unread)
        assert (judged.counts, judged.reason) == (
            False,
            "Which containers it covers could not be read.",
        )

    def test_a_dead_rule_stays_dead_without_containers(self) -> None:
        dead = rule(move(30, "Cool"), prefixes=("images",), enabled=False)
        assert days(dead, at=azure(containers=DENIED)) is None

    def test_a_rule_counts_for_the_store_when_it_cools_a_container(self) -> None:
        judged = judge_rules([self.covering("images"), self.covering("img")], at=self.at)
        assert [found.counts for found in judged] == [True, False]
        assert judged[0].matched_containers == ("images", "images-prod")

    def test_a_bare_container_name_means_its_content(self) -> None:
        assert days(self.covering("images/"), prefix="images", at=self.at) == 30
        assert days(self.covering("images-prod/"), prefix="images", at=self.at) is None


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        ((), ("images", "images-prod", "imagery")),
        (("images",), ("images", "images-prod")),
        (("images/",), ("images",)),
        (("images/raw/2025",), ("images",)),
        (("imag",), ("images", "images-prod", "imagery")),
        (("Images",), ()),
        (("raw/",), ()),
        (("imagery/", "images-"), ("images-prod", "imagery")),
    ],
)
def test_bare_string_prefixes_hit_siblings(
    starts: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    names = ("images", "images-prod", "imagery")
    assert matched_containers(rule(prefixes=starts), names) == expected


def test_a_rule_past_the_limit_does_not_count_and_says_both_figures() -> None:
    (judged,) = judge_rules([rule(move(90))], limit_days=30)
    assert not judged.counts
    assert judged.after_days == 90
    assert "90" in judged.reason
    assert "30" in judged.reason


@pytest.mark.parametrize(
    ("known", "expected"),
    [(ABSENT, Verdict.NON_COMPLIANT), (DENIED, Verdict.UNKNOWN), (rules(), Verdict.NON_COMPLIANT)],
)
def test_no_rules_is_a_breach_and_unread_rules_are_unknown(
    known: Fact[tuple[LifecycleRule, ...]], expected: Verdict
) -> None:
    assert leaves_hot(known, "a/", 30) is expected


ANY_RULE = st.builds(
    rule,
    st.one_of(
        st.builds(move, st.integers(0, 400), st.sampled_from(["GLACIER", "STANDARD", "Cool"])),
        st.builds(delete, st.integers(0, 400)),
    ),
    enabled=st.booleans(),
    prefixes=st.lists(st.text("ab/", max_size=3), max_size=2).map(tuple),
    tags=st.sampled_from([{}, {"k": "v"}]),
    minimum_size_bytes=st.sampled_from([None, 0, 200_000]),
)


@given(st.lists(ANY_RULE, max_size=4), st.text("ab/", max_size=4), st.integers(0, 400))
def test_more_rules_never_break_a_kept_promise(
    some: list[LifecycleRule], prefix: str, limit: int
) -> None:
    whole = leaves_hot(rules(*some), prefix, limit)
    for count in range(len(some)):
        if leaves_hot(rules(*some[:count]), prefix, limit) is Verdict.COMPLIANT:
            assert whole is Verdict.COMPLIANT


@given(st.lists(ANY_RULE, max_size=4), st.text("ab/", max_size=4), st.integers(0, 400))
def test_the_promise_is_kept_exactly_when_one_rule_counts(
    some: list[LifecycleRule], prefix: str, limit: int
) -> None:
    judged = judge_rules(some, prefix, limit_days=limit)
    kept = leaves_hot(rules(*some), prefix, limit) is Verdict.COMPLIANT
    assert kept is any(found.counts for found in judged)
