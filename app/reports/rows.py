"""What a readable report holds: rows of finished, translated texts, the same for HTML and PDF."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PillarRow:
    """One line of the table of pillars. `level`: pass, warn, fail or unknown; `percent` 0-100."""

    name: str
    score: str
    change: int | None
    percent: int | None
    target: int
    level: str
    level_text: str
    open_findings: str
    detail: str


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding as shown. `severity_rank` 0 to 4 picks the shape."""

    id: str
    url: str
    severity_rank: int
    severity: str
    title: str
    resource: str
    place: str
    owner: str
    opened: str
    state: str


@dataclass(frozen=True, slots=True)
class WaiverRow:
    """One waiver as shown."""

    finding_id: str
    subject: str
    reason: str
    ends: str


@dataclass(frozen=True, slots=True)
class PolicyRow:
    """Verdicts of one policy as shown."""

    policy_id: str
    title: str
    compliant: str
    non_compliant: str
    waived: str
    unknown: str
    not_applicable: str


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source as shown. `level`: pass, warn or fail."""

    name: str
    level: str
    level_text: str
    sweeps: str
    last_good: str


@dataclass(frozen=True, slots=True)
class ReportView:
    """Everything a template may use."""

    language: str
    labels: dict[str, str]
    organisation: str
    title: str
    subtitle: str
    notices: tuple[str, ...]
    posture: str
    posture_percent: int | None
    posture_change: int | None
    posture_before: str
    short: tuple[str, ...]
    pillars: tuple[PillarRow, ...]
    findings: tuple[FindingRow, ...]
    findings_more: str
    resolved: tuple[FindingRow, ...]
    resolved_more: str
    waivers: tuple[WaiverRow, ...]
    policies: tuple[PolicyRow, ...]
    sources: tuple[SourceRow, ...]
    made_from: str
    address: str
