"""One sweep over the accounts of a connection: list, ask each for its regions, stream."""

from collections.abc import Iterator, Mapping
from typing import Any

from app.clouds.aws import AwsClients
from app.clouds.aws_config import partition_of
from app.clouds.failures import CallFailedError
from app.clouds.parallel import stream
from app.collectors.aws_accounts.client import account_pages
from app.collectors.aws_accounts.mapping import listed_account
from app.collectors.aws_accounts.operations import (
    ACCOUNTS,
    BY_NAME,
    ENTER,
    NO_ORGANIZATION,
    REGIONS,
    WHO,
)
from app.collectors.aws_accounts.reading import AccountRead, AccountReader, Listed
from app.domain.collecting import Connection, ListingDone, Observation, Outcome, ResourceSeen
from app.domain.coverage import Coverage
from app.domain.fact_check import typed
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.replies import SKIPPED_BY_CONFIGURATION, Reply, understood
from app.domain.sub_accounts import AwsAccountFacts

KIND = AwsAccountFacts.KIND
NOT_LISTED = "NotInOrganization"
_LISTED = BY_NAME[ACCOUNTS].feeds


class Sweep:
    """Reads the accounts once. Worker threads only ask; the reading thread counts and yields.

    The list and all that it names have the account of the credentials for a scope, which is the
    one that is asked for it; what is asked in an account has that account.
    """

    def __init__(self, connection: Connection, clients: AwsClients) -> None:
        self._connection, self._clients = connection, clients
        self._organization = clients.config.organization
        self._own = clients.own_account_id
        self._partition = partition_of(clients.config.home_region)
        self._coverage = Coverage()

    def observations(self) -> Iterator[Observation]:
        """Accounts as they are read, then whether the list was whole, then the coverage."""
        self._coverage.count(self._own, WHO, Outcome.ANSWERED)
        accounts, cut = self._list()
        reader = AccountReader(self._connection, self._clients)
        wanted = self._covered(accounts)
        for read in stream(reader.read, wanted, threads=self._connection.threads):
            self._count(read)
            yield self._seen(read)
        yield ListingDone(KIND, self._own, complete=not cut, code=cut)
        yield from self._coverage.reports()

    def _list(self) -> tuple[dict[str, Listed], str]:
        """The accounts by id, our own always among them, and why the list is not whole."""
        if self._organization is None:
            self._skip(self._own, ACCOUNTS, "The setting organization is missing.")
            return self._with_own({}, Unreadable(SKIPPED_BY_CONFIGURATION)), ""
        operations = self._clients.config.operations
        if operations and ACCOUNTS not in operations:
            self._skip(self._own, ACCOUNTS, "The setting operations leaves it out.")
            reason = SKIPPED_BY_CONFIGURATION
            return self._with_own({}, Unreadable(reason)), reason
        return self._listed()

    def _listed(self) -> tuple[dict[str, Listed], str]:
        pages = account_pages(self._clients)
        accounts: dict[str, Listed] = {}
        try:
            for page in pages:
                self._count_list(Outcome.ANSWERED)
                accounts |= {entry["Id"]: self._entry(entry) for entry in page["Accounts"]}
        except CallFailedError as error:
            if error.code == NO_ORGANIZATION:
                self._count_list(Outcome.ABSENT)
                return self._with_own({}, ABSENT), ""
            outcome = Outcome.DENIED if error.denied else Outcome.FAILED
            self._count_list(outcome, (error.code, error.detail))
            return self._with_own(accounts, Unreadable(error.code)), error.code
        # The account that asks is a part of the organization: a list without it is not whole.
        cut = pages.code or ("" if self._own in accounts else NOT_LISTED)
        return self._with_own(accounts, Unreadable(cut)), cut

    def _entry(self, entry: Mapping[str, Any]) -> Listed:
        answered = Reply(Outcome.ANSWERED, entry)
        reply, facts = understood(answered, _LISTED, typed(AwsAccountFacts, listed_account))
        if reply.outcome is not Outcome.ANSWERED:
            self._count_list(reply.outcome, (reply.code, reply.message))
        is_own: Fact[bool] = Present(entry["Id"] == self._own)
        name = str(entry.get("Name") or entry["Id"])
        return Listed(entry["Id"], name, {**facts, "is_own_account": is_own})

    def _with_own(self, accounts: dict[str, Listed], unlisted: Fact[Any]) -> dict[str, Listed]:
        """Our own account is known also where the list does not name it."""
        facts = {**dict.fromkeys(_LISTED, unlisted), "is_own_account": Present(True)}
        return {self._own: Listed(self._own, self._own, facts), **accounts}

    def _covered(self, accounts: dict[str, Listed]) -> list[Listed]:
        """Our own account and those that the settings cover; the others are said to be left out."""
        if self._organization is None:
            return list(accounts.values())
        for account_id in sorted(set(self._organization.accounts) - set(accounts)):
            fault = (NOT_LISTED, "The setting organization names it, the list does not.")
            self._coverage.count(account_id, ACCOUNTS, Outcome.SKIPPED, fault=fault)
        return list(filter(self._is_covered, accounts.values()))

    def _is_covered(self, account: Listed) -> bool:
        covers = self._organization is None or self._organization.covers(account.account_id)
        if not covers and not account.is_own:
            self._skip(account.account_id, REGIONS, "The setting organization leaves it out.")
        return covers or account.is_own

    def _skip(self, scope: str, operation: str, why: str) -> None:
        fault = (SKIPPED_BY_CONFIGURATION, why)
        self._coverage.count(scope, operation, Outcome.SKIPPED, fault=fault)

    def _count_list(self, outcome: Outcome, fault: tuple[str, str] = ("", "")) -> None:
        throttled = self._clients.throttled
        self._coverage.count(self._own, ACCOUNTS, outcome, throttled=throttled, fault=fault)

    def _count(self, read: AccountRead) -> None:
        scope = read.account.account_id
        operations = {operation for operation, _ in read.replies}
        asked = any(reply.outcome is not Outcome.SKIPPED for _, reply in read.replies)
        if asked and not read.account.is_own and ENTER not in operations:
            self._coverage.count(scope, ENTER, Outcome.ANSWERED)
        for operation, reply in read.replies:
            self._coverage.count(
                scope,
                operation,
                reply.outcome,
                throttled=reply.throttled,
                fault=(reply.code, reply.message),
            )

    def _seen(self, read: AccountRead) -> ResourceSeen:
        account_id = read.account.account_id
        return ResourceSeen(
            kind=KIND,
            immutable_id=account_id,  # AWS never gives the id of an account twice
            native_id=f"arn:{self._partition}:iam::{account_id}:root",
            name=read.account.name,
            sub_account_id=account_id,
            region_id=None,
            created_at=None,
            tags=None,
            facts=AwsAccountFacts(**read.facts),
            scope=self._own,
        )
