"""How a service of a cloud for machine learning may be reached, in the same words for each."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact


@dataclass(frozen=True, slots=True)
class ServiceAccessFacts(FactDocument):
    """Derived facts of the ways into a service."""

    KIND: ClassVar[str] = "service_access"

    open_to_internet: Fact[bool] = fact("Any network may reach it; no rule narrows who.", "derived")
    keys_accepted: Fact[bool] = fact(
        "Keys that everybody may use who has them open it, beside the identities of the directory; "
        "absent where it has none.",
        "derived",
    )
