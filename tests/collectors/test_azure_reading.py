"""What all collectors of Azure share, over the simulated tenant and chapters of our own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from app.collectors.azure_reading import GRAPH, AzureReading, open_reading
from app.domain.collecting import ListingDone, Operation, Outcome, ScopeReport
from app.domain.facts import ABSENT, Fact, FactDocument, Present, Unreadable, fact
from app.kit.errors import CollectorError
from app.sandbox.azure.held import Chapter
from app.sandbox.azure.refusal import Refusal
from app.sandbox.azure_server import AzureServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import AMERICAS, PLATFORM, RESEARCH, Subscription
from tests.support.azure_fixtures import azure_source

TYPE = "Microsoft.Example/widgets"
PARTS = "example:widgets/parts/read"
ALL = [each.subscription_id for each in (PLATFORM, RESEARCH, AMERICAS)]
Open = Callable[..., AzureReading]


@dataclass(frozen=True, slots=True)
class WidgetFacts(FactDocument):
    """An invented kind."""

    KIND: ClassVar[str] = "widget"
    AREA: ClassVar[str] = "widgets"

    size: Fact[int] = fact("Its size.", GRAPH)
    parts: Fact[tuple[str, ...]] = fact("Its parts.", PARTS)


OPERATIONS = (
    Operation(GRAPH, "Microsoft.Example/widgets/read", ("size",), "Lists them."),
    Operation(PARTS, "Microsoft.Example/widgets/parts/read", ("parts",), "Their parts."),
)


def widget(name: str, subscription: Subscription = RESEARCH, size: object = 1) -> dict[str, Any]:
    group = f"/subscriptions/{subscription.subscription_id}/resourceGroups/RG-One"
    return {
        "id": f"{group}/providers/{TYPE}/{name}",
        "name": name,
        "type": TYPE,
        "location": "West Europe",
        "tags": {"Team": "vision"},
        "properties": {"size": size},
    }


WIDGETS = [widget(f"w{n}") for n in range(5)] + [widget("home", PLATFORM)]
FIRST = WIDGETS[0]["id"]


def size(row: Any) -> dict[str, Any]:
    return {"size": row["properties"]["size"]}


def names(answer: Any) -> dict[str, Any]:
    return {"parts": tuple(row["name"] for row in answer["value"]) or None}


@pytest.fixture(scope="module")
def server() -> Iterator[AzureServer]:
    rows = [{"id": f"{FIRST}/parts/p{n}", "name": f"p{n}"} for n in range(5)]
    lists: dict[str, list[dict[str, Any]] | Refusal] = {
        f"{FIRST}/parts": rows,
        f"{WIDGETS[1]['id']}/parts": [],
        f"{WIDGETS[2]['id']}/parts": Refusal(403, "AuthorizationFailed", "No role."),
        f"{WIDGETS[3]['id']}/parts": Refusal(404, "PartsNotFound", "There are none."),
        f"{WIDGETS[4]['id']}/parts": Refusal(409, "MissingSubscriptionRegistration", "Not here."),
    }
    with AzureServer(chapters=(Chapter(WIDGETS, lists),)) as running:
        yield running


@pytest.fixture
def read(server: AzureServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens readings that are closed, and faults that are lifted, after the test."""
    monkeypatch.setattr("app.collectors.azure_questions._api", lambda _: "storage")
    absent = {PARTS: frozenset({"PartsNotFound"})}
    with ExitStack() as stack:
        stack.callback(server.faults.clear)
        stack.callback(server.restore)
        yield lambda **settings: stack.enter_context(
            open_reading(azure_source(server, **settings), OPERATIONS, absent=absent)
        )


def reports(reading: AzureReading) -> dict[tuple[str, str], ScopeReport]:
    return {(one.scope, one.operation): one for one in reading.reports()}


def parts(reading: AzureReading, number: int) -> Fact[Any]:
    path = f"{WIDGETS[number]['id']}/parts"
    return reading.learn_list(WidgetFacts, PARTS, path, names)["parts"]


def listed(reading: AzureReading) -> dict[str, ListingDone]:
    return {one.scope: one for one in reading.listed(WidgetFacts, TYPE)}


def test_the_inventory_of_all_subscriptions_is_one_question(
    server: AzureServer, read: Open
) -> None:
    reading = read()
    server.calls.clear()
    rows = list(reading.inventory(TYPE))
    assert [row["name"] for row in rows] == ["home", "w0", "w1", "w2", "w3", "w4"]
    assert server.calls.counts() == {"arm.graph.query": 1}
    assert listed(reading) == {
        one: ListingDone("widget", one, complete=True, is_lagging=True) for one in ALL
    }


def test_an_inventory_that_was_not_read_is_not_whole(read: Open) -> None:
    assert {one.code for one in listed(read()).values()} == {"NotRead"}


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault(operation="arm.graph.query", status=403, code="AccessDenied"), "AccessDenied"),
        (Fault(operation="arm.graph.query", body="[]"), "MalformedAnswer"),
        (Fault(operation="arm.graph.query", body="{}"), "UnexpectedAnswer"),
        (Fault(operation="arm.graph.query", body='{"data": [{"id": 7}]}'), "UnexpectedAnswer"),
        (Fault(operation="arm.graph.query", body='{"data": ["x"]}'), "UnexpectedAnswer"),
        (Fault(operation="arm.graph.query", effect=Effect.REPEATED_NEXT), "RepeatedToken"),
    ],
)
def test_an_inventory_that_fails_is_not_whole_and_says_why(
    server: AzureServer, read: Open, fault: Fault, code: str
) -> None:
    reading = read()
    server.faults.add(fault)
    list(reading.inventory(TYPE))
    assert {(one.complete, one.code) for one in listed(reading).values()} == {(False, code)}


def test_the_settings_can_leave_the_inventory_out(server: AzureServer, read: Open) -> None:
    reading = read(operations=[PARTS])
    server.calls.clear()
    assert list(reading.inventory(TYPE)) == []
    assert {one.code for one in listed(reading).values()} == {"SkippedByConfiguration"}
    assert server.calls.counts() == {}


def test_only_the_subscriptions_of_the_settings_are_read(read: Open) -> None:
    reading = read(subscriptions=[PLATFORM.subscription_id.upper()])
    assert [row["name"] for row in reading.inventory(TYPE)] == ["home"]
    assert list(listed(reading)) == [PLATFORM.subscription_id]


def test_a_management_group_stands_for_the_subscriptions_below_it(read: Open) -> None:
    reading = read(management_groups=["Cierzo-Research"])
    assert list(reading.subscriptions) == [RESEARCH.subscription_id, AMERICAS.subscription_id]


def test_a_management_group_of_nobody_is_no_empty_estate(read: Open) -> None:
    with pytest.raises(CollectorError, match="cannot be answered"):
        read(management_groups=["nobody"])


def test_a_subscription_that_is_not_visible_is_said_and_deletes_nothing(read: Open) -> None:
    other = "c1e72000-0000-4000-8000-0000000000ee"
    reading = read(subscriptions=[PLATFORM.subscription_id, other])
    list(reading.inventory(TYPE))
    assert not listed(reading)[other].complete
    report = reports(reading)[other, GRAPH]
    assert (report.skipped, report.code) == (1, "SubscriptionNotVisible")


def test_a_list_is_read_to_its_end_and_counted_once(read: Open) -> None:
    reading = read()
    assert parts(reading, 0) == Present(("p0", "p1", "p2", "p3", "p4"))
    assert reports(reading)[RESEARCH.subscription_id, PARTS].answered == 1


@pytest.mark.parametrize(
    ("number", "found", "outcome"),
    [
        (1, ABSENT, Outcome.ANSWERED),
        (2, Unreadable("AuthorizationFailed"), Outcome.DENIED),
        (3, ABSENT, Outcome.ABSENT),
        (4, Unreadable("MissingSubscriptionRegistration"), Outcome.SKIPPED),
    ],
)
def test_each_refusal_is_what_it_says_and_no_other_fact_is_lost(
    read: Open, number: int, found: Fact[Any], outcome: Outcome
) -> None:
    reading = read()
    assert parts(reading, number) == found
    assert getattr(reports(reading)[RESEARCH.subscription_id, PARTS], outcome) == 1


@pytest.mark.parametrize("effect", [Effect.REPEATED_NEXT, Effect.FOREIGN_NEXT])
def test_no_part_of_a_list_passes_for_all_of_it(
    server: AzureServer, read: Open, effect: Effect
) -> None:
    reading = read()
    server.faults.add(Fault(path="w0/parts", effect=effect))
    assert isinstance(parts(reading, 0), Unreadable)


@pytest.mark.parametrize("odd", ["", "x", "/subscriptions/s", "//elsewhere/volumes"])
def test_an_id_of_no_known_kind_is_never_posted_to(read: Open, odd: str) -> None:
    reading = read()
    for reply in (reading.post(PARTS, odd), reading.posted(PARTS, odd, "value")):
        assert (reply.outcome, reply.code) == (Outcome.FAILED, "UnexpectedAnswer")


def test_a_row_that_cannot_be_understood_costs_its_own_facts(read: Open) -> None:
    reading = read()
    facts = reading.stated(WidgetFacts, widget("odd", size="large"), size)
    assert facts == {"size": Unreadable("UnexpectedAnswer")}
    assert reports(reading)[RESEARCH.subscription_id, GRAPH].failed == 1


def test_a_resource_has_a_life_a_place_and_a_parent(read: Open) -> None:
    reading = read()
    row = next(row for row in reading.inventory(TYPE) if row["name"] == "w0")
    facts = WidgetFacts(size=Present(1), parts=ABSENT)
    seen = reading.seen(facts, row, parent_id=FIRST.upper())
    assert (seen.region_id, seen.sub_account_id) == ("westeurope", RESEARCH.subscription_id)
    assert seen.immutable_id == FIRST.lower()
    assert seen.parent_native_id == row["id"] == seen.native_id
    assert "/resourceGroups/rg-one/" in seen.native_id


def test_when_every_call_fails_nothing_is_known(server: AzureServer, read: Open) -> None:
    reading = read()
    server.faults.add(Fault(path="parts|ResourceGraph", status=500, code="Broken"))
    parts(reading, 0)
    with pytest.raises(CollectorError, match="sandbox"):
        list(reading.reports())


def test_wrong_settings_are_said_before_anything_is_asked(server: AzureServer) -> None:
    connection = azure_source(server, cloud="moon")
    with pytest.raises(CollectorError) as caught, open_reading(connection, OPERATIONS):
        pass
    assert (caught.value.code, caught.value.permanent) == ("InvalidConfiguration", True)
