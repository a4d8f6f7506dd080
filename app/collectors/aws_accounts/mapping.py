"""AWS's words for accounts and regions into ours. Pure: answers as botocore parses them in.

Each function returns values by fact name; None states that there is none.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from app.collectors.aws_accounts.operations import EC2_REGIONS, REGIONS
from app.domain.facts import Fact, Present, Unreadable

Answer = Mapping[str, Any]

OWN_TABLE = "botocore"
# Whether a region can be used, by the word of each API. A region on its way is not usable yet or
# any more (Account Management API: Region; EC2 API: Region).
_BY_STATUS = {
    "ENABLED": True,
    "ENABLED_BY_DEFAULT": True,
    "ENABLING": False,
    "DISABLING": False,
    "DISABLED": False,
}
_SWITCHED_ON = frozenset({"ENABLED", "opted-in"})
_BY_OPT_IN = {"opt-in-not-required": True, "opted-in": True, "not-opted-in": False}


def listed_account(entry: Answer) -> Answer:
    """One account of ListAccounts. Its `Status` is retired: only `State` counts."""
    return {
        "account_state": entry["State"],
        "joined_at": entry.get("JoinedTimestamp"),
        "organization_id": _organization_id(entry["Arn"]),
    }


def listed_regions(answer: Answer) -> Answer:
    """ListRegions, all pages joined."""
    words = {one["RegionName"]: one["RegionOptStatus"] for one in answer["Regions"]}
    return _regions(words, _BY_STATUS, REGIONS)


def described_regions(answer: Answer) -> Answer:
    """DescribeRegions of all regions."""
    words = {one["RegionName"]: one["OptInStatus"] for one in answer["Regions"]}
    return _regions(words, _BY_OPT_IN, EC2_REGIONS)


def unread_regions(partition_regions: Iterable[str], code: str) -> dict[str, Fact[Any]]:
    """What is left when nobody told the regions: our own table, which knows of no switches."""
    return {
        "enabled_regions": Present(tuple(sorted(partition_regions))),
        "opted_in_regions": Unreadable(code),
        "disabled_regions": Unreadable(code),
        "regions_source": Present(OWN_TABLE),
    }


def _regions(words: Mapping[str, str], usable_by: Mapping[str, bool], source: str) -> Answer:
    if not words:
        raise ValueError("a list of regions without any")
    usable = {name: usable_by[word] for name, word in words.items()}
    switched_on = sorted(name for name, word in words.items() if word in _SWITCHED_ON)
    return {
        "enabled_regions": tuple(sorted(name for name, on in usable.items() if on)),
        "opted_in_regions": tuple(switched_on) or None,
        "disabled_regions": tuple(sorted(name for name, on in usable.items() if not on)),
        "regions_source": source,
    }


def _organization_id(arn: str) -> str:
    """arn:aws:organizations::<management account>:account/<organization>/<account>."""
    kind, organization, _account = arn.rpartition(":")[2].split("/")
    if kind != "account":
        raise ValueError("not the ARN of an account")
    return organization
