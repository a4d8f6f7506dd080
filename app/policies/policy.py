"""A policy as parsed and checked: what it demands, of what, why, and how to mend a breach."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from app.domain.compliance import Pillar, PolicyMode, Severity, Verdict
from app.kit.errors import InvalidInputError
from app.policies.language import Expression, Program
from app.policies.language.errors import did_you_mean
from app.policies.yaml_source import Place

ParamValue = bool | int | float | str | list[str]

_PYTHON: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "string": (str,),
}
LIST_OF_STRINGS = "list of string"
PARAM_TYPES = (*_PYTHON, LIST_OF_STRINGS)
MAX_ITEMS = 200
MAX_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Param:
    """A value that users may set: its type, default, meaning and bounds (both inclusive)."""

    name: str
    type: str
    default: ParamValue
    doc: str
    minimum: float | None = None
    maximum: float | None = None

    def fault(self, value: object) -> str:
        """What is wrong with a value for this param; '' when nothing is."""
        if not self._fits(value):
            return f"{self.name} takes {_article(self.type)}, not {value!r}"
        if isinstance(value, str | list):
            return self._length_fault(value)
        return self._bounds_fault(value)  # type: ignore[arg-type]

    def _bounds_fault(self, value: float) -> str:
        if self.minimum is not None and value < self.minimum:
            return f"{self.name} must be at least {self.minimum}, not {value}"
        if self.maximum is not None and value > self.maximum:
            return f"{self.name} must be at most {self.maximum}, not {value}"
        return ""

    def _fits(self, value: object) -> bool:
        if self.type == LIST_OF_STRINGS:
            return isinstance(value, list) and all(isinstance(item, str) for item in value)
        if isinstance(value, bool) or self.type == "bool":
            return isinstance(value, bool) and self.type == "bool"
        finite = not isinstance(value, float) or isfinite(value)
        return isinstance(value, _PYTHON[self.type]) and finite

    def _length_fault(self, value: str | list[str]) -> str:
        texts = [value] if isinstance(value, str) else value
        if len(texts) > MAX_ITEMS or any(len(text) > MAX_CHARACTERS for text in texts):
            return f"{self.name} is too long: at most {MAX_ITEMS} texts of {MAX_CHARACTERS}"
        return ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A text for those resources that its kind and condition meet; the first that fits is shown.

    `when` by resource kind; empty: always. `cli` are commands of the remedy, '' for none.
    """

    text: str
    kind: str
    when: Mapping[str, Expression] = field(repr=False)
    cli: str = ""


@dataclass(frozen=True, slots=True)
class PolicyTest:
    """One case that the policy itself brings: facts and the verdict they must give."""

    name: str
    place: Place
    kind: str
    resource: Mapping[str, Any]
    present: Mapping[str, Any]
    absent: frozenset[str]
    unreadable: Mapping[str, str]
    params: Mapping[str, ParamValue]
    expect: Verdict
    message: str
    remedy_has: str
    remedy_lacks: str


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """One policy; `version` is the start of the sha256 of its source text.

    `title` says what is demanded, `breach` what a finding of it is called.
    """

    id: str
    version: str
    title: str
    breach: str
    why: str
    source: str
    severity: Severity
    pillar: Pillar
    area: str
    mode: PolicyMode
    applies_to: tuple[str, ...]
    params: Mapping[str, Param]
    when: str
    assertion: str
    messages: tuple[Choice, ...]
    remedies: tuple[Choice, ...]
    tests: tuple[PolicyTest, ...]
    text: str = field(repr=False)
    programs: Mapping[str, Program] = field(repr=False)

    @property
    def message(self) -> str:
        """The message that fits when no more special one does."""
        return self.messages[-1].text

    @property
    def remedy(self) -> str:
        """All remedies one below the other, for pages about the policy rather than a breach."""
        return "\n\n".join(
            "\n".join(part for part in (choice.text, choice.cli) if part)
            for choice in self.remedies
        )

    def defaults(self) -> dict[str, ParamValue]:
        """The params as declared."""
        return {name: param.default for name, param in self.params.items()}


def complete_params(policy: Policy, given: Mapping[str, Any]) -> dict[str, ParamValue]:
    """Given params over the defaults; InvalidInputError lists every unknown or bad one."""
    faults = []
    for name, value in given.items():
        param = policy.params.get(name)
        if param is None:
            faults.append((name, f"no such param{did_you_mean(name, policy.params)}"))
        elif param.fault(value):
            faults.append((name, param.fault(value)))
    if faults:
        raise InvalidInputError(
            "; ".join(what for _, what in faults),
            mend=f"the params of {policy.id} are {', '.join(policy.params) or 'none'}",
            errors=tuple({"where": f"params.{name}", "what": what} for name, what in faults),
        )
    return policy.defaults() | dict(given)


def _article(words: str) -> str:
    return f"an {words}" if words[0] in "aeiou" else f"a {words}"
