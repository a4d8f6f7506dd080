"""Policies as the API takes and gives them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import Field

from app.api.shapes import FaultOut, In, Out
from app.domain.compliance import PolicyMode
from app.policies.policy import Param
from app.services.policies import PolicyItem

ID = "versioning-on"
TEXT_LENGTH = 100_000


class PolicyIn(In):
    """A policy's text."""

    text: str = Field(
        min_length=1,
        max_length=TEXT_LENGTH,
        description="The policy as YAML, or as JSON, which is YAML too.",
        examples=["id: my_policy\ntitle: Buckets keep old versions\n"],
    )


class PolicyPatch(In):
    """What to change; members that are left out stay as they are."""

    text: str | None = Field(
        default=None,
        min_length=1,
        max_length=TEXT_LENGTH,
        description="New text of a policy of one's own.",
    )
    mode: PolicyMode | None = Field(
        default=None,
        description="enforce opens findings; report only shows verdicts; off is not run.",
        examples=["enforce"],
    )
    params: dict[str, bool | int | float | str | list[str]] | None = Field(
        default=None,
        description="Values of params; those not named go back to their defaults.",
        examples=[{}],
    )


class ParamOut(Out):
    """A value of a policy that may be set."""

    name: str = Field(description="Its name in the text.", examples=["max_days"])
    type: str = Field(description="int, float, bool, string or list of string.", examples=["int"])
    default: Any = Field(description="Its value unless set.", examples=[30])
    value: Any = Field(description="Its value in force.", examples=[30])
    doc: str = Field(description="What it means.", examples=["Days until data has to cool."])
    minimum: float | None = Field(description="Smallest value allowed.", examples=[1])
    maximum: float | None = Field(description="Largest value allowed.", examples=[3650])

    @classmethod
    def of(cls, param: Param, value: object) -> "ParamOut":
        """The param with the value in force."""
        return cls(
            name=param.name,
            type=param.type,
            default=param.default,
            value=value,
            doc=param.doc,
            minimum=param.minimum,
            maximum=param.maximum,
        )


class PolicyOut(Out):
    """A policy in a list, with its verdicts on what the caller may see."""

    id: str = Field(description="Its id.", examples=[ID])
    title: str = Field(description="What must hold.", examples=["Overwritten data is kept"])
    severity: str = Field(description="Weight of a breach.", examples=["high"])
    pillar: str = Field(description="Pillar of the posture.", examples=["lifecycle"])
    area: str = Field(description="Area of the estate.", examples=["storage"])
    applies_to: list[str] = Field(description="Kinds of resource.", examples=[["s3_bucket"]])
    mode: str = Field(description="enforce, report or off.", examples=["enforce"])
    own: bool = Field(description="Written here rather than built in.", examples=[False])
    policy_version: str = Field(description="Digest of its text.", examples=["9f2c4a1b77de"])
    compliant: int = Field(description="Resources that pass.", examples=[39])
    non_compliant: int = Field(description="Breaches, waived ones left out.", examples=[1])
    waived: int = Field(description="Breaches that are excused.", examples=[0])
    unknown: int = Field(description="Facts did not suffice.", examples=[1])
    not_applicable: int = Field(description="It does not concern them.", examples=[0])

    @classmethod
    def of(cls, item: PolicyItem, counts: Mapping[str, int]) -> "PolicyOut":
        """The policy with its counts."""
        return cls(**_summary(item, counts))


class PolicyDetailOut(PolicyOut):
    """A policy in full."""

    why: str = Field(description="Why it matters.")
    source: str = Field(description="Where the rule comes from.")
    when: str = Field(description="Condition under which it applies; empty: always.")
    assertion: str = Field(description="What must be true, in the CEL subset.")
    message: str = Field(description="How a breach is told.")
    remedy: str = Field(description="How a breach is mended.")
    params: list[ParamOut] = Field(description="Values that may be set.")
    text: str = Field(description="Its whole text.")
    changed_at: datetime | None = Field(description="Last change here; null: as it came.")
    changed_by: str = Field(description="Who changed it last; empty: nobody.", examples=[""])

    @classmethod
    def in_full(cls, item: PolicyItem, counts: Mapping[str, int]) -> "PolicyDetailOut":
        """The policy with its text and params."""
        policy, params = item.effective.policy, item.effective.params
        return cls(
            **_summary(item, counts),
            why=policy.why,
            source=policy.source,
            when=policy.when,
            assertion=policy.assertion,
            message=policy.message,
            remedy=policy.remedy,
            params=[ParamOut.of(param, params[name]) for name, param in policy.params.items()],
            text=policy.text,
            changed_at=item.changed_at,
            changed_by=item.changed_by,
        )


def _summary(item: PolicyItem, counts: Mapping[str, int]) -> dict[str, Any]:
    policy = item.effective.policy
    words = ("compliant", "non_compliant", "waived", "unknown", "not_applicable")
    return {
        "id": policy.id,
        "title": policy.title,
        "severity": policy.severity.value,
        "pillar": policy.pillar.value,
        "area": policy.area,
        "applies_to": list(policy.applies_to),
        "mode": item.effective.mode.value,
        "own": item.own,
        "policy_version": policy.version,
        **{word: counts.get(word, 0) for word in words},
    }


class DiagnosticsOut(Out):
    """What a check found."""

    valid: bool = Field(description="Whether the text can be stored.", examples=[False])
    errors: list[FaultOut] = Field(description="Faults with `line:column`; empty when valid.")

    @classmethod
    def of(cls, faults: tuple[dict[str, str], ...]) -> "DiagnosticsOut":
        """The faults of a check."""
        return cls(valid=not faults, errors=[FaultOut(**fault) for fault in faults])
