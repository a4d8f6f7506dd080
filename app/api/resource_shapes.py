"""What the API says of resources: their facts, their history."""

from datetime import datetime
from typing import Any

from pydantic import Field, field_validator

from app.api.shapes import Out
from app.domain.facts import FactSet
from app.store.queries.inventory import ResourceItem, Revision

ID = "0193a6c0-9b1d-7c02-8f5e-6d0f3a4f2b10"


class FactsOut(Out):
    """What is known: a name in none of the three was never collected."""

    present: dict[str, Any] = Field(
        description="Values by name; integers are exact at any size.",
        examples=[{"versioning_status": "Enabled"}],
    )
    absent: list[str] = Field(
        description="Names of which the source said that there is none.",
        examples=[["lifecycle_rules"]],
    )
    unreadable: dict[str, str] = Field(
        description="Names that could not be read, with the source's error code.",
        examples=[{"replication_rules": "AccessDenied"}],
    )

    @classmethod
    def of(cls, facts: FactSet) -> "FactsOut":
        """The stored form as an answer."""
        return cls.model_validate(facts.to_json())


class ResourceOut(Out):
    """One resource in a list."""

    id: str = Field(description="Id of this life of the resource.", examples=[ID])
    kind: str = Field(description="Kind of fact document.", examples=["s3_bucket"])
    provider: str = Field(description="Whose system it is in.", examples=["aws"])
    connection_id: str = Field(description="Connection that reads it.", examples=[ID])
    connection_name: str = Field(description="Its name.", examples=["aws production"])
    native_id: str = Field(
        description="The provider's id.", examples=["arn:aws:s3:::training-corpus"]
    )
    name: str = Field(description="Display name.", examples=["training-corpus"])
    sub_account_id: str = Field(
        description="AWS account or Azure subscription; of a declared job its namespace.",
        examples=["111122223333"],
    )
    region_id: str | None = Field(
        description="The provider's region code; null when it could not be read.",
        examples=["eu-west-1"],
    )
    tags: dict[str, str] | None = Field(
        description="Tags; null when they could not be read.", examples=[{"team": "speech"}]
    )
    created_at: datetime | None = Field(description="Creation, as the provider says.")
    first_observed_at: datetime = Field(description="When it was first seen here.")
    observed_at: datetime = Field(description="When it was last seen here: the `as_of` of facts.")
    deleted_at: datetime | None = Field(description="When a complete list lacked it.")
    revision_id: str | None = Field(description="The present revision.", examples=[ID])
    worst_rank: int = Field(
        description="Worst open finding: 0 nothing … 4 critical; -1 not judged yet.", examples=[3]
    )
    non_compliant_count: int = Field(description="Breaches, waived ones left out.", examples=[1])
    unknown_count: int = Field(description="Verdicts that facts did not suffice for.", examples=[0])
    collector_id: str = Field(description="The collector that reads it.", examples=["aws_s3"])
    parent_native_id: str | None = Field(
        description="Provider's id of what it is a part of, such as a machine's cluster; "
        "null: of nothing.",
        examples=["arn:aws:eks:us-west-2:111122223333:cluster/training"],
    )

    @field_validator("parent_native_id", mode="before")
    @classmethod
    def _none_of_nothing(cls, value: str | None) -> str | None:
        """Stored as '' where there is none."""
        return value or None


class ResourceDetailOut(ResourceOut):
    """One resource with its facts, as of now or of another instant."""

    facts: FactsOut = Field(description="What is known of it.")
    as_of: datetime = Field(description="The instant of the facts.")

    @classmethod
    def of(cls, item: ResourceItem) -> "ResourceDetailOut":
        """The resource as last seen."""
        base = ResourceOut.model_validate(item).model_dump()
        return cls(**base, facts=FactsOut.of(item.facts), as_of=item.observed_at)


class RevisionOut(Out):
    """What was known of a resource during one span of time."""

    id: str = Field(description="Id of the revision.", examples=[ID])
    resource_id: str = Field(description="The resource.", examples=[ID])
    number: int = Field(description="1 for the first.", examples=[2])
    valid_from: datetime = Field(description="First seen so.")
    valid_to: datetime | None = Field(description="Seen otherwise from here on; null: still so.")
    digest: str = Field(description="sha256 over the facts in canonical JSON.")
    name: str = Field(description="Name in that span.", examples=["training-corpus"])
    region_id: str | None = Field(description="Region in that span.", examples=["eu-west-1"])
    tags: dict[str, str] | None = Field(description="Tags in that span.")
    sweep_id: str | None = Field(description="The sweep that saw the change.", examples=[ID])
    facts: FactsOut = Field(description="The facts.")

    @classmethod
    def of(cls, item: Revision) -> "RevisionOut":
        """One row of the history."""
        plain = {name: getattr(item, name) for name in _REVISION}
        return cls(**plain, facts=FactsOut.of(item.facts))


_REVISION = (
    "id", "resource_id", "number", "valid_from", "valid_to", "digest", "name", "region_id",
    "tags", "sweep_id",
)  # fmt: skip
