"""What a collector is, what it gets and what it yields; partial success is a result."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from typing_extensions import override

from app.domain.facts import FactDocument
from app.domain.samples import Sample, Series


class Provider(StrEnum):
    """Whose system it is."""

    AWS = "aws"
    AZURE = "azure"


class Reach(StrEnum):
    """How much of a connection one sweep of a collector reads."""

    CONNECTION = "connection"
    ACCOUNT = "account"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class Cell:
    """The part of a connection that one sweep reads.

    `sub_account_id` '' is the account that the credentials belong to (or the whole connection,
    for a collector that reaches all of it); `region_id` '' is all regions.
    """

    sub_account_id: str = ""
    region_id: str = ""

    @override
    def __str__(self) -> str:
        """The form in slots, subjects and tables: '', 'account', '/region' or 'account/region'."""
        return f"{self.sub_account_id}/{self.region_id}" if self.region_id else self.sub_account_id


WHOLE = Cell()


@dataclass(frozen=True, slots=True)
class Connection:
    """One source as configured: where, as whom, and what it may cover.

    `config` holds the provider's settings in plain form (endpoint URLs, credential mode, role
    ARNs, tenant, regions); its secrets are references such as `env:NAME` or `file:PATH`.
    `secret` resolves such a reference. `allow_private_endpoints` is the SSRF guard's switch.
    `cell` is the part that this sweep reads.
    """

    id: str
    name: str
    provider: Provider
    config: Mapping[str, Any]
    secret: Callable[[str], str]
    allow_private_endpoints: bool = False
    threads: int = 16
    cell: Cell = WHOLE

    @property
    def sub_account_id(self) -> str:
        """The account of the cell."""
        return self.cell.sub_account_id


@dataclass(frozen=True, slots=True)
class Operation:
    """One remote call that a collector makes.

    `permission` is the right it needs, in the provider's words; `feeds` the facts it fills.
    The permission lists of README and Connections page are generated from these.
    """

    name: str
    permission: str
    feeds: tuple[str, ...]
    why: str


class Outcome(StrEnum):
    """How one remote call ended, as counted per scope and operation."""

    ANSWERED = "answered"
    ABSENT = "absent"
    DENIED = "denied"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class ResourceSeen:
    """One resource with all that was learned of it.

    Identity is (`kind`, `immutable_id`): the provider's id plus the start of its life, so that a
    resource made anew under an old name is another one. `sub_account_id` is the subscription or
    AWS account; `region_id` the provider's region code, None when it could not be read.
    `parent_native_id` is the native id of the resource that this one is a part of, as a machine
    is of its cluster; '' without one. The parent need not be known.
    """

    kind: str
    immutable_id: str
    native_id: str
    name: str
    sub_account_id: str
    region_id: str | None
    created_at: datetime | None
    tags: Mapping[str, str] | None
    facts: FactDocument
    scope: str
    parent_native_id: str = ""


@dataclass(frozen=True, slots=True)
class SamplesSeen:
    """Samples of one series, in any order. One that was stored before takes the new value.

    A period without a sample is no data, never a zero.
    """

    series: Series
    samples: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class ListingDone:
    """The list of one scope was read to its end; resources of it not seen are gone.

    `complete` False (denied, cut, cycling token) forbids any such conclusion. `is_lagging`: the
    list is a copy that follows the source late, so what it does not name is gone only when the
    next one does not name it either.
    """

    kind: str
    scope: str
    complete: bool
    code: str = ""
    is_lagging: bool = False


@dataclass(frozen=True, slots=True)
class ScopeReport:
    """Coverage of one scope (account, region, subscription) by one operation.

    `clock_skew_seconds`: how far the source's clock was ahead of ours when its answer arrived,
    where it said so; a warning about the source, never used for ages.
    """

    scope: str
    operation: str
    asked: int = 0
    answered: int = 0
    absent: int = 0
    denied: int = 0
    failed: int = 0
    skipped: int = 0
    throttled: int = 0
    code: str = ""
    message: str = ""
    clock_skew_seconds: float | None = None


Observation = ResourceSeen | SamplesSeen | ListingDone | ScopeReport


@dataclass(frozen=True, slots=True)
class Collector:
    """One plug-in: what it reads, how often, and how to read it.

    `collect(connection, now)` streams observations and closes with its scope reports. It raises
    `CollectorError` only when nothing at all could be read (credentials, endpoint).
    `grace` is how long after `every` its figures still count as fresh. `reach` says how a
    connection is cut into cells, each swept by a run of its own.
    """

    id: str
    title: str
    provider: Provider
    kinds: tuple[type[FactDocument], ...]
    every: timedelta
    grace: timedelta
    operations: tuple[Operation, ...]
    collect: Callable[[Connection, datetime], Iterator[Observation]] = field(repr=False)
    reach: Reach = Reach.CONNECTION


class SweepState(StrEnum):
    """How a sweep ended. `incomplete`: a list was cut; `partial`: some cells were not read."""

    RUNNING = "running"
    COMPLETE = "complete"
    PARTIAL = "partial"
    INCOMPLETE = "incomplete"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ConnectionStatus:
    """Result of a connection test: who we are there and what we may see."""

    identity: str
    scopes: tuple[str, ...]
    detail: Mapping[str, Any] = field(default_factory=dict)
