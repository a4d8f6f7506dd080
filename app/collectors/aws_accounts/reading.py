"""Asks one account for its regions, in it; every call is a cell. Runs in worker threads."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from app.clouds.aws import AwsClients
from app.clouds.aws_config import known_regions, partition_of
from app.collectors.aws_accounts import mapping
from app.collectors.aws_accounts.client import Ask, ask_ec2_regions, ask_regions
from app.collectors.aws_accounts.operations import BY_NAME, EC2_REGIONS, ENTER, REGIONS
from app.domain.collecting import Cell, Connection, Outcome
from app.domain.fact_check import typed
from app.domain.facts import Fact, Present, Unreadable
from app.domain.replies import SKIPPED, Parse, Reply, understood
from app.domain.sub_accounts import ACTIVE, AwsAccountFacts

NOT_ACTIVE = "AccountNotActive"
_FEEDS = BY_NAME[REGIONS].feeds
# The second is asked only where the first gave no answer.
_QUESTIONS: tuple[tuple[str, Ask, Parse], ...] = (
    (REGIONS, ask_regions, mapping.listed_regions),
    (EC2_REGIONS, ask_ec2_regions, mapping.described_regions),
)


@dataclass(frozen=True, slots=True)
class Listed:
    """One account to read; `facts` are those that its list gave, and whether it is our own."""

    account_id: str
    name: str
    facts: dict[str, Fact[Any]]

    @property
    def is_own(self) -> bool:
        """The connection's credentials belong to it."""
        return self.facts["is_own_account"] == Present(True)

    @property
    def rests(self) -> str:
        """The state of an account that answers nothing; '' for others and for an unread state."""
        state = self.facts["account_state"]
        return state.value if isinstance(state, Present) and state.value != ACTIVE else ""


@dataclass(slots=True)
class AccountRead:
    """What one account answered, call by call."""

    account: Listed
    facts: dict[str, Fact[Any]]
    replies: list[tuple[str, Reply]] = field(default_factory=list)


class AccountReader:
    """Reads single accounts. `own` are clients in the account of the credentials."""

    def __init__(self, connection: Connection, own: AwsClients) -> None:
        self._connection, self._own = connection, own
        self._wanted = frozenset(own.config.operations or BY_NAME)
        partition = partition_of(own.config.home_region)
        self._table = [name for name, part in known_regions().items() if part == partition]

    def read(self, account: Listed) -> AccountRead:
        """Asks for the regions, unless the account is not active."""
        read = AccountRead(account, dict(account.facts))
        if account.rests:
            reply = Reply(Outcome.SKIPPED, {}, NOT_ACTIVE, f"The account is {account.rests}.")
            self._take(read, REGIONS, reply, mapping.listed_regions)
            return read
        with self._clients_in(account) as clients:
            self._ask(read, clients)
        return read

    def _clients_in(self, account: Listed) -> AbstractContextManager[AwsClients]:
        if account.is_own:
            return nullcontext(self._own)
        there = replace(self._connection, cell=Cell(account.account_id))
        return AwsClients(there, own=self._own)

    def _ask(self, read: AccountRead, clients: AwsClients) -> None:
        for name, ask, parse in _QUESTIONS:
            operation, reply = ask(clients) if name in self._wanted else (name, SKIPPED)
            self._take(read, operation, reply, parse)
            if operation == ENTER or self._is_answered(read):
                return
        read.facts.update(mapping.unread_regions(self._table, read.replies[0][1].code))

    def _take(self, read: AccountRead, operation: str, reply: Reply, parse: Parse) -> None:
        reply, facts = understood(reply, _FEEDS, typed(AwsAccountFacts, parse))
        read.facts.update(facts)
        read.replies.append((operation, reply))

    def _is_answered(self, read: AccountRead) -> bool:
        return not isinstance(read.facts["regions_source"], Unreadable)
