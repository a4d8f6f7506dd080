"""F03 and F11 with other values, drawn from seeds and judged by a small oracle of their own."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from tests.support.journeys import Installation, Journey
from tests.support.replay_arm import ReplayArm, recorded

DRAWN = 60
TEMPLATE: dict[str, Any] = recorded("recorded.storage.accounts.list")["value"][0]
LIMIT_DAYS = 21
WORDS = ("img", "img-prod", "imagery", "raw", "Raw", "tokens")
PAIRS = {
    "westeurope": "northeurope",
    "brazilsouth": "southcentralus",
    "francecentral": "francesouth",
    "uksouth": "ukwest",
    "switzerlandnorth": "switzerlandwest",
    "eastus": "westus",
}
ZONES = {
    "westeurope": "EU", "northeurope": "EU", "francecentral": "EU", "francesouth": "EU",
    "brazilsouth": "BR", "southcentralus": "US", "eastus": "US", "westus": "US",
    "uksouth": "GB", "ukwest": "GB", "switzerlandnorth": "EFTA", "switzerlandwest": "EFTA",
}  # fmt: skip
GEO = {"Standard_GRS", "Standard_RAGRS", "Standard_GZRS", "Standard_RAGZRS"}
SKUS = sorted({"Standard_LRS", "Standard_ZRS"} | GEO)


@dataclass(frozen=True)
class Rule:
    """One lifecycle rule as drawn."""

    enabled: bool
    prefixes: tuple[str, ...]
    days: int
    basis: str

    def document(self) -> dict[str, Any]:
        age = {f"daysAfter{self.basis}GreaterThan": float(self.days)}
        scope: dict[str, Any] = {"blobTypes": ["blockBlob"]}
        if self.prefixes:
            scope["prefixMatch"] = list(self.prefixes)
        actions = {"baseBlob": {"tierToCool": age}}
        definition = {"actions": actions, "filters": scope}
        return {"enabled": self.enabled, "name": "r", "type": "Lifecycle", "definition": definition}


@dataclass(frozen=True)
class Drawn:
    """One account as drawn. `secondary` None: geo-redundant, but Azure does not say where."""

    name: str
    sku: str
    primary: str
    secondary: str | None
    containers: tuple[str, ...]
    rules: tuple[Rule, ...]
    tracked: bool

    def cools(self) -> bool:
        """Every container is reached by a rule that is on, early enough, and can count."""
        return all(
            any(self.works(rule, f"{name}/") for rule in self.rules) for name in self.containers
        )

    def works(self, rule: Rule, data: str) -> bool:
        """Whether this rule alone cools all data under a path."""
        reaches = not rule.prefixes or any(data.startswith(start) for start in rule.prefixes)
        counts = rule.basis != "LastAccessTime" or self.tracked
        return rule.enabled and rule.days <= LIMIT_DAYS and reaches and counts

    def touched(self, rule: Rule) -> list[str]:
        """Containers in which a rule matches something."""
        if not rule.prefixes:
            return list(self.containers)
        return [
            name
            for name in self.containers
            if any(f"{name}/".startswith(s) or s.startswith(f"{name}/") for s in rule.prefixes)
        ]

    def stays(self, allowed: set[str] | None) -> str:
        """Where all copies are: in the allowed regions, or (None) in the zone of the primary."""
        places = [self.primary, self.secondary] if self.sku in GEO else [self.primary]
        known = [place for place in places if place]
        good = [
            place in allowed if allowed is not None else ZONES[place] == ZONES[self.primary]
            for place in known
        ]
        if not all(good):
            return "non_compliant"
        return "compliant" if len(known) == len(places) else "unknown"


def draw(seed: int) -> Drawn:
    dice = Random(seed)
    primary, sku = dice.choice(sorted(PAIRS)), dice.choice(SKUS)
    told = sku in GEO and dice.random() < 0.8
    containers = tuple(dice.sample([word for word in WORDS if word.islower()], dice.randint(1, 3)))
    starts = [*containers, *(f"{name}/" for name in containers), *WORDS, "im", "img-", "raw/x/"]
    rules = tuple(
        Rule(
            enabled=dice.random() < 0.8,
            prefixes=tuple(dice.sample(starts, dice.randint(0, 2))),
            days=dice.choice([0, 7, 20, 21, 22, 90]),
            basis=dice.choice(["Modification", "LastAccessTime", "Creation"]),
        )
        for _ in range(dice.randint(1, 3))
    )
    secondary = PAIRS[primary] if told else None
    return Drawn(f"st{seed}", sku, primary, secondary, containers, rules, dice.random() < 0.5)


def account(drawn: Drawn) -> dict[str, Any]:
    made = deepcopy(TEMPLATE)
    made |= {"name": drawn.name, "location": drawn.primary, "sku": {"name": drawn.sku}}
    made["id"] = f"{made['id'].rsplit('/', 1)[0]}/{drawn.name}"
    made["properties"]["primaryLocation"] = drawn.primary
    if drawn.secondary:
        made["properties"]["secondaryLocation"] = drawn.secondary
    return made


def answers(arm: ReplayArm, drawn: Drawn, made: dict[str, Any]) -> None:
    tracking = {"lastAccessTimeTrackingPolicy": {"enable": True}} if drawn.tracked else {}
    arm.set(made, "blobServices/default", {"properties": tracking})
    policy = {"rules": [rule.document() for rule in drawn.rules]}
    arm.set(made, "managementPolicies/default", {"properties": {"policy": policy}})
    named = [{"name": name, "properties": {"publicAccess": "None"}} for name in drawn.containers]
    arm.set(made, "blobServices/default/containers", {"value": named})


ESTATE = [draw(seed) for seed in range(DRAWN)]


@pytest.fixture(scope="module")
def filled(installation_of_module: Installation) -> Installation:
    """All drawn accounts, read once; the limit of days is another one than the usual."""
    made = {drawn.name: account(drawn) for drawn in ESTATE}
    with (
        ReplayArm(made.values()) as arm,
        installation_of_module.open() as journey,
        pytest.MonkeyPatch.context() as patch,
    ):
        for drawn in ESTATE:
            answers(arm, drawn, made[drawn.name])
        patch.setenv("REPLAY_TOKEN", "a-token")
        journey.set_params("data-cools-in-time", {"max_days_in_hot": LIMIT_DAYS})
        sweep = journey.sweep(journey.connect("drawn", "azure", arm.config()))
        assert sweep["state"] == "complete"
    return installation_of_module


@pytest.fixture
def read(filled: Installation) -> Iterator[Journey]:
    """The drawn accounts, to be looked at."""
    with filled.open() as journey:
        yield journey


def test_the_draw_has_every_kind() -> None:
    assert {drawn.cools() for drawn in ESTATE} == {True, False}
    assert {drawn.stays(None) for drawn in ESTATE} == {"compliant", "non_compliant", "unknown"}
    untracked = [
        d for d in ESTATE for r in d.rules if r.basis == "LastAccessTime" and not d.tracked
    ]
    assert untracked


def test_each_account_cools_or_not_as_the_oracle_says(read: Journey) -> None:
    words = {True: "compliant", False: "non_compliant"}
    assert read.judged("data-cools-in-time") == {d.name: words[d.cools()] for d in ESTATE}


def test_each_rule_touches_the_containers_that_the_oracle_says(read: Journey) -> None:
    for drawn in ESTATE:
        facts = read.resource(drawn.name)["facts"]["present"]
        found = [one["matched_containers"] for one in facts["lifecycle_judgements"]]
        assert found == [drawn.touched(rule) for rule in drawn.rules], drawn


def test_last_access_is_known_only_with_tracking(read: Journey) -> None:
    def expected(drawn: Drawn) -> str:
        if not any(rule.enabled and rule.basis == "LastAccessTime" for rule in drawn.rules):
            return "not_applicable"
        return "compliant" if drawn.tracked else "non_compliant"

    assert read.judged("last-access-tracking") == {d.name: expected(d) for d in ESTATE}


@pytest.mark.parametrize(
    "allowed", [None, {"westeurope"}, {"westeurope", "northeurope"}, set(ZONES)]
)
def test_each_copy_stays_or_not_as_the_oracle_says(read: Journey, allowed: set[str] | None) -> None:
    policy_id = "replication-region-allowed"
    read.set_params(policy_id, {} if allowed is None else {"allowed_regions": sorted(allowed)})
    assert read.judged(policy_id) == {drawn.name: drawn.stays(allowed) for drawn in ESTATE}


def test_a_second_copy_is_a_place_readable_only_with_ra(read: Journey) -> None:
    for drawn in ESTATE:
        rest = read.resource(drawn.name)["facts"]["present"]["rest_places"]
        second = [(one.get("region_id"), one["readable"]) for one in rest[1:]]
        readable = drawn.sku.startswith("Standard_RA")
        assert second == ([(drawn.secondary, readable)] if drawn.sku in GEO else []), drawn
