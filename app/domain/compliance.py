"""Verdicts, findings and their lives: pure words and rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from app.kit.ids import digest


class Verdict(StrEnum):
    """What a policy says of a resource. `unknown` never counts as compliant."""

    COMPLIANT = "compliant"
    NON_COMPLIANT = "non_compliant"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not_applicable"


class Severity(StrEnum):
    """Weight of a finding (words of AWS Security Hub's SeverityLabel)."""

    INFORMATIONAL = "informational"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 informational … 4 critical."""
        return list(Severity).index(self)


class Pillar(StrEnum):
    """The five pillars of the posture."""

    COST = "cost"
    REPRODUCIBILITY = "reproducibility"
    RESIDENCY = "residency"
    LIFECYCLE = "lifecycle"
    UTILISATION = "utilisation"


class PolicyMode(StrEnum):
    """`enforce` opens findings and counts; `report` only shows verdicts; `off` is not run."""

    ENFORCE = "enforce"
    REPORT = "report"
    OFF = "off"


class FindingState(StrEnum):
    """Open until a verdict or an event closes it; waived and snoozed are laid over open."""

    OPEN = "open"
    RESOLVED = "resolved"


class CloseReason(StrEnum):
    """Why a finding was closed. Never because something could not be read."""

    COMPLIANT = "compliant"
    NOT_APPLICABLE = "not_applicable"
    RESOURCE_DELETED = "resource_deleted"
    POLICY_OFF = "policy_off"


@dataclass(frozen=True, slots=True)
class Judgement:
    """One policy on one resource: the verdict, why, and the facts it rests on.

    `reasons` name what made it unknown; `used` maps dotted fact names to the values read.
    """

    policy_id: str
    policy_version: str
    resource_id: str
    verdict: Verdict
    message: str
    reasons: tuple[str, ...]
    used: Mapping[str, Any]


def fingerprint(policy_id: str, resource_id: str) -> str:
    """Identity of a finding: a policy and one life of a resource (a resource id is per life)."""
    return digest([policy_id, resource_id])


class Change(StrEnum):
    """What a new verdict does to the finding of that policy and resource."""

    NONE = "none"
    OPEN = "open"
    PERSIST = "persist"
    CLOSE = "close"


def change_of(verdict: Verdict, *, is_open: bool) -> Change:
    """The life rule: non_compliant opens or persists; unknown changes nothing; the rest closes."""
    if verdict is Verdict.NON_COMPLIANT:
        return Change.PERSIST if is_open else Change.OPEN
    if verdict is Verdict.UNKNOWN or not is_open:
        return Change.NONE
    return Change.CLOSE


def freshness(now: datetime, received_at: datetime, every: float, grace: float) -> str:
    """`fresh`, `late` (past one interval) or `stale` (past its grace), by our own receipt time.

    `every` and `grace` are seconds. The reporter's own clock is never used (field case F18).
    A receipt that lies ahead was stamped before our clock was set back: it is as doubtful as one
    equally long ago, and not fresh until that time comes.
    """
    age = abs((now - received_at).total_seconds())
    if age <= every:
        return "fresh"
    return "late" if age <= every + grace else "stale"


def clock_is_skewed(
    collected_at: datetime, received_at: datetime, tolerance_seconds: float = 300
) -> bool:
    """Whether a reporter's clock is off: what it calls the time of collecting is far from receipt.

    Only a warning about the reporter; ages and freshness never use its clock.
    """
    return abs((collected_at - received_at).total_seconds()) > tolerance_seconds
