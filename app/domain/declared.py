"""What people declare, rather than what a source answers: words, and the form of a declaration."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, get_args, get_origin, get_type_hints

from app.domain.fact_sums import mapped
from app.domain.facts import ABSENT, Fact, FactSet, Present, Unreadable
from app.domain.jobs import NOT_DECLARED, JobFacts
from app.domain.regions import region_id

# Stands where other resources have a cloud and a collector. Nothing of it is swept, and what is
# declared stays declared: it does not grow stale by silence, as figures of a source do.
DECLARED = "declared"


@dataclass(frozen=True, slots=True)
class JobDeclaration:
    """A job in its owner's words. `said` holds facts by name, None for "there is none"."""

    namespace: str
    name: str
    tags: Mapping[str, str]
    said: Mapping[str, Any]

    @property
    def native_id(self) -> str:
        """Its name among all jobs."""
        return f"{self.namespace}/{self.name}"


def is_declared(origin: str) -> bool:
    """Whether this is the source of what people declare."""
    return origin == DECLARED


def job_facts(said: Mapping[str, Any]) -> JobFacts:
    """The facts of a job: what was not said is NotDeclared, what was said to be none absent.

    Values are of the facts' types or JSON of them; ValueError for what is neither.
    """
    types = get_type_hints(JobFacts)
    facts = {one.name: _fact(said, one.name, _inside(types[one.name])) for one in fields(JobFacts)}
    provider, region = facts["provider"], facts["region"]
    if isinstance(provider, Present):
        facts["region"] = mapped(region, lambda code: region_id(provider.value, code))
    return JobFacts(**facts)


def said_of(facts: FactSet) -> dict[str, Any]:
    """What was said of a stored job: the inverse of `job_facts`."""
    names = {one.name for one in fields(JobFacts)}
    said = {name: value for name, value in facts.present.items() if name in names}
    return said | dict.fromkeys(names & facts.absent)


def _fact(said: Mapping[str, Any], name: str, kind: Any) -> Fact[Any]:  # noqa: ANN401
    if name not in said:
        return Unreadable(NOT_DECLARED)
    value = said[name]
    return ABSENT if value is None else Present(_typed(kind, value))


def _inside(annotation: Any) -> Any:  # noqa: ANN401 - annotations have no common type
    """`T` of `Fact[T]`."""
    return next(get_args(part)[0] for part in get_args(annotation) if get_origin(part) is Present)


def _typed(kind: Any, value: Any) -> Any:  # noqa: ANN401 - facts are of many types
    if kind is datetime:
        return value if isinstance(value, datetime) else datetime.fromisoformat(value)
    if get_origin(kind) is tuple:
        return tuple(value)
    is_word = isinstance(kind, type) and issubclass(kind, StrEnum)
    return kind(value) if is_word else value
