"""How the newest run of a DataSync task went, and when nobody knows yet."""

from typing import Any

import pytest

from app.domain.datasync import DatasyncTaskFacts
from app.domain.facts import ABSENT, Fact, Present, Unreadable, fact_names
from app.domain.transfer_datasync import datasync_transfer


def last_run(**known: Fact[Any]) -> Fact[str]:
    """What is derived for a task that ran, of which nothing else is told."""
    plain: dict[str, Any] = dict.fromkeys(fact_names(DatasyncTaskFacts), ABSENT)
    ran = {"last_execution_arn": Present("arn:aws:datasync:eu-west-1:1:task/t/execution/e")}
    return datasync_transfer(DatasyncTaskFacts(**(plain | ran | known))).last_run


@pytest.mark.parametrize(("status", "word"), [("SUCCESS", "succeeded"), ("ERROR", "failed")])
def test_a_run_that_is_over_tells_how_it_went(status: str, word: str) -> None:
    assert last_run(last_execution_status=Present(status)) == Present(word)


@pytest.mark.parametrize(
    "status",
    ["QUEUED", "LAUNCHING", "PREPARING", "TRANSFERRING", "VERIFYING", "CANCELLING"],
)
def test_a_run_that_is_not_over_has_no_outcome(status: str) -> None:
    assert last_run(last_execution_status=Present(status)) == Unreadable("StillRunning")


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (Present("PONDERING"), "UnknownStatus PONDERING"),
        (Unreadable("AccessDenied"), "AccessDenied"),
        (ABSENT, "NotReported"),
    ],
)
def test_a_status_that_says_nothing_is_no_outcome(status: Fact[str], code: str) -> None:
    assert last_run(last_execution_status=status) == Unreadable(code)


def test_a_task_without_a_run_never_ran() -> None:
    assert last_run(last_execution_arn=ABSENT) == Present("never")
