"""Azure's words about AI accounts into ours: pure functions over its JSON.

A value of None states an absence. Shapes: Cognitive Services management REST API 2025-09-01.
"""

from typing import Any

from app.collectors.azure_words import Json, section, switch
from app.domain.azure_ai import KINDS, ModelDeployment
from app.domain.quantities import machine_count


def is_ours(row: Json) -> bool:
    """Whether an account serves models; one whose kind is not told may."""
    kind = row.get("kind")
    return not isinstance(kind, str) or kind.lower() in KINDS


def account(row: Json) -> dict[str, Any]:
    """The facts of an account's own document."""
    properties = section(row, "properties")
    return {
        "account_status": properties.get("provisioningState"),
        "account_kind": row["kind"],
        "sku_name": section(row, "sku").get("name"),
        "endpoint": properties.get("endpoint"),
        "custom_domain": properties.get("customSubDomainName"),
        "public_network_access": properties.get("publicNetworkAccess"),
        "network_default_action": section(properties, "networkAcls").get("defaultAction"),
        "private_endpoint_count": len(list(properties.get("privateEndpointConnections") or ())),
        "local_auth_disabled": switch(properties, "disableLocalAuth"),
        "outbound_restricted": switch(properties, "restrictOutboundNetworkAccess"),
        "encryption_key_source": section(properties, "encryption").get("keySource"),
    }


def deployments(answer: Json) -> dict[str, Any]:
    """The facts of a whole list of deployments."""
    return {"deployments": tuple(_deployment(row) for row in answer["value"]) or None}


def _deployment(row: Json) -> ModelDeployment:
    properties, sku = section(row, "properties"), section(row, "sku")
    model = section(properties, "model")
    return ModelDeployment(
        name=row["name"],
        model=model.get("name"),
        model_format=model.get("format"),
        model_version=model.get("version"),
        sku_name=sku.get("name"),
        capacity=machine_count(sku.get("capacity")),
        status=properties.get("provisioningState"),
        upgrade_option=properties.get("versionUpgradeOption"),
        content_filter=properties.get("raiPolicyName"),
    )


def project_names(answer: Json) -> dict[str, Any]:
    """The facts of a whole list of projects, whose names come as account/project."""
    names = (str(row["name"]).rpartition("/")[2] for row in answer["value"])
    return {"project_names": tuple(names) or None}
