"""Accounts within a source as the clouds report them; FOCUS's word for them is sub account."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

ACTIVE = "ACTIVE"

_WHO = "sts:GetCallerIdentity"
_ACCOUNTS = "organizations:ListAccounts"
_REGIONS = "account:ListRegions"


@dataclass(frozen=True, slots=True)
class AwsAccountFacts(FactDocument):
    """An AWS account, alone or of an organization."""

    KIND: ClassVar[str] = "aws_account"
    AREA: ClassVar[str] = "accounts"

    account_state: Fact[str] = fact(
        "ACTIVE, SUSPENDED, CLOSED or on its way there; absent outside of organizations.", _ACCOUNTS
    )
    joined_at: Fact[datetime] = fact("When it became a part of the organization.", _ACCOUNTS)
    organization_id: Fact[str] = fact("The organization that it is a part of.", _ACCOUNTS)
    is_own_account: Fact[bool] = fact("The connection's credentials belong to it.", _WHO)
    enabled_regions: Fact[tuple[str, ...]] = fact(
        "Regions that it may use. When regions_source is botocore, these were not read: they are "
        "all regions of the partition.",
        _REGIONS,
    )
    opted_in_regions: Fact[tuple[str, ...]] = fact(
        "Regions that it switched on, of those that are off at first; absent without one.",
        _REGIONS,
    )
    disabled_regions: Fact[tuple[str, ...]] = fact(
        "Regions that it has not switched on, or is switching on or off.", _REGIONS
    )
    regions_source: Fact[str] = fact(
        "Who told the regions: account:ListRegions, else ec2:DescribeRegions, else botocore, "
        "which is our own table.",
        _REGIONS,
    )
