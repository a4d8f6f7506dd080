"""Azure AI services and Foundry as Azure reports them: accounts, model deployments, projects."""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

# The kinds of account that serve models; others see, hear or translate.
KINDS = frozenset({"aiservices", "openai", "cognitiveservices"})
FOUNDRY = "AIServices"

_GRAPH = "resourcegraph:Resources"
_DEPLOYMENTS = "cognitive:accounts/deployments/read"
_PROJECTS = "cognitive:accounts/projects/read"


@dataclass(frozen=True, slots=True)
class ModelDeployment:
    """A model that an account serves. Attributes that Azure left out are None.

    `sku_name` says where it is computed: Standard and ProvisionedManaged in the account's region,
    DataZone... in its data zone, Global... anywhere. `capacity` is in thousands of tokens a minute,
    or in provisioned units. `upgrade_option` says when its version changes by itself.
    """

    name: str
    model: str | None
    model_format: str | None
    model_version: str | None
    sku_name: str | None
    capacity: int | None
    status: str | None
    upgrade_option: str | None
    content_filter: str | None


@dataclass(frozen=True, slots=True)
class AiAccountFacts(FactDocument):
    """An account of Azure AI services: a resource of Foundry, of Azure OpenAI, or of several."""

    KIND: ClassVar[str] = "ai_account"
    AREA: ClassVar[str] = "ai_platforms"

    account_status: Fact[str] = fact(
        "Provisioning state: Succeeded, Creating, Deleting, Failed and others.", _GRAPH
    )
    account_kind: Fact[str] = fact("AIServices (Foundry), OpenAI or CognitiveServices.", _GRAPH)
    sku_name: Fact[str] = fact("Its price tier, such as S0.", _GRAPH)
    endpoint: Fact[str] = fact("Where it is called.", _GRAPH)
    custom_domain: Fact[str] = fact(
        "Its own name in that address, which identities of the directory need.", _GRAPH
    )
    public_network_access: Fact[str] = fact("Enabled or Disabled.", _GRAPH)
    network_default_action: Fact[str] = fact(
        "Allow or Deny for networks that no rule names.", _GRAPH
    )
    private_endpoint_count: Fact[int] = fact("Private endpoints that lead to it.", _GRAPH)
    local_auth_disabled: Fact[bool] = fact("Its keys open nothing.", _GRAPH)
    outbound_restricted: Fact[bool] = fact("It may call only named hosts.", _GRAPH)
    encryption_key_source: Fact[str] = fact(
        "Microsoft.CognitiveServices (Microsoft's key) or Microsoft.KeyVault (your own).", _GRAPH
    )
    deployments: Fact[tuple[ModelDeployment, ...]] = fact(
        "Models that it serves; absent when it serves none.", _DEPLOYMENTS
    )
    project_names: Fact[tuple[str, ...]] = fact(
        "Projects of Foundry in it; absent without one.", _PROJECTS
    )
