"""Policies as they are set here: the built-in ones with mode and params, and users' own."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.domain.compliance import PolicyMode
from app.kit.errors import ConflictError, InvalidInputError, NotFoundError
from app.policies.engine import EffectivePolicy
from app.policies.policy import Policy, complete_params
from app.policies.registry import built_in, parse
from app.services import audit_trail, evaluations
from app.store.models.compliance import PolicyRow

log = structlog.get_logger()
WHERE = "policy"


@dataclass(frozen=True, slots=True)
class PolicyItem:
    """A policy with what is known of its setting. `version` 0: as it came, never changed.

    `own`: written here, not built in.
    """

    effective: EffectivePolicy
    own: bool
    version: int
    changed_at: datetime | None
    changed_by: str


@dataclass(frozen=True, slots=True)
class PolicySet:
    """All policies in force, and the ids of stored ones that this version cannot read.

    What cannot be read judges nothing, and so must not close a finding either.
    """

    policies: tuple[EffectivePolicy, ...]
    unreadable: frozenset[str]


def effective(session: Session) -> tuple[EffectivePolicy, ...]:
    """All readable policies with their modes and params, those that are off too, by id."""
    return load(session).policies


def load(session: Session) -> PolicySet:
    """Everything that is stored or built in, parsed (texts once per process)."""
    rows = {row.id: row for row in session.scalars(select(PolicyRow))}
    found = {
        policy_id: _effective(policy, rows.get(policy_id))
        for policy_id, policy in built_in().items()
    }
    unreadable = set()
    for row in rows.values():
        if row.source is None or row.id in found:
            continue
        policy = _readable(row.id, row.source)
        if policy is None:
            unreadable.add(row.id)
        else:
            found[row.id] = _effective(policy, row)
    by_id = tuple(found[policy_id] for policy_id in sorted(found))
    return PolicySet(by_id, frozenset(unreadable))


def list_policies(session: Session, *, access: Access) -> tuple[PolicyItem, ...]:
    """All policies, by id."""
    access.demand(Scope.POLICIES_READ)
    rows = {row.id: row for row in session.scalars(select(PolicyRow))}
    return tuple(_item(found, rows.get(found.policy.id)) for found in effective(session))


def get(session: Session, *, access: Access, policy_id: str) -> PolicyItem:
    """One policy; NotFoundError when there is none. Who may change policies may read this one."""
    access.demand(Scope.POLICIES_READ, Scope.POLICIES_WRITE)
    return _get(session, policy_id)


def check(text: str) -> tuple[dict[str, str], ...]:
    """What is wrong with a policy's text, as {"where": "line:column", "what"}; () when nothing."""
    try:
        _parse(text)
    except InvalidInputError as error:
        return error.errors or ({"where": "1:1", "what": error.detail},)
    return ()


def save(
    session: Session, *, access: Access, text: str, now: datetime, version: int | None = None
) -> PolicyItem:
    """Creates or replaces an own policy; mode and params stay as they were set.

    `version` is the one the caller saw (0: it must be new); ConflictError when another is stored.
    """
    access.demand(Scope.POLICIES_WRITE)
    policy = _parse(text)
    if policy.id in built_in():
        raise ConflictError(
            f"the policy {policy.id} is built in", mend="give yours another id, or set its params"
        )
    row = session.get(PolicyRow, policy.id)
    _demand_version(row, version)
    if row is None:
        row = _new_row(session, policy)
    else:
        row.params = _fitting(policy, row.params)
    row.source = policy.text
    return _changed(session, access, row, "policy.save", policy.version, now)


def set_mode(
    session: Session,
    *,
    access: Access,
    policy_id: str,
    mode: str,
    now: datetime,
    version: int | None = None,
) -> PolicyItem:
    """Sets enforce, report or off; InvalidInputError for another word."""
    access.demand(Scope.POLICIES_WRITE)
    if mode not in list(PolicyMode):
        known = ", ".join(PolicyMode)
        raise InvalidInputError(f"no mode {mode[:20]!r}", mend=f"one of {known}")
    row = _row(session, policy_id, version)
    row.mode = mode
    return _changed(session, access, row, "policy.set_mode", mode, now)


def set_params(
    session: Session,
    *,
    access: Access,
    policy_id: str,
    params: Mapping[str, Any],
    now: datetime,
    version: int | None = None,
) -> PolicyItem:
    """Sets params (those not named go back to their defaults); InvalidInputError names bad ones."""
    access.demand(Scope.POLICIES_WRITE)
    policy = _get(session, policy_id).effective.policy
    complete_params(policy, params)
    row = _row(session, policy_id, version)
    row.params = dict(params)
    return _changed(session, access, row, "policy.set_params", repr(dict(params)), now)


def delete(session: Session, *, access: Access, policy_id: str, now: datetime) -> None:
    """Removes an own policy; its findings close as policy_off at the evaluation that follows."""
    access.demand(Scope.POLICIES_WRITE)
    row = session.get(PolicyRow, policy_id)
    if policy_id in built_in():
        raise ConflictError(f"the policy {policy_id} is built in", mend="set its mode to off")
    if row is None:
        raise NotFoundError(f"no policy {policy_id[:100]!r}")
    session.delete(row)
    session.flush()
    _tell(session, access, policy_id, "policy.delete", "", now)


def _get(session: Session, policy_id: str) -> PolicyItem:
    row = session.get(PolicyRow, policy_id)
    policy = built_in().get(policy_id)
    if policy is None and row is not None and row.source is not None:
        policy = _readable(policy_id, row.source)
    if policy is None:
        raise NotFoundError(f"no policy {policy_id[:100]!r}")
    return _item(_effective(policy, row), row)


def _item(found: EffectivePolicy, row: PolicyRow | None) -> PolicyItem:
    own = found.policy.id not in built_in()
    if row is None:
        return PolicyItem(found, own, version=0, changed_at=None, changed_by="")
    return PolicyItem(found, own, row.version, row.changed_at, row.changed_by)


def _effective(policy: Policy, row: PolicyRow | None) -> EffectivePolicy:
    if row is None:
        return EffectivePolicy(policy, policy.mode, policy.defaults())
    params = policy.defaults() | _fitting(policy, row.params)
    return EffectivePolicy(policy, PolicyMode(row.mode), params)


def _fitting(policy: Policy, params: Mapping[str, Any]) -> dict[str, Any]:
    """Stored params that the policy, perhaps a newer text of it, still takes."""
    fitting = {
        name: value
        for name, value in params.items()
        if name in policy.params and not policy.params[name].fault(value)
    }
    for name in params.keys() - fitting.keys():
        log.warning("policy.param_dropped", policy_id=policy.id, param=name)
    return fitting


@lru_cache(maxsize=512)
def _parse(text: str) -> Policy:
    return parse(text, where=WHERE)


def _readable(policy_id: str, source: str) -> Policy | None:
    """None for a text that an earlier version of the product accepted and this one does not."""
    try:
        return _parse(source)
    except InvalidInputError as error:
        log.exception("policy.unreadable", policy_id=policy_id, detail=error.detail)
        return None


def _row(session: Session, policy_id: str, version: int | None) -> PolicyRow:
    policy = _get(session, policy_id).effective.policy
    row = session.get(PolicyRow, policy_id)
    _demand_version(row, version)
    return row or _new_row(session, policy)


def _demand_version(row: PolicyRow | None, version: int | None) -> None:
    found = row.version if row else 0
    if version is not None and version != found:
        raise ConflictError(
            f"the policy is at version {found}, not {version}: somebody else changed it",
            mend="read it again and repeat the change",
        )


def _new_row(session: Session, policy: Policy) -> PolicyRow:
    row = PolicyRow(id=policy.id, source=None, mode=policy.mode.value, params={}, version=0)
    session.add(row)
    return row


def _changed(
    session: Session, access: Access, row: PolicyRow, action: str, detail: str, now: datetime
) -> PolicyItem:
    row.version += 1
    row.changed_at = now
    row.changed_by = access.actor
    session.flush()
    _tell(session, access, row.id, action, detail, now)
    return _get(session, row.id)


def _tell(
    session: Session, access: Access, policy_id: str, action: str, detail: str, now: datetime
) -> None:
    subject = ("policy", policy_id)
    audit_trail.record(
        session, access=access, now=now, action=action, subject=subject, detail=detail
    )
    evaluations.request(session, slot=f"{action} {policy_id} {now.isoformat()}", now=now)
