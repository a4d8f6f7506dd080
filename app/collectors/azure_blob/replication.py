"""Object replication policies as rules of their source and origins of their destination. Pure.

Both ends list a policy. Either names the other by a full id, or by the bare name of old policies,
and it may lie in another subscription or tenant (Azure, object replication overview).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.collectors.azure_words import Json, canonical_id, last_part, subscription_of, texts
from app.domain.storage import ReplicationRule
from app.domain.storage_accounts import ReplicationOrigin
from app.domain.storage_copies import UNKNOWN_ACCOUNT


@dataclass(frozen=True, slots=True)
class Place:
    """Where the other end lies: without a region the `code` says why, without an account it is
    not known whose it is.
    """

    region_id: str | None
    code: str = ""
    account_id: str | None = None


def is_source(policy: Json, account_id: str) -> bool:
    """Whether a policy copies out of this account."""
    return _same_account(source_of(policy), account_id)


def is_destination(policy: Json, account_id: str) -> bool:
    """Whether a policy copies into this account."""
    return _same_account(destination_of(policy), account_id)


def source_of(policy: Json) -> str:
    """The source as the policy names it."""
    return str(policy["properties"]["sourceAccount"])


def destination_of(policy: Json) -> str:
    """The destination as the policy names it."""
    return str(policy["properties"]["destinationAccount"])


def replication_rules(
    policies: Iterable[Json], places: Mapping[str, Place]
) -> tuple[ReplicationRule, ...]:
    """The rules of policies of which an account is the source; `places` by destination as named.

    A policy listed without rules still says that something is copied there, so it gives one rule.
    """
    return tuple(
        _replication_rule(policy, rule, prefix, places[destination_of(policy)])
        for policy in policies
        for rule, prefix in _rules_by_prefix(policy)
    )


def replication_origins(
    policies: Iterable[Json], owners: Mapping[str, str | None]
) -> tuple[ReplicationOrigin, ...]:
    """What policies bring to the account that is their destination; `owners` by source as named."""
    return tuple(
        ReplicationOrigin(
            policy_id=str(policy["name"]),
            source=source_of(policy),
            source_account_id=owners[source_of(policy)],
            containers=tuple(
                dict.fromkeys(str(rule["destinationContainer"]) for rule in _rules(policy))
            ),
        )
        for policy in policies
    )


def _rules(policy: Json) -> Sequence[Json]:
    found: Any = policy["properties"].get("rules") or ()
    if not isinstance(found, list | tuple):
        raise TypeError("rules are a list")
    return found


def _rules_by_prefix(policy: Json) -> Iterator[tuple[Json, str]]:
    """Each rule with each of its prefixes, which begin with the container's name for us."""
    for rule in _rules(policy) or ({},):
        container = str(rule.get("sourceContainer") or "")
        for prefix in texts(rule.get("filters") or {}, "prefixMatch") or ("",):
            yield rule, f"{container}/{prefix}" if container else ""


def _replication_rule(policy: Json, rule: Json, prefix: str, place: Place) -> ReplicationRule:
    destination = destination_of(policy)
    return ReplicationRule(
        name=str(rule.get("ruleId") or policy["name"]),
        enabled=True,  # object replication has no switch: a policy is in force or gone
        prefix=prefix,
        destination=destination,
        destination_account_id=place.account_id or subscription_of(destination) or UNKNOWN_ACCOUNT,
        destination_region_id=place.region_id,
        destination_code=place.code,
        storage_class=None,
    )


def _same_account(named: str, account_id: str) -> bool:
    ours = canonical_id(account_id)
    if "/" in named:
        return canonical_id(named) == ours
    return named.lower() == last_part(ours)
