"""Who holds copies of a store: the accounts that replication leads to, beside its own."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.fact_sums import mapped
from app.domain.facts import Fact, FactDocument, fact
from app.domain.storage import ReplicationRule, S3BucketFacts
from app.domain.storage_accounts import AzureStorageAccountFacts

# What a rule says that names no account for a bucket that is not in the account's own list.
UNKNOWN_ACCOUNT = "unknown"


@dataclass(frozen=True, slots=True)
class CopyHolder:
    """A bucket of another account, or an Azure account, that replication leads to.

    `account_id` is None where it is not known; of Azure it is the subscription.
    """

    store: str
    account_id: str | None


@dataclass(frozen=True, slots=True)
class CopyHolderFacts(FactDocument):
    """Derived facts of who holds copies."""

    KIND: ClassVar[str] = "copy_holders"

    copy_holders: Fact[tuple[CopyHolder, ...]] = fact(
        "Buckets of other accounts, or Azure accounts, that hold copies, by rules that were "
        "switched off as well; absent without replication.",
        "derived",
    )


def copy_holders(store: S3BucketFacts | AzureStorageAccountFacts) -> CopyHolderFacts:
    """The derived facts of one store."""
    return CopyHolderFacts(mapped(store.replication_rules, _holders))


def _holders(rules: tuple[ReplicationRule, ...]) -> tuple[CopyHolder, ...]:
    found = (_holder(rule) for rule in rules if rule.destination_account_id is not None)
    return tuple(dict.fromkeys(found))


def _holder(rule: ReplicationRule) -> CopyHolder:
    named = rule.destination_account_id
    return CopyHolder(rule.destination, None if named == UNKNOWN_ACCOUNT else named)
