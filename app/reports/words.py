"""The English words for the domain's terms, which are also the keys of the catalogues."""

from app.domain.compliance import CloseReason, Pillar, Severity

PILLARS: dict[Pillar, str] = {
    Pillar.COST: "Cost",
    Pillar.REPRODUCIBILITY: "Reproducibility",
    Pillar.RESIDENCY: "Residency",
    Pillar.LIFECYCLE: "Lifecycle",
    Pillar.UTILISATION: "Utilisation",
}

SEVERITIES: dict[Severity, str] = {
    Severity.INFORMATIONAL: "Informational",
    Severity.LOW: "Low",
    Severity.MEDIUM: "Medium",
    Severity.HIGH: "High",
    Severity.CRITICAL: "Critical",
}

CLOSE_REASONS: dict[str, str] = {
    CloseReason.COMPLIANT: "now compliant",
    CloseReason.NOT_APPLICABLE: "no longer applies",
    CloseReason.RESOURCE_DELETED: "resource deleted",
    CloseReason.POLICY_OFF: "policy off",
}
