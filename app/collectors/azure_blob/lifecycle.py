"""Rules of a management policy as lifecycle rules.

Azure Storage, "lifecycle management policies": `enabled` defaults to true; blob types are
required; prefixes begin with the container's name; versions and snapshots age from their making.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from app.collectors.azure_words import Json, switch, texts
from app.domain.quantities import age_days
from app.domain.storage import AgeBasis, LifecycleAction, LifecycleRule, RuleEffect, RuleSubject

_SUBJECTS = {
    "baseBlob": RuleSubject.CURRENT,
    "version": RuleSubject.NONCURRENT,
    "snapshot": RuleSubject.SNAPSHOT,
}
_TIER_TO = "tierTo"
_BASES = {
    "daysAfterModificationGreaterThan": AgeBasis.MODIFICATION,
    "daysAfterLastAccessTimeGreaterThan": AgeBasis.LAST_ACCESS,
    "daysAfterCreationGreaterThan": AgeBasis.CREATION,
    "daysAfterLastTierChangeGreaterThan": AgeBasis.LAST_TIER_CHANGE,
}
_FILTERS = frozenset({"blobTypes", "prefixMatch", "blobIndexMatch"})
_EQUALS = "=="


def lifecycle_rules(policy: Json) -> tuple[LifecycleRule, ...]:
    """All rules of `properties.policy`, disabled ones too.

    ValueError for a filter or condition that we do not know: it narrows a rule in a way we cannot
    judge.
    """
    return tuple(_rule(rule) for rule in policy["rules"])


def _rule(rule: Json) -> LifecycleRule:
    definition: Json = rule["definition"]
    filters: Json = definition.get("filters") or {}
    if unknown := filters.keys() - _FILTERS:
        raise ValueError(f"unknown filters {sorted(unknown)}")
    return LifecycleRule(
        name=str(rule["name"]),
        enabled=switch(rule, "enabled") is not False,
        prefixes=texts(filters, "prefixMatch"),
        tags=_tags(filters.get("blobIndexMatch") or ()),
        minimum_size_bytes=None,
        maximum_size_bytes=None,
        blob_types=texts(filters, "blobTypes"),
        actions=tuple(_actions(definition.get("actions") or {})),
    )


def _tags(matches: Any) -> dict[str, str]:  # noqa: ANN401 - JSON
    """Tag filters; another operator than equality is kept with its sign, so that it narrows."""
    found = {}
    for match in matches:
        sign = str(match.get("op", _EQUALS))
        value = str(match.get("value", ""))
        found[str(match["name"])] = value if sign == _EQUALS else f"{sign} {value}"
    return found


def _actions(actions: Json) -> Iterator[LifecycleAction]:
    for subject_name, subject in _SUBJECTS.items():
        for name, condition in (actions.get(subject_name) or {}).items():
            if not isinstance(condition, Mapping):
                continue  # enableAutoTierToHotFromCool and the like: a switch, not an action
            basis, days = _age(condition)
            yield LifecycleAction(_effect(name), subject, basis, days, _tier(name))


def _effect(name: str) -> RuleEffect:
    if name == "delete":
        return RuleEffect.DELETE
    return RuleEffect.TRANSITION if name.startswith(_TIER_TO) else RuleEffect.OTHER


def _tier(name: str) -> str | None:
    """Cool of tierToCool; a tier that came after us keeps its name and is judged as unknown."""
    return name.removeprefix(_TIER_TO) if name.startswith(_TIER_TO) else None


def _age(condition: Json) -> tuple[AgeBasis, float | None]:
    """The one age of an action; days since the last tier change only guard another age."""
    ages = {word: value for word, value in condition.items() if value is not None}
    if unknown := ages.keys() - _BASES.keys():
        raise ValueError(f"unknown conditions {sorted(unknown)}")
    found = [(_BASES[word], age_days(value)) for word, value in ages.items()]
    first = [age for age in found if age[0] is not AgeBasis.LAST_TIER_CHANGE] or found
    if len(first) > 1:
        raise ValueError("one action counts two ages")
    return first[0] if first else (AgeBasis.MODIFICATION, None)
