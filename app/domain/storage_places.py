"""All regions where bytes of a store rest: a copy is a place, readable or not, ours or not.

A disabled replication rule counts too: what it copied before still lies there.
"""

from collections.abc import Iterable, Sequence

from app.domain.collecting import Provider
from app.domain.compliance import Verdict
from app.domain.facts import Absent, Fact, Present, Unreadable
from app.domain.object_store import RestPlace
from app.domain.regions import region
from app.domain.storage import ReplicationRule
from app.domain.storage_copies import UNKNOWN_ACCOUNT

PRIMARY, GEO_PAIR, REPLICA = "primary", "geo_pair", "replica"
UNKNOWN_REGION, NOT_REPORTED = "UnknownRegion", "NotReported"


def rest_places(
    provider: Provider,
    primary: Fact[str],
    geo_pair: tuple[RestPlace, ...],
    replication: Fact[tuple[ReplicationRule, ...]],
) -> Fact[tuple[RestPlace, ...]]:
    """Primary, geo-redundant and replicated places of a store.

    What could not be read stands in the list as a place without a region, so that a known breach
    elsewhere is still seen. Unreadable only when nothing at all is known.
    """
    paired = any(pair.region_id for pair in geo_pair)
    if isinstance(primary, Unreadable) and isinstance(replication, Unreadable) and not paired:
        return primary
    return Present(
        (
            place(provider, PRIMARY, primary),
            *geo_pair,
            *_replicas(provider, replication),
        )
    )


def place(provider: Provider, role: str, code: Fact[str], *, readable: bool = True) -> RestPlace:
    """One copy of the whole store in a region as reported; unknown regions have no country."""
    found = region(provider.value, code.value) if isinstance(code, Present) else None
    return RestPlace(
        role=role,
        region_id=found.id if found else None,
        jurisdiction=found.jurisdiction if found else None,
        zone=found.zone if found else None,
        readable=readable,
        store="",
        account_id=None,
        prefix="",
        code="" if found else _code(code),
    )


def _code(fact: Fact[str]) -> str:
    if isinstance(fact, Unreadable):
        return fact.code
    return NOT_REPORTED if isinstance(fact, Absent) else f"{UNKNOWN_REGION} {fact.value}"


def _replicas(
    provider: Provider, replication: Fact[tuple[ReplicationRule, ...]]
) -> tuple[RestPlace, ...]:
    if isinstance(replication, Unreadable):
        return (place(provider, REPLICA, replication, readable=False),)
    if isinstance(replication, Absent):
        return ()
    return tuple(dict.fromkeys(_replica(provider, rule) for rule in replication.value))


def _replica(provider: Provider, rule: ReplicationRule) -> RestPlace:
    reported: Fact[str] = (
        Present(rule.destination_region_id)
        if rule.destination_region_id
        else Unreadable(rule.destination_code or NOT_REPORTED)
    )
    at = place(provider, REPLICA, reported)
    return RestPlace(
        role=REPLICA,
        region_id=at.region_id,
        jurisdiction=at.jurisdiction,
        zone=at.zone,
        readable=not rule.destination_code,
        store=rule.destination,
        account_id=rule.destination_account_id,
        prefix=rule.prefix,
        code=at.code,
    )


def places_for(places: Iterable[RestPlace], prefix: str) -> tuple[RestPlace, ...]:
    """The places where any object under `prefix` may lie.

    A rule for `logs/` is no place of `pii/`; one for `pii/eu/` is: it copies a part of it.
    """
    return tuple(
        at for at in places if prefix.startswith(at.prefix) or at.prefix.startswith(prefix)
    )


def region_ids(places: Iterable[RestPlace]) -> tuple[str | None, ...]:
    """Each region once in order of appearance; None at the end when one is not known."""
    found = list(dict.fromkeys(at.region_id for at in places))
    return tuple(sorted(found, key=lambda code: code is None))


def external_accounts(places: Iterable[RestPlace], own_account_id: str) -> tuple[str, ...]:
    """Accounts other than our own that hold copies, each once, as far as they are known."""
    named = dict.fromkeys(at.account_id for at in places if at.account_id)
    return tuple(account for account in named if account not in {own_account_id, UNKNOWN_ACCOUNT})


def regions_allowed(places: Sequence[RestPlace], allowed: Iterable[str]) -> bool | None:
    """Whether all copies lie in allowed regions; None when that is not known for one of them.

    A known breach decides, however much else is unknown.
    """
    wanted = {"".join(code.lower().split()) for code in allowed}
    if any(at.region_id is not None and at.region_id not in wanted for at in places):
        return False
    return None if any(at.region_id is None for at in places) else True


def regions_verdict(places: Fact[tuple[RestPlace, ...]], allowed: Iterable[str]) -> Verdict:
    """`regions_allowed` as a verdict; places that could not be read at all are unknown."""
    found = regions_allowed(places.value, allowed) if isinstance(places, Present) else None
    if found is None:
        return Verdict.UNKNOWN
    return Verdict.COMPLIANT if found else Verdict.NON_COMPLIANT
