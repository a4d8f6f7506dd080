"""Builders of policy texts and of rows to judge."""

from collections.abc import Mapping
from typing import Any

import yaml

from app.domain.facts import FactSet
from app.policies.engine import EffectivePolicy, EvaluationRow
from app.policies.policy import Policy
from app.policies.registry import parse


def document(**fields: Any) -> dict[str, Any]:
    """A whole policy about versioning of buckets; None leaves a field out."""
    known: dict[str, Any] = {
        "id": "keeps-versions",
        "title": "Versions are kept",
        "why": "To go back.",
        "source": "A book.",
        "severity": "high",
        "pillar": "reproducibility",
        "area": "storage",
        "applies_to": ["s3_bucket"],
        "assert": "facts.versioning_on",
        "message": "{resource.name} keeps no versions.",
        "remedy": "Turn versioning on.",
        "tests": [
            {"name": "on", "facts": {"versioning_on": True}, "expect": "compliant"},
        ],
    }
    return {key: value for key, value in (known | fields).items() if value is not None}


def text(**fields: Any) -> str:
    """The same as YAML."""
    return yaml.safe_dump(document(**fields), sort_keys=False, allow_unicode=True)


def policy(**fields: Any) -> Policy:
    """The same, parsed."""
    return parse(text(**fields), where="policy")


def effective(found: Policy | None = None, **params: Any) -> EffectivePolicy:
    """The policy in its own mode with these params."""
    chosen = found or policy()
    return EffectivePolicy(chosen, chosen.mode, params)


def row(
    name: str = "corpus",
    *,
    absent: frozenset[str] = frozenset(),
    unreadable: Mapping[str, str] | None = None,
    stale: bool = False,
    observed_at: Any = None,
    **present: Any,
) -> EvaluationRow:
    """A bucket with these facts."""
    return EvaluationRow(
        resource_id=f"id-{name}",
        resource={"id": f"id-{name}", "name": name, "kind": "s3_bucket", "provider": "aws"},
        facts=FactSet(present, absent, unreadable or {}),
        stale=stale,
        observed_at=observed_at,
    )
