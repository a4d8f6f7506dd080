"""Every operation of every collector of AWS goes wrong in every way: only its own facts are lost.

The simulated AWS answers; nothing here is asserted about AWS itself, only about our handling.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

import pytest

from app.collectors.registry import collectors
from app.domain.collecting import (
    Cell,
    Collector,
    Connection,
    ListingDone,
    Observation,
    Provider,
    Reach,
    ResourceSeen,
    ScopeReport,
)
from app.domain.facts import Present, Unreadable
from app.kit.errors import CollectorError
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import (
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    EXTERNAL_ID,
    FRA,
    PDX,
    ROLE_NAME,
    AwsAccount,
)

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
# Buckets are many in the story, and their faults are proven in tests of their own.
OURS = {c.id: c for c in collectors().values() if c.provider is Provider.AWS and c.id != "aws_s3"}
# Where the story has something of each kind.
PLACES = ((AWS_TRAINING, PDX), (AWS_RESEARCH, FRA), (AWS_RESEARCH, "eu-west-1"))
HOME = (AWS_PLATFORM, "us-east-1")
# Asked before all else, or only when another one fails; proven in tests of their own.
FIRST = {"sts:GetCallerIdentity", "sts:AssumeRole", "ec2:DescribeRegions"}
FAULTS = {
    "denied": Fault(status=403, code="AccessDenied"),
    "throttled": Fault(status=400, code="ThrottlingException"),
    "broken": Fault(status=500, code="InternalError"),
    "expired": Fault(status=400, code="ExpiredTokenException"),
    "switched off": Fault(status=400, code="UnrecognizedClientException"),
    "slow": Fault(delay_ms=600),
    "no answer": Fault(effect=Effect.DISCONNECT),
    "garbage": Fault(effect=Effect.MALFORMED),
    "cut short": Fault(effect=Effect.TRUNCATED),
}


@dataclass(frozen=True)
class Swept:
    """What one sweep yielded; `error` when it could not read anything."""

    resources: dict[tuple[str, str], ResourceSeen]
    listings: tuple[ListingDone, ...]
    reports: tuple[ScopeReport, ...]
    error: CollectorError | None

    def of(self, operation: str) -> list[ScopeReport]:
        return [report for report in self.reports if report.operation == operation]


@pytest.fixture(scope="module")
def server() -> Iterator[AwsServer]:
    with AwsServer() as running:
        yield running


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, server: AwsServer) -> Iterator[None]:
    """One attempt each: how often we try again is proven elsewhere."""
    monkeypatch.setattr("app.clouds.aws._ATTEMPTS", 1)
    yield
    server.faults.clear()


def connection(server: AwsServer, cell: Cell) -> Connection:
    """The organisation, seen from its management account."""
    return Connection(
        id="c-1",
        name="Cierzo",
        provider=Provider.AWS,
        config={
            "endpoint_url": server.endpoint,
            "organization": {"role_name": ROLE_NAME, "external_id": EXTERNAL_ID},
            "credentials": {
                "mode": "access_key",
                "access_key_id": server.access_key_id,
                "secret_access_key": "env:AWS_SECRET",
            },
        },
        secret=lambda _: server.secret_access_key,
        allow_private_endpoints=True,
        threads=4,
        cell=cell,
    )


def cell_of(collector: Collector, account: AwsAccount, region: str) -> Cell:
    member = "" if account is AWS_PLATFORM else account.account_id
    if collector.reach is Reach.CONNECTION:
        return Cell()
    return Cell(member, region if collector.reach is Reach.REGION else "")


def swept(server: AwsServer, collector: Collector, cell: Cell) -> Swept:
    seen: list[Observation] = []
    error = None
    try:
        seen.extend(collector.collect(connection(server, cell), NOW))
    except CollectorError as found:
        error = found
    return Swept(
        {(one.kind, one.immutable_id): one for one in seen if isinstance(one, ResourceSeen)},
        tuple(one for one in seen if isinstance(one, ListingDone)),
        tuple(one for one in seen if isinstance(one, ScopeReport)),
        error,
    )


_BASE: dict[tuple[str, Cell], tuple[Swept, dict[str, int]]] = {}


def base(server: AwsServer, collector: Collector, cell: Cell) -> tuple[Swept, dict[str, int]]:
    """A sweep without faults, and how often it asked what; once per cell."""
    if (collector.id, cell) not in _BASE:
        server.calls.clear()
        found = swept(server, collector, cell)
        assert found.error is None
        _BASE[collector.id, cell] = found, server.calls.counts()
    return _BASE[collector.id, cell]


def cells(collector: Collector) -> list[Cell]:
    places = (HOME,) if collector.reach is Reach.CONNECTION else (*PLACES, HOME)
    return list(dict.fromkeys(cell_of(collector, *place) for place in places))


def ledger_name(operation: str) -> str:
    """`s3:GetBucketLocation` as the sandbox's ledger writes it."""
    return operation.replace(":", ".")


def operations() -> list[tuple[str, str]]:
    return [
        (collector.id, operation.name)
        for collector in OURS.values()
        for operation in collector.operations
        if operation.name not in FIRST
    ]


def asked_in(server: AwsServer, collector: Collector, operation: str) -> Cell:
    """The first cell of the story in which a collector asks this."""
    for cell in cells(collector):
        if base(server, collector, cell)[1].get(ledger_name(operation)):
            return cell
    pytest.fail(f"the story never makes {collector.id} ask {operation}")


# They say who told something; another source may have.
SOURCE_FACTS = {"regions_source", "enabled_regions", "machine_type_details"}


def is_no_lie(before: Any, after: Any) -> bool:
    """A fact under a fault: as it was, or not readable any more, wholly or in some entries."""
    if after == before or isinstance(after, Unreadable):
        return True
    if not (isinstance(before, Present) and isinstance(after, Present)):
        return False
    was, now = before.value, after.value
    return (
        isinstance(was, tuple)
        and isinstance(now, tuple)
        and len(was) == len(now)
        and all(
            one == other or getattr(other, "code", "") for one, other in zip(was, now, strict=True)
        )
    )


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize(("collector_id", "operation"), operations())
def test_a_fault_of_one_operation_costs_its_own_facts_alone(
    server: AwsServer,
    monkeypatch: pytest.MonkeyPatch,
    collector_id: str,
    operation: str,
    kind: str,
) -> None:
    collector = OURS[collector_id]
    cell = asked_in(server, collector, operation)
    before, _ = base(server, collector, cell)
    rule = FAULTS[kind]
    if rule.delay_ms:
        monkeypatch.setattr("app.clouds.aws._READ_SECONDS", 0.3)
    server.faults.add(
        Fault(
            operation=ledger_name(operation),
            status=rule.status,
            code=rule.code,
            delay_ms=rule.delay_ms,
            effect=rule.effect,
        )
    )
    after = swept(server, collector, cell)
    if after.error is not None:  # nothing at all could be read: the sweep fails and is tried again
        assert not after.resources
        return
    assert_nothing_is_invented(before, after)
    assert_nothing_is_taken_for_gone(before, after)
    if rule.effect and all(one.absent == one.asked for one in before.of(operation)):
        return  # it is said in a header that there is none, whatever became of the body
    troubled = [one for one in after.of(operation) if one.denied or one.failed or one.skipped]
    assert troubled, "the coverage says nothing of the fault"
    assert all(one.code for one in troubled)


def assert_nothing_is_invented(before: Swept, after: Swept) -> None:
    for key, resource in after.resources.items():
        known = before.resources.get(key)
        assert known is not None, f"{key} is none that exists"
        for field in fields(resource.facts):
            if field.name not in SOURCE_FACTS and not field.name.startswith("unread_"):
                was, now = getattr(known.facts, field.name), getattr(resource.facts, field.name)
                assert is_no_lie(was, now), f"{field.name} of {key} was {was} and became {now}"
        assert resource.tags in (known.tags, None)


def assert_nothing_is_taken_for_gone(before: Swept, after: Swept) -> None:
    whole = {(done.kind, done.scope) for done in after.listings if done.complete}
    for key, resource in before.resources.items():
        if key not in after.resources:
            assert (resource.kind, resource.scope) not in whole, f"{key} would be deleted"


def lists() -> list[tuple[str, str]]:
    return [pair for pair in operations() if pair[1].partition(":")[2].startswith("List")]


@pytest.mark.parametrize(("collector_id", "operation"), lists())
def test_a_list_that_goes_in_circles_ends_and_tells_nothing_gone(
    server: AwsServer, collector_id: str, operation: str
) -> None:
    collector = OURS[collector_id]
    cell = asked_in(server, collector, operation)
    before, _ = base(server, collector, cell)
    server.faults.add(Fault(operation=ledger_name(operation), effect=Effect.REPEATED_NEXT))
    after = swept(server, collector, cell)
    assert after.error is None
    assert_nothing_is_invented(before, after)
    assert_nothing_is_taken_for_gone(before, after)


def test_a_fact_that_was_there_is_known() -> None:
    """The comparison above sees a difference."""
    assert not is_no_lie(Present(1), Present(2))
    assert is_no_lie(Present(1), Present(1))
