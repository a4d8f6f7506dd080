"""Findings as the API takes and gives them."""

from datetime import datetime
from typing import Any

from pydantic import Field

from app.api.shapes import In, Instant, Out
from app.store.queries.compliance import FindingDetail

ID = "F-1182"
UUID_EXAMPLE = "0193a6c0-9b1d-7c02-8f5e-6d0f3a4f2b10"


class FindingPatch(In):
    """What to change; members that are left out stay, null takes back."""

    owner: str | None = Field(
        default=None, max_length=200, description="Who looks after it.", examples=["Ana"]
    )
    snoozed_until: Instant | None = Field(
        default=None,
        description="Out of the open list until then, at most 90 days ahead.",
        examples=["2026-12-14T08:00:00Z"],
    )


class CommentIn(In):
    """A line for the history."""

    text: str = Field(
        min_length=1, max_length=4000, description="What to say.", examples=["Asked the owner."]
    )


class WaiverIn(In):
    """An excuse for a time."""

    reason: str = Field(
        min_length=1,
        max_length=2000,
        description="Why the breach is accepted.",
        examples=["The bucket is emptied on 20 December."],
    )
    until: Instant = Field(
        description="When the waiver ends, at most 366 days ahead.",
        examples=["2026-12-20T00:00:00Z"],
    )


class FindingOut(Out):
    """One breach of one policy by one life of one resource."""

    id: str = Field(description="Its number, as pages show it.", examples=[ID])
    policy_id: str = Field(description="The policy.", examples=["versioning-on"])
    policy_version: str = Field(description="Digest of its text.", examples=["9f2c4a1b77de"])
    resource_id: str = Field(description="The resource.", examples=[UUID_EXAMPLE])
    resource_name: str | None = Field(description="Its name.", examples=["training-corpus"])
    resource_kind: str | None = Field(description="Its kind.", examples=["s3_bucket"])
    connection_id: str = Field(description="Where it was read.", examples=[UUID_EXAMPLE])
    title: str = Field(description="What must hold.", examples=["Overwritten data is kept"])
    pillar: str = Field(description="Pillar of the posture.", examples=["lifecycle"])
    severity: str = Field(
        description="informational, low, medium, high or critical.", examples=["high"]
    )
    state: str = Field(description="open or resolved.", examples=["open"])
    overlay: str = Field(
        description="waived, snoozed or empty: what lies over an open one.", examples=[""]
    )
    message: str = Field(description="The breach in a sentence.")
    opened_at: datetime = Field(description="When it was first seen.")
    last_observed_at: datetime = Field(description="When it was last seen.")
    resolved_at: datetime | None = Field(description="When it was closed.")
    close_reason: str | None = Field(
        description="compliant, not_applicable, resource_deleted or policy_off.", examples=[None]
    )
    owner: str | None = Field(description="Who looks after it.", examples=["Ana"])
    snoozed_until: datetime | None = Field(description="Hidden until then.")
    waived_until: datetime | None = Field(description="Excused until then.")


class EventOut(Out):
    """One line of the history."""

    at: datetime = Field(description="When.")
    actor: str = Field(description="Who; `system` for evaluations.", examples=["system"])
    action: str = Field(description="What.", examples=["opened"])
    detail: str = Field(description="More about it; may be empty.", examples=[""])


class WaiverOut(Out):
    """An excuse, in force or not."""

    id: str = Field(description="Id of the waiver.", examples=[UUID_EXAMPLE])
    reason: str = Field(description="Why.", examples=["The bucket is emptied on 20 December."])
    requested_by: str = Field(description="Who asked for it.", examples=["ana@example.org"])
    starts_at: datetime = Field(description="From when.")
    ends_at: datetime = Field(description="Until when.")
    revoked_at: datetime | None = Field(description="Ended before its time; null: it was not.")


class FindingDetailOut(FindingOut):
    """A finding in full."""

    used: dict[str, Any] = Field(
        description="The facts it rests on.", examples=[{"versioning_on": False}]
    )
    revision_id: str = Field(description="The revision it was seen on.", examples=[UUID_EXAMPLE])
    events: list[EventOut] = Field(description="Its history, newest first.")
    waivers: list[WaiverOut] = Field(description="Its waivers, newest first.")

    @classmethod
    def of(cls, found: FindingDetail) -> "FindingDetailOut":
        """The finding as an answer."""
        return cls(
            **FindingOut.model_validate(found.item).model_dump(),
            used=found.used,
            revision_id=found.revision_id,
            events=[EventOut.model_validate(event) for event in found.events],
            waivers=[WaiverOut.model_validate(waiver) for waiver in found.waivers],
        )
