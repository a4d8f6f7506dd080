"""Connections as the API takes and gives them."""

from datetime import datetime
from typing import Any

from pydantic import Field, StrictBool

from app.api.shapes import In, Out
from app.api.sweeps import SweepOut
from app.domain.collecting import ConnectionStatus, Provider

ID = "0193a6c0-8f7e-7c4e-9a53-2f1f0b8f3c11"
CONFIG = {"credentials": {"mode": "default_chain"}, "regions": ["eu-west-1"]}
ABOUT_CONFIG = (
    "Settings of the provider: regions, accounts, how to sign in, endpoints. Secrets are "
    "references such as `env:NAME` or `file:/path`, never values."
)


class ConnectionIn(In):
    """A source to read."""

    name: str = Field(
        min_length=1, max_length=200, description="Its name; unique.", examples=["aws production"]
    )
    provider: Provider = Field(description="Which cloud it is.", examples=["aws"])
    config: dict[str, Any] = Field(description=ABOUT_CONFIG, examples=[CONFIG])


class ConnectionPatch(In):
    """What to change; members that are left out stay as they are."""

    name: str = Field(default="", min_length=1, max_length=200, description="Another name.")
    config: dict[str, Any] = Field(
        default={}, description="All settings anew; they are tried by a sweep at once."
    )
    enabled: StrictBool = Field(
        default=True, description="Off: nothing is read, and what was read grows stale."
    )


class CellOut(Out):
    """Where one collector stands on one part of a connection."""

    cell: str = Field(
        description="account, account/region or /region; empty: the connection's own account.",
        examples=["444455556666"],
    )
    last_sweep: SweepOut | None = Field(description="Its newest sweep.")
    last_good_at: datetime | None = Field(description="End of the last sweep that read something.")


class CollectorOut(Out):
    """Where one collector stands on a connection."""

    collector_id: str = Field(description="The collector.", examples=["aws_s3"])
    last_sweep: SweepOut | None = Field(description="The newest sweep of all cells.")
    last_good_at: datetime | None = Field(
        description="Of the last sweeps that read something, the end of the oldest."
    )
    cells: list[CellOut] = Field(description="Each part that is swept by itself.")


class ConnectionOut(Out):
    """One source."""

    id: str = Field(description="Id of the connection.", examples=[ID])
    name: str = Field(description="Its name.", examples=["aws production"])
    provider: str = Field(description="Whose system it is.", examples=["aws"])
    config: dict[str, Any] = Field(description=ABOUT_CONFIG, examples=[CONFIG])
    enabled: bool = Field(description="Whether it is read.", examples=[True])
    created_at: datetime = Field(description="When it was made.")
    version: int = Field(description="Grows with each change.", examples=[1])
    resources: int = Field(description="Live resources read through it.", examples=[41])
    last_sweep: SweepOut | None = Field(description="The newest sweep of all collectors.")
    last_good_at: datetime | None = Field(description="End of the last sweep that read something.")
    evaluated_at: datetime | None = Field(description="When policies last judged it.")
    collectors: list[CollectorOut] = Field(description="Each collector that reads it.")


class PermissionOut(Out):
    """One right that a collector uses, and whether the last sweep had it."""

    collector_id: str = Field(description="Who uses it.", examples=["aws_s3"])
    permission: str = Field(
        description="The right, in the provider's words.", examples=["s3:GetBucketVersioning"]
    )
    operation: str = Field(description="The call that needs it.", examples=["GetBucketVersioning"])
    why: str = Field(description="What it is for.")
    result: str = Field(description="allowed, denied, failed or not_tried.", examples=["allowed"])
    code: str = Field(description="Error code of a failure; empty without.", examples=[""])
    message: str = Field(description="What the source said; empty without.", examples=[""])
    asked: int = Field(description="Calls of the last sweep that need it.", examples=[31])
    affected: int = Field(description="Those that were denied or failed.", examples=[0])
    checked_at: datetime | None = Field(description="When it was last used.")


class StatusOut(Out):
    """Who we are at the source, and what we may see there."""

    identity: str = Field(
        description="As whom the source knows us.",
        examples=["arn:aws:sts::111122223333:assumed-role/atalaya/sweep"],
    )
    scopes: list[str] = Field(
        description="Accounts or subscriptions in sight.", examples=[["111122223333"]]
    )
    detail: dict[str, Any] = Field(description="More that the source tells.", examples=[{}])

    @classmethod
    def of(cls, status: ConnectionStatus) -> "StatusOut":
        """The status as an answer."""
        return cls(identity=status.identity, scopes=list(status.scopes), detail=dict(status.detail))


class RequestedOut(Out):
    """Work that was taken on."""

    run_ids: list[str] = Field(
        description="One run per collector; the first is in Location.", examples=[[ID]]
    )
