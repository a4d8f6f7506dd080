"""Builders of weekly reports with defaults."""

from datetime import UTC, datetime, timedelta
from typing import Any

from app.domain.compliance import Pillar
from app.domain.reporting import (
    TARGETS,
    Counts,
    FindingLine,
    PillarLine,
    PolicyLine,
    SourceLine,
    WaiverLine,
    WeeklyReport,
)

MADE = datetime(2026, 11, 30, 6, 0, tzinfo=UTC)
ENDS = datetime(2026, 11, 29, 23, 0, tzinfo=UTC)


def finding(number: int = 1182, **changes: Any) -> FindingLine:
    """An open critical residency finding."""
    values: dict[str, Any] = {
        "id": f"F-{number}",
        "policy_id": "replication-region-allowed",
        "title": "Copies leave the legal zone",
        "pillar": "residency",
        "severity": "critical",
        "resource_name": "clinical-notes-es",
        "resource_kind": "s3_bucket",
        "native_id": "arn:aws:s3:::clinical-notes-es",
        "region_id": "eu-west-1",
        "connection_name": "AWS",
        "message": "A copy rests in us-west-2.",
        "owner": None,
        "opened_at": MADE - timedelta(days=3),
        "resolved_at": None,
        "close_reason": None,
        "waived_until": None,
    }
    return FindingLine(**{**values, **changes})


def pillar(name: Pillar = Pillar.LIFECYCLE, **changes: Any) -> PillarLine:
    """A pillar with figures in both weeks."""
    values: dict[str, Any] = {
        "pillar": name,
        "target": TARGETS[name],
        "counts": Counts(64, 30, 2, 4),
        "previous": Counts(59, 36, 2, 3),
        "open_findings": 30,
    }
    return PillarLine(**{**values, **changes})


def report(**changes: Any) -> WeeklyReport:
    """Week 48 of 2026 by the calendar of Madrid."""
    values: dict[str, Any] = {
        "week": "2026-W48",
        "time_zone": "Europe/Madrid",
        "starts_at": ENDS - timedelta(days=7),
        "ends_at": ENDS,
        "made_at": MADE,
        "edition": 1,
        "preliminary": False,
        "organisation": "Cierzo Research",
        "sandbox": False,
        "address": "https://atalaya.example",
        "resources": 44,
        "verdicts_at": ENDS - timedelta(hours=1),
        "pillars": (
            pillar(Pillar.COST, counts=None, previous=None, open_findings=0),
            pillar(Pillar.REPRODUCIBILITY, counts=Counts(83, 17), previous=Counts(77, 23)),
            pillar(Pillar.RESIDENCY, counts=Counts(92, 8), previous=Counts(96, 4)),
            pillar(Pillar.LIFECYCLE),
            pillar(Pillar.UTILISATION, counts=None, previous=None, open_findings=0),
        ),
        "opened": 7,
        "resolved": 1,
        "open_total": 2,
        "open_at_end": (
            finding(),
            finding(
                1183,
                severity="medium",
                title="Data does not cool in time",
                owner="Marta Ibarra",
                waived_until=MADE + timedelta(days=30),
            ),
        ),
        "resolved_in_week": (
            finding(1100, resolved_at=ENDS - timedelta(days=1), close_reason="resource_deleted"),
        ),
        "waivers": (
            WaiverLine(
                "F-1183", "data-cools-in-time", "ct-thorax", "Study runs until December",
                "Marta Ibarra", MADE + timedelta(days=30),
            ),
        ),
        "policies": (
            PolicyLine(
                "data-cools-in-time", "Data cools in time", "abc", "enforce", Counts(20, 9, 1, 2), 3
            ),
        ),
        "sources": (
            SourceLine("AWS", "aws", "aws_s3", 28, 27, 1, 0, 0, ENDS - timedelta(hours=6)),
            SourceLine("Azure", "azure", "azure_blob", 28, 28, 0, 0, 0, ENDS),
            SourceLine("Hall", "aws", "aws_s3", 4, 0, 0, 0, 4, None),
        ),
    }  # fmt: skip
    return WeeklyReport(**{**values, **changes})
