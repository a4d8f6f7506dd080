"""A verdict as an answer; listed under the resource and under the policy."""

from datetime import datetime
from typing import Any

from pydantic import Field

from app.api.listing import Listing, columns
from app.api.shapes import Out

ID = "0193a6c0-9b1d-7c02-8f5e-6d0f3a4f2b10"


class VerdictOut(Out):
    """What one policy says of one resource, and the facts that it rests on."""

    policy_id: str = Field(description="The policy.", examples=["versioning-on"])
    policy_version: str = Field(description="Digest of its source.", examples=["9f2c4a1b77de"])
    resource_id: str = Field(description="The resource.", examples=[ID])
    resource_name: str = Field(description="Its name.", examples=["training-corpus"])
    verdict: str = Field(
        description="compliant, non_compliant, unknown or not_applicable.",
        examples=["non_compliant"],
    )
    waived: bool = Field(description="A breach that is excused for now.", examples=[False])
    message: str = Field(
        description="The verdict in a sentence.", examples=["Overwritten data is lost."]
    )
    reasons: list[str] = Field(
        description="What made it unknown.", examples=[["versioning_status: AccessDenied"]]
    )
    used: dict[str, Any] = Field(
        description="The facts it rests on.", examples=[{"versioning_on": False}]
    )
    revision_id: str = Field(description="The revision it was judged on.", examples=[ID])
    since: datetime = Field(description="When the verdict last changed.")
    evaluated_at: datetime = Field(description="When it was last found so.")


VERDICTS = Listing(
    "verdicts",
    VerdictOut,
    VerdictOut.model_validate,
    columns(
        "policy_id", "policy_version", "resource_id", "resource_name", "verdict", "waived",
        "message", "since", "evaluated_at",
    ),
)  # fmt: skip
