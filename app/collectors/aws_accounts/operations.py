"""Every call that this collector makes: its IAM action, what it feeds, and what means "none"."""

from types import MappingProxyType

from app.domain.collecting import Operation

WHO = "sts:GetCallerIdentity"
ACCOUNTS = "organizations:ListAccounts"
ENTER = "sts:AssumeRole"
REGIONS = "account:ListRegions"
EC2_REGIONS = "ec2:DescribeRegions"

OPERATIONS = (
    Operation(WHO, WHO, ("is_own_account",), "Names the account; AWS grants it to everybody."),
    Operation(
        ACCOUNTS,
        ACCOUNTS,
        ("account_state", "joined_at", "organization_id"),
        "Lists the accounts of the organization; AWS answers its management account and "
        "delegated administrators. Needed only with the setting organization.",
    ),
    Operation(
        ENTER,
        ENTER,
        (),
        "Enters each member through its own read-only role. Needed only with the setting "
        "organization.",
    ),
    Operation(
        REGIONS,
        REGIONS,
        ("enabled_regions", "opted_in_regions", "disabled_regions", "regions_source"),
        "Which regions the account may use.",
    ),
    Operation(EC2_REGIONS, EC2_REGIONS, (), "Tells the regions where account:ListRegions cannot."),
)
BY_NAME = MappingProxyType({operation.name: operation for operation in OPERATIONS})

# The error of ListAccounts that says: this account is in no organization.
NO_ORGANIZATION = "AWSOrganizationsNotInUseException"
