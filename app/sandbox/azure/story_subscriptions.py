"""Which resource providers each subscription of the story has registered."""

from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Json
from app.sandbox.story import AMERICAS, PLATFORM, RESEARCH, Subscription

PROVIDERS = (
    "Microsoft.Batch",
    "Microsoft.CognitiveServices",
    "Microsoft.Compute",
    "Microsoft.ContainerService",
    "Microsoft.Insights",
    "Microsoft.MachineLearningServices",
    "Microsoft.Monitor",
    "Microsoft.NetApp",
    "Microsoft.Network",
    "Microsoft.Storage",
    "Microsoft.StorageCache",
    "Qumulo.Storage",
)
# The others never used it, so every question about it is refused there.
NOT_REGISTERED = {
    PLATFORM: frozenset({"Microsoft.StorageCache", "Qumulo.Storage"}),
    AMERICAS: frozenset({"Microsoft.Batch", "Microsoft.NetApp"}),
    RESEARCH: frozenset[str](),
}


def _provider(subscription: Subscription, namespace: str) -> Json:
    off = namespace in NOT_REGISTERED[subscription]
    return {
        "id": f"/subscriptions/{subscription.subscription_id}/providers/{namespace}",
        "namespace": namespace,
        "registrationPolicy": "RegistrationRequired",
        "registrationState": "NotRegistered" if off else "Registered",
        "resourceTypes": [],
    }


CHAPTER = Chapter(
    lists={
        f"/subscriptions/{each.subscription_id}/providers": [
            _provider(each, namespace) for namespace in PROVIDERS
        ]
        for each in NOT_REGISTERED
    }
)
