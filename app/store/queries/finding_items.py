"""One finding as lists and details show it: the columns to select and the value they make."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, case, select

from app.domain.compliance import Verdict
from app.store import keyset
from app.store.models.compliance import FindingRow, VerdictRow
from app.store.models.inventory import ResourceRow


@dataclass(frozen=True, slots=True)
class FindingItem:
    """One finding. `state` is open or resolved; `overlay` is waived, snoozed or nothing.

    `last_observed_at`: when the breach was last seen; while it is open and still judged
    non_compliant that is the last receipt of its resource.
    """

    number: int
    id: str
    policy_id: str
    policy_version: str
    resource_id: str
    resource_name: str
    resource_kind: str
    connection_id: str
    title: str
    pillar: str
    severity: str
    state: str
    overlay: str
    message: str
    opened_at: datetime
    last_observed_at: datetime
    resolved_at: datetime | None
    close_reason: str | None
    owner: str | None
    snoozed_until: datetime | None
    waived_until: datetime | None


_SEEN_NOW = and_(FindingRow.state == "open", VerdictRow.verdict == Verdict.NON_COMPLIANT)
_COLUMNS = (
    FindingRow.number, FindingRow.id, FindingRow.policy_id, FindingRow.policy_version,
    FindingRow.resource_id,
    FindingRow.connection_id, FindingRow.title, FindingRow.pillar, FindingRow.severity,
    FindingRow.severity_rank, FindingRow.state, FindingRow.tab, FindingRow.message,
    FindingRow.opened_at, FindingRow.resolved_at, FindingRow.close_reason, FindingRow.owner,
    FindingRow.snoozed_until, FindingRow.waived_until, FindingRow.used, FindingRow.revision_id,
    ResourceRow.name.label("resource_name"), ResourceRow.kind.label("resource_kind"),
    case(
        (_SEEN_NOW, ResourceRow.observed_at), else_=FindingRow.last_observed_at
    ).label("last_observed_at"),
)  # fmt: skip


def select_findings() -> Select[*tuple[Any, ...]]:
    """Findings with what they show of their resource; outer joins keep the order of the walk."""
    same = and_(
        VerdictRow.policy_id == FindingRow.policy_id,
        VerdictRow.resource_id == FindingRow.resource_id,
    )
    return (
        select(*_COLUMNS)
        .outerjoin(ResourceRow, ResourceRow.id == FindingRow.resource_id)
        .outerjoin(VerdictRow, same)
    )


def finding_of(row: keyset.AnyRow) -> FindingItem:
    """The value of one row of `select_findings`."""
    return FindingItem(
        number=row.number,
        id=f"F-{row.number}",
        policy_id=row.policy_id,
        policy_version=row.policy_version,
        resource_id=str(row.resource_id),
        resource_name=row.resource_name,
        resource_kind=row.resource_kind,
        connection_id=str(row.connection_id),
        title=row.title,
        pillar=row.pillar,
        severity=row.severity,
        state=row.state,
        overlay=row.tab if row.tab in ("snoozed", "waived") else "",
        message=row.message,
        opened_at=row.opened_at,
        last_observed_at=row.last_observed_at,
        resolved_at=row.resolved_at,
        close_reason=row.close_reason,
        owner=row.owner,
        snoozed_until=row.snoozed_until if row.tab == "snoozed" else None,
        waived_until=row.waived_until if row.tab == "waived" else None,
    )
