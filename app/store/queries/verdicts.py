"""Present verdicts: of one resource, or by one policy."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.compliance import Verdict
from app.domain.paging import Page, PageRequest
from app.kit.errors import InvalidInputError
from app.store import keyset
from app.store.models.compliance import VerdictRow
from app.store.models.inventory import ConnectionRow, ResourceRow
from app.store.queries import verdict_tallies
from app.store.scoping import key_of, visible


@dataclass(frozen=True, slots=True)
class VerdictItem:
    """What a policy says of a resource. `since`: when the verdict last changed.

    `waived`: non_compliant, and excused for now. `evaluated_at`: when it was last found so.
    """

    policy_id: str
    policy_version: str
    resource_id: str
    resource_name: str
    verdict: str
    waived: bool
    message: str
    reasons: tuple[str, ...]
    used: dict[str, Any]
    revision_id: str
    since: datetime
    evaluated_at: datetime


_COLUMNS = (
    VerdictRow.policy_id, VerdictRow.policy_version, VerdictRow.resource_id,
    ResourceRow.name.label("resource_name"), VerdictRow.verdict, VerdictRow.waived,
    VerdictRow.message, VerdictRow.reasons, VerdictRow.used, VerdictRow.revision_id,
    VerdictRow.since, VerdictRow.evaluated_at,
    ConnectionRow.evaluated_at.label("all_evaluated_at"),
)  # fmt: skip
_ORDER = keyset.Order("verdicts", (VerdictRow.resource_id,))


def _select() -> Select[*tuple[Any, ...]]:
    return (
        select(*_COLUMNS)
        .outerjoin(ResourceRow, ResourceRow.id == VerdictRow.resource_id)
        .outerjoin(ConnectionRow, ConnectionRow.id == VerdictRow.connection_id)
    )


def verdicts_of(session: Session, *, access: Access, resource_id: str) -> tuple[VerdictItem, ...]:
    """All verdicts on one resource, by policy; a deleted resource has none."""
    rows = session.execute(
        _select()
        .where(
            VerdictRow.resource_id == key_of(resource_id, "resource"),
            visible(access, VerdictRow.connection_id),
        )
        .order_by(VerdictRow.policy_id)
    )
    return tuple(_item(row) for row in rows)


def search_verdicts(
    session: Session,
    *,
    access: Access,
    policy_id: str,
    verdict: str = "",
    page: PageRequest | None = None,
) -> Page[VerdictItem]:
    """Verdicts of one policy, in the order in which resources appeared.

    `verdict`: a word of Verdict, or waived ('' = all); non_compliant leaves waived ones out.
    """
    words = (*Verdict, "waived", "")
    if verdict not in words:
        known = ", ".join(words[:-1])
        raise InvalidInputError(f"no verdict {verdict[:20]!r}", mend=f"one of {known}")
    statement = _select().where(
        VerdictRow.policy_id == policy_id, visible(access, VerdictRow.connection_id)
    )
    if verdict:
        waived = verdict == "waived"
        word = Verdict.NON_COMPLIANT.value if waived else verdict
        statement = statement.where(VerdictRow.verdict == word, VerdictRow.waived.is_(waived))
    total = verdict_tallies.count(session, access=access, policy_id=policy_id, verdict=verdict)
    return keyset.fetch(session, statement, _ORDER, page or PageRequest(), total=total, item=_item)


def _item(row: keyset.AnyRow) -> VerdictItem:
    seen = (row.evaluated_at, row.all_evaluated_at)
    return VerdictItem(
        policy_id=row.policy_id,
        policy_version=row.policy_version,
        resource_id=str(row.resource_id),
        resource_name=row.resource_name,
        verdict=row.verdict,
        waived=row.waived,
        message=row.message,
        reasons=tuple(row.reasons),
        used=row.used,
        revision_id=str(row.revision_id),
        since=row.since,
        evaluated_at=max(at for at in seen if at is not None),
    )
