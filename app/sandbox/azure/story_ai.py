"""The Azure AI accounts of the story, with the models that they serve and their projects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Json
from app.sandbox.azure.refusal import Refusal, not_authorised
from app.sandbox.story import (
    CLINICAL_NOTES,
    CT_THORAX,
    PLATFORM,
    RESEARCH,
    SWC,
    SYNTHETIC,
    WEU,
    Subscription,
    azure_time,
    created_at,
)

_TYPE = "Microsoft.CognitiveServices/accounts"
_FOUNDRY, _OPENAI, _VISION = "AIServices", "OpenAI", "ComputerVision"
_ON_NEW, _NEVER = "OnceNewDefaultVersionAvailable", "NoAutoUpgrade"


@dataclass(frozen=True, slots=True)
class Deployment:
    """One model that is served."""

    name: str
    model: str
    version: str
    sku: str
    capacity: int
    upgrade: str = _NEVER


@dataclass(frozen=True, slots=True)
class Account:
    """One account; `case` says in a line what is special about it.

    `hides_deployments`: its deployments may not be read by anybody.
    """

    name: str
    case: str
    subscription: Subscription
    region: str
    tags: Mapping[str, str]
    kind: str = _FOUNDRY
    deployments: Sequence[Deployment] = ()
    projects: Sequence[str] = ()
    hides_deployments: bool = False
    more: Json = field(default_factory=dict)

    @property
    def resource_id(self) -> str:
        """Its id as Resource Manager spells it."""
        group = f"/subscriptions/{self.subscription.subscription_id}/resourceGroups/rg-AI"
        return f"{group}/providers/{_TYPE}/{self.name}"

    def document(self) -> Json:
        """Its own document."""
        return {
            "id": self.resource_id,
            "name": self.name,
            "type": _TYPE,
            "kind": self.kind,
            "location": self.region,
            "tags": dict(self.tags),
            "sku": {"name": "S0"},
            "identity": {"type": "SystemAssigned"},
            "properties": {
                "provisioningState": "Succeeded",
                "endpoint": f"https://{self.name}.cognitiveservices.azure.com/",
                "customSubDomainName": self.name,
                "dateCreated": azure_time(created_at(self.name)),
                "allowProjectManagement": self.kind == _FOUNDRY,
                "publicNetworkAccess": "Disabled",
                "networkAcls": {"defaultAction": "Deny", "ipRules": [], "virtualNetworkRules": []},
                "privateEndpointConnections": [],
                "disableLocalAuth": True,
                "restrictOutboundNetworkAccess": False,
                "encryption": {"keySource": "Microsoft.CognitiveServices"},
                **self.more,
            },
        }


ACCOUNTS = (
    Account(
        "ai-cierzo-swc",
        "everything right: closed, no keys, models in its own region and of a fixed version",
        RESEARCH,
        SWC,
        tags=CLINICAL_NOTES.tags(),
        deployments=(
            Deployment("gpt-notes", "gpt-4.1", "2025-04-14", "ProvisionedManaged", 50),
            Deployment("embed", "text-embedding-3-large", "1", "Standard", 120),
            Deployment("gpt-zone", "gpt-4.1-mini", "2025-04-14", "Standard", 80),
        ),
        projects=("notes", "evaluation", "agents"),
    ),
    Account(
        "oai-thorax",
        "open to all networks, by keys; computed anywhere, though its data may not leave the EEA",
        PLATFORM,
        WEU,
        tags=CT_THORAX.tags(),
        kind=_OPENAI,
        deployments=(
            Deployment("report-writer", "gpt-4.1", "2025-04-14", "GlobalStandard", 200, _ON_NEW),
        ),
        more={
            "publicNetworkAccess": "Enabled",
            "networkAcls": {"defaultAction": "Allow"},
            "disableLocalAuth": False,
        },
    ),
    Account(
        "ai-synthetic",
        "which models it serves may not be read; by keys, from named networks",
        PLATFORM,
        SWC,
        tags=SYNTHETIC.tags(),
        hides_deployments=True,
        more={"publicNetworkAccess": "Enabled", "disableLocalAuth": None},
    ),
)
# Sees pictures and serves no model of ours, so that it is none of our business.
VISION = Account("cv-reading-rooms", "", PLATFORM, WEU, tags={}, kind=_VISION)


def _deployments(account: Account) -> list[Json] | Refusal:
    if account.hides_deployments:
        return not_authorised(f"{_TYPE}/deployments/read", account.resource_id)
    return [
        {
            "id": f"{account.resource_id}/deployments/{one.name}",
            "name": one.name,
            "type": f"{_TYPE}/deployments",
            "sku": {"name": one.sku, "capacity": one.capacity},
            "properties": {
                "model": {"format": "OpenAI", "name": one.model, "version": one.version},
                "versionUpgradeOption": one.upgrade,
                "currentCapacity": one.capacity,
                "raiPolicyName": "Microsoft.DefaultV2",
                "provisioningState": "Succeeded",
            },
        }
        for one in account.deployments
    ]


def _projects(account: Account) -> list[Json] | Refusal:
    if account.kind != _FOUNDRY:
        message = "Projects are not supported for the account."
        return Refusal(400, "FeatureNotSupportedForAccount", message)
    return [
        {
            "id": f"{account.resource_id}/projects/{name}",
            "name": f"{account.name}/{name}",
            "type": f"{_TYPE}/projects",
            "location": account.region,
            "properties": {"displayName": name, "isDefault": False},
        }
        for name in account.projects
    ]


CHAPTER = Chapter(
    resources=[one.document() for one in (*ACCOUNTS, VISION)],
    lists={
        **{f"{one.resource_id}/deployments": _deployments(one) for one in ACCOUNTS},
        **{f"{one.resource_id}/projects": _projects(one) for one in ACCOUNTS},
    },
    cases=[(one.name, one.region, one.case) for one in ACCOUNTS],
)
