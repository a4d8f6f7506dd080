"""Exact counts of verdicts from the maintained roll-up."""

from typing import Any

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.reporting import Counts
from app.store.models.tallies import VerdictTallyRow
from app.store.scoping import key_of, visible

WORDS = ("compliant", "non_compliant", "waived", "unknown", "not_applicable")


def _total(word: str) -> ColumnElement[Any]:
    return func.coalesce(func.sum(getattr(VerdictTallyRow, word)), 0)


def count(
    session: Session,
    *,
    access: Access,
    policy_id: str = "",
    verdict: str = "",
    connection_id: str = "",
) -> int:
    """Verdicts of this word ('' = all) by this policy ('' = all) on these connections."""
    columns = [_total(word) for word in WORDS if verdict in ("", word)]
    statement = select(*columns).where(visible(access, VerdictTallyRow.connection_id))
    if policy_id:
        statement = statement.where(VerdictTallyRow.policy_id == policy_id)
    if connection_id:
        key = key_of(connection_id, "connection")
        statement = statement.where(VerdictTallyRow.connection_id == key)
    return sum(int(number) for number in session.execute(statement).one())


def policy_counts(session: Session, *, access: Access) -> dict[str, dict[str, int]]:
    """`{policy id: {compliant, non_compliant, waived, unknown, not_applicable}}` of live resources.

    non_compliant leaves out what is waived. Policies in mode `report` have counts too.
    """
    rows = session.execute(
        select(VerdictTallyRow.policy_id, *(_total(word) for word in WORDS))
        .where(visible(access, VerdictTallyRow.connection_id))
        .group_by(VerdictTallyRow.policy_id)
    )
    return {
        policy_id: dict(zip(WORDS, map(int, numbers), strict=True)) for policy_id, *numbers in rows
    }


def pillar_counts(session: Session, *, access: Access) -> dict[str, Counts]:
    """Verdicts of enforced policies by pillar; a pillar without any is missing."""
    words = WORDS[:4]
    rows = session.execute(
        select(VerdictTallyRow.pillar, *(_total(word) for word in words))
        .where(visible(access, VerdictTallyRow.connection_id), VerdictTallyRow.enforced)
        .group_by(VerdictTallyRow.pillar)
    )
    found = {pillar: Counts(*map(int, numbers)) for pillar, *numbers in rows}
    return {pillar: counts for pillar, counts in found.items() if counts.judged}


def counts_of_pillar(session: Session, *, access: Access, pillar: str) -> dict[str, Counts]:
    """Verdicts by enforced policy of one pillar."""
    rows = session.execute(
        select(VerdictTallyRow.policy_id, *(_total(word) for word in WORDS[:4]))
        .where(
            visible(access, VerdictTallyRow.connection_id),
            VerdictTallyRow.enforced,
            VerdictTallyRow.pillar == pillar,
        )
        .group_by(VerdictTallyRow.policy_id)
        .order_by(VerdictTallyRow.policy_id)
    )
    return {policy_id: Counts(*map(int, numbers)) for policy_id, *numbers in rows}
