"""What follows from the models that an account serves, and the ways into it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from app.domain.azure_ai import AiAccountFacts, ModelDeployment
from app.domain.cluster_groups import named
from app.domain.fact_sums import mapped, reported, value_or
from app.domain.facts import Fact, FactDocument, Present, fact
from app.domain.service_access import ServiceAccessFacts

# Azure OpenAI: when a deployment takes another version of its model by itself.
_ON_NEW_DEFAULT = "OnceNewDefaultVersionAvailable"


@dataclass(frozen=True, slots=True)
class ModelServingFacts(FactDocument):
    """Derived facts of models that are served."""

    KIND: ClassVar[str] = "model_serving"

    models: Fact[tuple[str, ...]] = fact("Models that it serves, each once.", "derived")
    global_deployments: Fact[tuple[str, ...]] = fact(
        "Deployments that may be computed in any region of the world.", "derived"
    )
    data_zone_deployments: Fact[tuple[str, ...]] = fact(
        "Deployments that may be computed in any region of a data zone, such as that of the EU.",
        "derived",
    )
    unpinned_deployments: Fact[tuple[str, ...]] = fact(
        "Deployments whose model changes by itself as soon as there is a newer version.", "derived"
    )


def model_serving(found: AiAccountFacts) -> ModelServingFacts:
    """The derived facts of one account (Azure OpenAI: deployment types, model versions)."""
    served = value_or(found.deployments, ())
    return ModelServingFacts(
        models=mapped(served, lambda each: tuple(sorted({one.model or "" for one in each} - {""}))),
        global_deployments=_named(served, lambda one: _has_sku(one, "Global")),
        data_zone_deployments=_named(served, lambda one: _has_sku(one, "DataZone")),
        unpinned_deployments=_named(served, _is_unpinned),
    )


def _named(
    served: Fact[tuple[ModelDeployment, ...]], holds: Callable[[ModelDeployment], bool | None]
) -> Fact[tuple[str, ...]]:
    return named(served.value, holds) if isinstance(served, Present) else reported(served)


def _has_sku(one: ModelDeployment, start: str) -> bool | None:
    return None if one.sku_name is None else one.sku_name.startswith(start)


def _is_unpinned(one: ModelDeployment) -> bool | None:
    return None if one.upgrade_option is None else one.upgrade_option == _ON_NEW_DEFAULT


def ai_access(found: AiAccountFacts) -> ServiceAccessFacts:
    """The ways into an account."""
    public = mapped(reported(found.public_network_access), lambda word: word != "Disabled")
    closed = found.network_default_action == Present("Deny")
    return ServiceAccessFacts(
        open_to_internet=Present(value=False) if closed else public,
        keys_accepted=mapped(value_or(found.local_auth_disabled, default=False), _not),
    )


def _not(value: bool) -> bool:  # noqa: FBT001 - the negation itself
    return not value
