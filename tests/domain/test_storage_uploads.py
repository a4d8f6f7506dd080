from datetime import UTC, datetime
from typing import Any

import pytest

from app.domain.derive import derive
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.storage import AgeBasis, LifecycleAction, LifecycleRule, RuleEffect, RuleSubject
from app.domain.storage_copies import CopyHolder, CopyHolderFacts
from app.domain.storage_uploads import UnfinishedUploadFacts
from tests.support.stores import bucket, replication, rule, rules

DENIED = Unreadable("AccessDenied")
MARCH = datetime(2026, 3, 1, tzinfo=UTC)


def uploads(**facts: Any) -> UnfinishedUploadFacts:
    (found,) = (one for one in derive(bucket(**facts)) if isinstance(one, UnfinishedUploadFacts))
    return found


def aborting(days: float = 7, **attributes: Any) -> LifecycleRule:
    action = LifecycleAction(
        RuleEffect.ABORT_MULTIPART, RuleSubject.CURRENT, AgeBasis.START, after_days=days
    )
    return rule(action, **attributes)


@pytest.mark.parametrize(
    ("given", "after"),
    [
        (ABSENT, ABSENT),
        (DENIED, DENIED),
        (rules(rule()), ABSENT),
        (rules(aborting(9), aborting(3)), Present(3)),
        (rules(aborting(enabled=False)), ABSENT),
        (rules(aborting(prefixes=("logs/",))), ABSENT),
    ],
)
def test_only_a_rule_for_all_uploads_aborts_them(given: Any, after: Fact[float]) -> None:
    assert uploads(lifecycle_rules=given).aborts_uploads_after_days == after


def test_the_oldest_upload_is_known_where_all_were_listed() -> None:
    assert uploads(oldest_listed_upload_at=Present(MARCH)).oldest_upload_at == Present(MARCH)
    assert uploads().oldest_upload_at == ABSENT
    cut = uploads(
        oldest_listed_upload_at=Present(MARCH), unfinished_uploads_listed_whole=Present(False)
    )
    assert cut.oldest_upload_at == Unreadable("ListCut")


def holders(given: Any) -> Fact[tuple[CopyHolder, ...]]:
    derived = derive(bucket(replication_rules=given))
    (found,) = (one for one in derived if isinstance(one, CopyHolderFacts))
    return found.copy_holders


def test_copies_of_other_accounts_have_their_holders_each_once() -> None:
    foreign = replication(destination="theirs", destination_account_id="222222222222")
    off = replication(destination="lost", destination_account_id="unknown", enabled=False)
    assert holders(Present((replication(), foreign, foreign, off))) == Present(
        (CopyHolder("theirs", "222222222222"), CopyHolder("lost", None))
    )


@pytest.mark.parametrize("none", [ABSENT, DENIED])
def test_unread_replication_is_not_taken_for_none(none: Any) -> None:
    assert holders(none) == none
    assert holders(Present((replication(),))) == Present(())
