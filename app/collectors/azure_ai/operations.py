"""Every call that this collector makes: its right and what it feeds."""

from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation

DEPLOYMENTS = "cognitive:accounts/deployments/read"
PROJECTS = "cognitive:accounts/projects/read"

OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        "Microsoft.CognitiveServices/accounts/read",
        (
            "account_status", "account_kind", "sku_name", "endpoint", "custom_domain",
            "public_network_access", "network_default_action", "private_endpoint_count",
            "local_auth_disabled", "outbound_restricted", "encryption_key_source",
        ),
        "Finds the accounts of all subscriptions, with their settings.",
    ),
    Operation(
        DEPLOYMENTS,
        "Microsoft.CognitiveServices/accounts/deployments/read",
        ("deployments",),
        "Tells which models an account serves, in which version, and where they are computed.",
    ),
    Operation(
        PROJECTS,
        "Microsoft.CognitiveServices/accounts/projects/read",
        ("project_names",),
        "Names the projects of Foundry in an account.",
    ),
)  # fmt: skip
