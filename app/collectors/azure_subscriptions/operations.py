"""Every call that this collector makes: its right and what it feeds."""

from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS as LIST
from app.domain.collecting import Operation

SUBSCRIPTIONS = LIST.name
LOCATIONS = "subscriptions:locations/read"
PROVIDERS = "providers:providers/read"

OPERATIONS = (
    Operation(LIST.name, LIST.permission, ("account_state", "tenant_id", "quota_id"), LIST.why),
    Operation(
        LOCATIONS,
        "Microsoft.Resources/subscriptions/locations/read",
        ("enabled_regions", "locations"),
        "Where a region's pair is, and which building a zone of the subscription stands for.",
    ),
    Operation(
        PROVIDERS,
        "Microsoft.Resources/subscriptions/providers/read",
        ("registered_providers", "unregistered_providers"),
        "Tells a service that is not in use from one that cannot be read.",
    ),
    Operation(
        GRAPH,
        "Microsoft.Resources/subscriptions/read",
        ("management_groups",),
        "Reads the management groups above all subscriptions in one call.",
    ),
)
