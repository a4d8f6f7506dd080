"""The lives of findings in one batch: what opens, what closes and why, what an open one says."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from app.domain.compliance import (
    Change,
    CloseReason,
    Judgement,
    PolicyMode,
    Verdict,
    change_of,
    fingerprint,
)
from app.kit.clean import clean_json, clean_text
from app.policies.engine import EffectivePolicy
from app.services.policies import PolicySet
from app.store import findings, judging
from app.store.findings import OpenFinding
from app.store.judging import Standing, Subject

TITLE_BYTES = 300
SEARCH_BYTES = 4_000

Key = tuple[str, UUID]


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a batch stands: its resources, and the policies that open findings.

    `before` holds the verdicts as stored, `evaluated_at` when all of the connection's were last
    found so.
    """

    session: Session
    connection_id: UUID
    subjects: Mapping[UUID, Subject]
    enforced: Mapping[str, EffectivePolicy]
    before: Mapping[Key, Standing]
    evaluated_at: datetime | None
    now: datetime

    def last_seen_at(self, key: Key) -> datetime | None:
        """When the breach was last found; None when the verdict was another one already."""
        before = self.before.get(key)
        if before is None or before.verdict != Verdict.NON_COMPLIANT:
            return None
        return max(before.evaluated_at, self.evaluated_at or before.evaluated_at)


def open_breaches(
    ground: Ground, judgements: Mapping[Key, Judgement], open_: Mapping[Key, OpenFinding]
) -> list[int]:
    """Opens a finding for each new breach, with the next numbers; gives these.

    A breach that comes back is a new finding that names the old one. A waiver in force is bound
    to policy and resource, so it covers that one too.
    """
    fresh = {
        fingerprint(key[0], str(key[1])): judgement
        for key, judgement in judgements.items()
        if key[0] in ground.enforced
        and change_of(judgement.verdict, is_open=key in open_) is Change.OPEN
    }
    waived = findings.waivers_in_force(ground.session, list(fresh), now=ground.now)
    earlier = findings.earlier_of(ground.session, list(fresh))
    rows = [_finding(ground, print_, one, waived.get(print_)) for print_, one in fresh.items()]
    numbers = findings.open_new(ground.session, rows)
    events = []
    for print_, number in sorted(numbers.items(), key=lambda item: item[1]):
        again = f"the breach of F-{earlier[print_]} is back" if print_ in earlier else ""
        events.append(findings.Event(number, "opened", again))
        if print_ in waived:
            detail = f"until {waived[print_].date()}, as granted before"
            events.append(findings.Event(number, "waived", detail))
    findings.add_events(ground.session, events, now=ground.now)
    return sorted(numbers.values())


def _finding(
    ground: Ground, print_: str, judgement: Judgement, waived_until: datetime | None
) -> dict[str, Any]:
    subject = ground.subjects[UUID(judgement.resource_id)]
    policy = ground.enforced[judgement.policy_id].policy
    message = clean_text(judgement.message)
    words = (policy.breach, policy.id, subject.name, message)
    return {
        "fingerprint": print_,
        "policy_id": policy.id,
        "policy_version": judgement.policy_version,
        "resource_id": subject.id,
        "connection_id": ground.connection_id,
        "state": "open",
        "tab": "waived" if waived_until else "open",
        "message": message,
        "used": clean_json(dict(judgement.used)),
        "revision_id": subject.revision_id,
        "opened_at": ground.now,
        "last_observed_at": subject.observed_at,
        "waived_until": waived_until,
        "overlay_until": waived_until,
        "search": clean_text("\n".join(words).casefold(), SEARCH_BYTES),
        **_standing_of(ground.enforced[judgement.policy_id]),
    }


def _standing_of(effective: EffectivePolicy) -> dict[str, Any]:
    policy = effective.policy
    return {
        "title": clean_text(policy.breach, TITLE_BYTES),
        "pillar": policy.pillar.value,
        "severity": policy.severity.value,
        "severity_rank": policy.severity.rank,
    }


def close_healed(
    ground: Ground, judgements: Mapping[Key, Judgement], open_: Mapping[Key, OpenFinding]
) -> list[int]:
    """Closes what a verdict closes, and what its policy no longer applies to; gives the numbers."""
    ending: dict[tuple[CloseReason, datetime | None], list[int]] = defaultdict(list)
    for key, finding in open_.items():
        if key[0] not in ground.enforced:
            continue  # see withdraw
        reason = _reason_to_close(judgements.get(key))
        if reason is not None:
            ending[reason, ground.last_seen_at(key)].append(finding.number)
    for (reason, seen_at), numbers in ending.items():
        findings.close(ground.session, numbers, reason=reason, now=ground.now, seen_at=seen_at)
    return sorted(number for numbers in ending.values() for number in numbers)


def _reason_to_close(judgement: Judgement | None) -> CloseReason | None:
    if judgement is None:
        return CloseReason.NOT_APPLICABLE
    if change_of(judgement.verdict, is_open=True) is not Change.CLOSE:
        return None
    if judgement.verdict is Verdict.COMPLIANT:
        return CloseReason.COMPLIANT
    return CloseReason.NOT_APPLICABLE


def refresh(
    ground: Ground,
    rows: Iterable[Mapping[str, Any]],
    open_: Mapping[Key, OpenFinding],
) -> None:
    """Lets open findings say what the newest verdicts (`rows`, as written) of their breach say."""
    for row in rows:
        key = (row["policy_id"], row["resource_id"])
        finding = open_.get(key)
        if finding is None or key not in ground.before or key[0] not in ground.enforced:
            continue
        if row["verdict"] == Verdict.NON_COMPLIANT:
            names = ("message", "used", "revision_id", "policy_version")
            changes = {name: row[name] for name in names}
            changes |= _standing_of(ground.enforced[key[0]])
        elif seen_at := ground.last_seen_at(key):
            changes = {"last_observed_at": seen_at}
        else:
            continue
        findings.change(ground.session, [finding.number], changes)


def withdraw(
    session: Session, connection_id: UUID, known: PolicySet, *, now: datetime
) -> list[int]:
    """Closes findings of policies that are not enforced (any more), drops verdicts of those off.

    A stored policy that cannot be read judges nothing, and closes nothing either.
    """
    enforced = {f.policy.id for f in known.policies if f.mode is PolicyMode.ENFORCE}
    running = {f.policy.id for f in known.policies if f.mode is not PolicyMode.OFF}
    numbers = findings.open_of_others(session, connection_id, enforced | known.unreadable)
    findings.close(session, numbers, reason=CloseReason.POLICY_OFF, now=now)
    judging.drop_verdicts_of_others(session, connection_id, running | known.unreadable)
    return numbers
