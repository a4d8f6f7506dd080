"""Whatever stands at any place of an answer: facts of their own types come out, or none."""

import json
from typing import Any

import pytest

from app.collectors.azure_compute import mapping, sizes
from app.collectors.azure_compute.operations import (
    LOCATIONS,
    NICS,
    OPERATIONS,
    SKUS,
    STATUS,
    USAGES,
)
from app.collectors.azure_compute.owners import Owners
from app.collectors.azure_reading import GRAPH
from app.collectors.azure_words import tags_of
from app.domain.azure_compute_regions import AzureComputeRegionFacts
from app.domain.azure_machines import AzureVmFacts, AzureVmScaleSetFacts
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import FactDocument, Present, Unreadable, fact_names
from app.domain.replies import Parse, Reply, understood
from tests.collectors.azure_compute.rows import (
    interface,
    location,
    machine,
    scale_set,
    sku,
    status,
    usage,
)
from tests.collectors.test_hostile_answers import HOSTILE, changed, places, spoiled
from tests.support.documents import filled

FEEDS = {operation.name: operation.feeds for operation in OPERATIONS}
SPOT = {"priority": "Spot", "evictionPolicy": "Delete", "billingProfile": {"maxPrice": 1}}
AWAY = {"type": "Location", "reasonCode": "QuotaId"}
ANSWERS: list[tuple[type[FactDocument], str, Parse, Any]] = [
    (
        AzureVmFacts,
        GRAPH,
        lambda row: mapping.machine(row, None),
        machine(properties=SPOT | {"virtualMachineScaleSet": {"id": "/s"}}),
    ),
    (AzureVmScaleSetFacts, GRAPH, lambda row: mapping.scale_set(row, None), scale_set()),
    (
        AzureComputeRegionFacts,
        SKUS,
        sizes.offers,
        {"value": [sku("Standard_NC40ads_H100_v5", restrictions=[AWAY], GPUs="1")]},
    ),
    (
        AzureComputeRegionFacts,
        USAGES,
        sizes.quotas,
        {"value": [usage("cores", 1, 2), usage("standardNDFamily", 1, 2)]},
    ),
]


@pytest.mark.parametrize("case", ANSWERS, ids=["machine", "scale set", "sizes", "quotas"])
def test_no_answer_breaks_what_follows(case: tuple[type[FactDocument], str, Parse, Any]) -> None:
    document, operation, parse, answer = case
    names = set(fact_names(document))
    feeds = tuple(name for name in FEEDS[operation] if name in names)
    for hostile in spoiled(answer):
        _, found = understood(Reply(Outcome.ANSWERED, hostile), feeds, typed(document, parse))
        facts = filled(document, **found)
        stored = to_fact_set(facts, *derive(facts)).to_json()
        assert json.dumps(stored, allow_nan=False)


def rows_of(row: Any) -> list[Any]:
    """The row with each hostile value at each place but its id, which the reading checks."""
    return [
        changed(row, place, value)
        for place in places(row)
        if place and place != ("id",)
        for value in HOSTILE
    ]


@pytest.mark.parametrize(
    ("row", "parse", "kind"),
    [
        (status(machine(), "PowerState/running"), mapping.power_states, str),
        (interface(), mapping.interfaces, bool),
    ],
    ids=[STATUS, NICS],
)
def test_one_odd_row_of_a_list_spoils_itself_alone(row: Any, parse: Any, kind: type) -> None:
    for odd in rows_of(row):
        ((_, found),) = parse([odd])
        assert isinstance(found, Unreadable) or (
            isinstance(found, Present) and isinstance(found.value, kind)
        )


def test_no_list_of_zones_breaks_what_follows() -> None:
    for hostile in spoiled({"value": [location()]}):
        reply = Reply(Outcome.ANSWERED, hostile)
        _, found = understood(
            reply, ("all",), lambda answer: {"all": mapping.physical_zones(answer["value"])}
        )
        assert isinstance(found["all"], Present | Unreadable), LOCATIONS


def test_no_row_of_an_owner_breaks_the_sweep() -> None:
    row = {
        "id": "/subscriptions/s/resourceGroups/g/providers/m/managedClusters/c",
        "type": "microsoft.containerservice/managedclusters",
        "properties": {"nodeResourceGroup": "MC"},
    }
    for odd in rows_of(row):
        Owners().learn([odd])


def test_no_tags_break_the_search_for_an_owner() -> None:
    for odd in rows_of(machine(tags={"CycleCloudCluster": "/sites/1/clusters/c", "Name": "n"})):
        try:
            tags = tags_of(odd)
        except TypeError:
            continue
        Owners().of(odd, tags)
