"""Invents storage accounts from their number alone: a big estate needs no memory."""

import re

from app.sandbox.azure.model import Account, BlobService, Container, Json
from app.sandbox.azure.rules import good, rule, tiers
from app.sandbox.story import DATASETS, SUBSCRIPTIONS, Subscription, mixed

PREFIX = "stfill"
_NAME = re.compile(rf"{PREFIX}(\d{{7}})")
_REGIONS = ("swedencentral", "westeurope", "northeurope", "francecentral", "brazilsouth", "uksouth")
_SKUS = ("Standard_LRS", "Standard_ZRS", "Standard_GRS", "Standard_RAGRS", "Standard_GZRS")
_GROUPS = 200
_TAGS = (None, *(dataset.tags() for dataset in DATASETS))
# none, right, late, off, by access, for other data, deleting everything
_RULES: tuple[list[Json] | None, ...] = (
    None,
    good(["data/"]),
    [rule("late", tiers(cool=90), ["data/"])],
    [rule("off", tiers(cool=30), ["data/"], enabled=False)],
    [rule("unread", tiers(cool=30, basis="LastAccessTime"), ["data/"])],
    [rule("logs", tiers(cool=30), ["logs/"])],
    [rule("wipe", tiers(delete=1))],
)
_CONTAINERS = (Container("data"), Container("work"))


def name_of(number: int) -> str:
    """The account name of a number from 0 to 9,999,999."""
    return f"{PREFIX}{number:07d}"


def number_of(name: str) -> int | None:
    """The number in a name, or None when it is not one of these."""
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else None


def subscription_of(number: int) -> Subscription:
    """The subscription of an account, for those who want no more of it."""
    return SUBSCRIPTIONS[_dice(number) // 11 % len(SUBSCRIPTIONS)]


def _dice(number: int) -> int:
    return mixed(f"account {number}")


def account(number: int) -> Account:
    """The account of that number; the same in every process."""
    dice = _dice(number)
    return Account(
        name_of(number),
        _REGIONS[dice % len(_REGIONS)],
        "filling",
        sku=_SKUS[dice // 7 % len(_SKUS)],
        subscription=subscription_of(number),
        resource_group=f"rg-fill-{number % _GROUPS:03d}",
        tags=_TAGS[dice // 13 % len(_TAGS)],
        blob=BlobService(
            versioning=(True, True, False, None)[dice // 17 % 4],
            soft_delete_days=(7, 30, None)[dice // 19 % 3],
            tracks_last_access=(None, True)[dice // 23 % 2],
        ),
        rules=_RULES[dice // 29 % len(_RULES)],
        containers=_CONTAINERS,
    )
