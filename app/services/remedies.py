"""What to do about a breach of one policy by one resource: the remedy that fits its facts."""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.policies.engine import EvaluationRow, Remedy, remedy_for
from app.services import policies
from app.store.queries import inventory
from app.store.queries.resource_items import ResourceItem


def remedy_of(
    session: Session, *, access: Access, policy_id: str, resource_id: str, now: datetime
) -> Remedy | None:
    """The words and commands for this resource; None when the policy is gone or not for its kind.

    A store that cannot keep versions is never told to switch them on, so a finding must show this
    one rather than all remedies of its policy. NotFoundError as the query of the resource.
    """
    access.demand(Scope.FINDINGS_READ)
    item = inventory.get_resource(session, access=access, resource_id=resource_id)
    found = next((one for one in policies.effective(session) if one.policy.id == policy_id), None)
    if found is None or item.kind not in found.policy.programs:
        return None
    return remedy_for(found, item.kind, _row(item), now)


def _row(item: ResourceItem) -> EvaluationRow:
    known = {
        "id": item.id,
        "name": item.name,
        "kind": item.kind,
        "provider": item.provider,
        "account_id": item.sub_account_id,
        "region_id": item.region_id,
        "tags": item.tags,
        "created_at": item.created_at,
    }
    return EvaluationRow(
        resource_id=item.id,
        resource={name: value for name, value in known.items() if value is not None},
        facts=item.facts,
        stale=False,
        observed_at=item.observed_at,
    )
