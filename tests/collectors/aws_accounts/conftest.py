"""Organizations in moto, and what one sweep over their accounts yielded."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest

from app.collectors.aws_accounts import COLLECTOR
from app.domain.collecting import Connection, ListingDone, Observation, ResourceSeen, ScopeReport
from app.domain.sub_accounts import AwsAccountFacts
from tests.support.aws_wire import AwsWire

ORGANIZATION = {"role_name": "AtalayaReader", "external_id": "ex-1"}


@dataclass(frozen=True)
class Swept:
    """The observations of one sweep."""

    accounts: dict[str, ResourceSeen]
    listings: tuple[ListingDone, ...]
    reports: dict[tuple[str, str], ScopeReport]
    order: tuple[type[Observation], ...]

    def facts(self, account_id: str) -> AwsAccountFacts:
        found = self.accounts[account_id].facts
        assert isinstance(found, AwsAccountFacts)
        return found


Sweep = Callable[[Connection], Swept]


@pytest.fixture
def sweep(now: datetime) -> Sweep:
    """Runs the collector to its end."""

    def run(connection: Connection) -> Swept:
        seen = list(COLLECTOR.collect(connection, now))
        accounts = [one for one in seen if isinstance(one, ResourceSeen)]
        reports = [one for one in seen if isinstance(one, ScopeReport)]
        assert len({one.immutable_id for one in accounts}) == len(accounts)
        return Swept(
            {one.sub_account_id: one for one in accounts},
            tuple(one for one in seen if isinstance(one, ListingDone)),
            {(one.scope, one.operation): one for one in reports},
            tuple(type(one) for one in seen),
        )

    return run


@pytest.fixture
def members(aws: AwsWire) -> Callable[..., list[str]]:
    """Makes an organization with accounts of these names; their ids."""

    def make(*names: str) -> list[str]:
        client: Any = aws.client("organizations")
        client.create_organization(FeatureSet="ALL")
        ids = [
            client.create_account(AccountName=name, Email=f"{name}@cierzo.example")[
                "CreateAccountStatus"
            ]["AccountId"]
            for name in names
        ]
        aws.asked.clear()
        return ids

    return make
