"""Every operation of every collector of AWS goes wrong in every way: only its own facts are lost.

The simulated AWS answers; nothing here is asserted about AWS itself, only about our handling.
"""

from collections.abc import Iterator

import pytest

from app.collectors.registry import collectors
from app.domain.collecting import (
    Cell,
    Collector,
    Connection,
    Provider,
    Reach,
)
from app.domain.facts import Present
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
from tests.support.fault_sweeps import (
    Swept,
    assert_nothing_is_invented,
    assert_nothing_is_taken_for_gone,
    is_no_lie,
    swept,
)

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


_BASE: dict[tuple[str, Cell], tuple[Swept, dict[str, int]]] = {}


def base(server: AwsServer, collector: Collector, cell: Cell) -> tuple[Swept, dict[str, int]]:
    """A sweep without faults, and how often it asked what; once per cell."""
    if (collector.id, cell) not in _BASE:
        server.calls.clear()
        found = swept(collector, connection(server, cell))
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
    after = swept(collector, connection(server, cell))
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
    after = swept(collector, connection(server, cell))
    assert after.error is None
    assert_nothing_is_invented(before, after)
    assert_nothing_is_taken_for_gone(before, after)


def test_a_fact_that_was_there_is_known() -> None:
    """The comparison above sees a difference."""
    assert not is_no_lie(Present(1), Present(2))
    assert is_no_lie(Present(1), Present(1))
