"""Every call that the collector makes."""

from app.collectors import azure_metrics_batch
from app.collectors.azure_reading import GRAPH
from app.collectors.azure_scopes import SUBSCRIPTIONS
from app.domain.collecting import Operation

OPERATIONS = (
    SUBSCRIPTIONS,
    Operation(
        GRAPH,
        "Microsoft.ResourceGraph/resources/read",
        (),
        "Finds what is measured, in few calls.",
    ),
    *azure_metrics_batch.OPERATIONS,
)
