import pytest

from app.domain.collecting import Outcome, ScopeReport
from app.domain.coverage import Coverage


def reports_of(coverage: Coverage) -> dict[tuple[str, str], ScopeReport]:
    return {(report.scope, report.operation): report for report in coverage.reports()}


def test_calls_add_up_per_scope_and_operation() -> None:
    coverage = Coverage()
    for outcome in (Outcome.ANSWERED, Outcome.ANSWERED, Outcome.ABSENT):
        coverage.count("a", "read", outcome)
    coverage.count("b", "read", Outcome.FAILED, throttled=3, fault=("SlowDown", "too many"))
    reports = reports_of(coverage)
    assert reports["a", "read"] == ScopeReport("a", "read", asked=3, answered=2, absent=1)
    assert reports["b", "read"] == ScopeReport(
        "b", "read", asked=1, failed=1, throttled=3, code="SlowDown", message="too many"
    )


def test_what_was_skipped_was_not_asked() -> None:
    coverage = Coverage()
    coverage.count("a", "read", Outcome.SKIPPED, fault=("RegionNotEnabled", ""))
    report = reports_of(coverage)["a", "read"]
    assert (report.asked, report.skipped, report.code) == (0, 1, "RegionNotEnabled")


@pytest.mark.parametrize("denied_first", [True, False])
def test_a_missing_right_is_named_before_a_fault(denied_first: bool) -> None:
    calls = [(Outcome.FAILED, "InternalError"), (Outcome.DENIED, "AccessDenied")]
    coverage = Coverage()
    for outcome, code in reversed(calls) if denied_first else calls:
        coverage.count("a", "read", outcome, fault=(code, code))
    assert reports_of(coverage)["a", "read"].code == "AccessDenied"


def test_the_first_fault_of_a_kind_is_told() -> None:
    coverage = Coverage()
    for code in ("First", "Second"):
        coverage.count("a", "read", Outcome.FAILED, fault=(code, ""))
    assert reports_of(coverage)["a", "read"].code == "First"


def test_a_sources_clock_is_told_where_it_was_seen() -> None:
    coverage = Coverage()
    coverage.count("a", "list", Outcome.ANSWERED)
    coverage.count("a", "read", Outcome.ANSWERED)
    coverage.note_skew("a", "list", -25.0)
    reports = reports_of(coverage)
    assert reports["a", "list"].clock_skew_seconds == -25.0
    assert reports["a", "read"].clock_skew_seconds is None


def test_nothing_counted_gives_no_report() -> None:
    assert list(Coverage().reports()) == []
