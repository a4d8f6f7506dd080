"""Handlers of Azure Resource Manager: subscriptions, locations and what a storage account has."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from app.sandbox.azure import documents
from app.sandbox.azure.estate import AzureEstate
from app.sandbox.azure.model import Account, Json
from app.sandbox.azure.places import locations
from app.sandbox.azure.refusal import Refusal, not_authorised, not_found
from app.sandbox.story import SUBSCRIPTIONS, TENANT_ID, Subscription
from app.sandbox.wire import Answer, Request, json_answer

ACCOUNTS_PAGE = 500
CONTAINERS_PAGE = 100  # the service may send fewer rows than asked for and a link to the rest
_MAX_CONTAINERS = 5000
_READS = {"x-ms-ratelimit-remaining-subscription-reads": "249"}
_TENANT_READS = {"x-ms-ratelimit-remaining-tenant-reads": "249"}
ACTIONS = {
    "arm.storageAccounts.get": "read",
    "arm.blobServices.get": "blobServices/read",
    "arm.managementPolicies.get": "managementPolicies/read",
    "arm.inventoryPolicies.get": "inventoryPolicies/read",
    "arm.inventoryPolicies.list": "inventoryPolicies/read",
    "arm.objectReplicationPolicies.get": "objectReplicationPolicies/read",
    "arm.objectReplicationPolicies.list": "objectReplicationPolicies/read",
    "arm.encryptionScopes.list": "encryptionScopes/read",
    "arm.containers.list": "blobServices/containers/read",
    "arm.immutabilityPolicies.get": "blobServices/containers/immutabilityPolicies/read",
}
_NEED_BLOBS = {
    "arm.blobServices.get": "Blob",
    "arm.containers.list": "Blob",
    "arm.encryptionScopes.list": "EncryptionScope",
    "arm.managementPolicies.get": "ManagementPolicy",
    "arm.inventoryPolicies.get": "BlobInventoryPolicy",
    "arm.inventoryPolicies.list": "BlobInventoryPolicy",
    "arm.objectReplicationPolicies.list": "ObjectReplicationPolicy",
}


class Arm:
    """Reads of the estate through Azure Resource Manager; every method answers one operation."""

    def __init__(self, estate: AzureEstate) -> None:
        self._estate = estate

    def subscriptions(self) -> Answer:
        """`GET /subscriptions`."""
        value = [
            {
                "id": f"/subscriptions/{each.subscription_id}",
                "authorizationSource": "RoleBased",
                "managedByTenants": [],
                "subscriptionId": each.subscription_id,
                "tenantId": TENANT_ID,
                "displayName": each.display_name,
                "state": "Enabled",
                "subscriptionPolicies": {
                    "locationPlacementId": "Public_2014-09-01",
                    "quotaId": "EnterpriseAgreement_2014-09-01",
                    "spendingLimit": "Off",
                },
            }
            for each in SUBSCRIPTIONS
        ]
        count = {"type": "Total", "value": len(value)}
        return json_answer({"value": value, "count": count}, headers=_TENANT_READS)

    def locations(self, subscription: str) -> Answer:
        """`GET /subscriptions/{id}/locations`."""
        known = _known(subscription).subscription_id
        return json_answer({"value": locations(known)}, headers=_READS)

    def accounts(self, request: Request, subscription: str) -> Answer:
        """`GET .../Microsoft.Storage/storageAccounts` of one subscription, in pages."""
        places = self._estate.places_of(_known(subscription))
        start = _start(request)
        shown = [self._estate.at(place) for place in places[start : start + ACCOUNTS_PAGE]]
        page: Json = {"value": [self._estate.document(account) for account in shown]}
        if start + ACCOUNTS_PAGE < len(places):
            page["nextLink"] = _next_link(request, str(start + ACCOUNTS_PAGE), None)
        return json_answer(page, headers=_READS)

    def find(self, operation: str, names: Mapping[str, str]) -> Account:
        """The account that a path names; Refusal when absent, denied or of another kind."""
        subscription = _known(names["subscription"])
        account = self._estate.named(names["account"])
        if (
            account is None
            or account.subscription != subscription
            or account.resource_group.lower() != names["group"].lower()
        ):
            raise not_found(names["account"], names["group"])
        if operation in account.denied:
            action = f"Microsoft.Storage/storageAccounts/{ACTIONS[operation]}"
            raise not_authorised(action, account.resource_id)
        if operation in _NEED_BLOBS and not account.has_blobs:
            message = f"{_NEED_BLOBS[operation]} is not supported for the account."
            raise Refusal(400, "FeatureNotSupportedForAccount", message)
        return account

    def account(self, request: Request, account: Account) -> Answer:
        """`GET .../storageAccounts/{a}`, with `$expand=geoReplicationStats` when asked."""
        expand = request.parameter("$expand") or ""
        geo = "georeplicationstats" in expand.lower()
        return json_answer(self._estate.document(account, with_geo=geo), headers=_READS)


def _known(subscription: str) -> Subscription:
    """The subscription of that id; Refusal (404) for a foreign one."""
    found = next((s for s in SUBSCRIPTIONS if s.subscription_id == subscription.lower()), None)
    if found is None:
        message = f"The subscription '{subscription}' could not be found."
        raise Refusal(404, "SubscriptionNotFound", message)
    return found


def blob_service(account: Account) -> Answer:
    """`GET .../blobServices/default`."""
    return json_answer(documents.blob_service(account), headers=_READS)


def management_policy(account: Account) -> Answer:
    """`GET .../managementPolicies/default`; Refusal (404) when there is none."""
    if account.rules is None:
        message = f"No ManagementPolicy found for account {account.name}"
        raise Refusal(404, "ManagementPolicyNotFound", message)
    return json_answer(documents.management_policy(account), headers=_READS)


def inventory_policy(account: Account) -> Answer:
    """`GET .../inventoryPolicies/default`; Refusal (404) when there is none."""
    if account.inventory is None:
        message = f"No BlobInventoryPolicy found for account {account.name}"
        raise Refusal(404, "BlobInventoryPolicyNotFound", message)
    return json_answer(documents.inventory_policy(account), headers=_READS)


def inventory_policies(account: Account) -> Answer:
    """`GET .../inventoryPolicies`."""
    rows = [] if account.inventory is None else [documents.inventory_policy(account)]
    return json_answer({"value": rows}, headers=_READS)


def object_replications(account: Account) -> Answer:
    """`GET .../objectReplicationPolicies`."""
    rows = [documents.object_replication(account, policy) for policy in account.replications]
    return json_answer({"value": rows}, headers=_READS)


def object_replication(account: Account, policy_id: str) -> Answer:
    """`GET .../objectReplicationPolicies/{id}`; Refusal (404) when there is none."""
    for policy in account.replications:
        if policy.policy_id == policy_id:
            return json_answer(documents.object_replication(account, policy), headers=_READS)
    message = f"No ObjectReplicationPolicy found for account {account.name}"
    raise Refusal(404, "ObjectReplicationPolicyNotFound", message)


def containers(request: Request, account: Account) -> Answer:
    """`GET .../blobServices/default/containers`, in pages."""
    asked = request.parameter("$maxpagesize") or str(_MAX_CONTAINERS)
    if not asked.isdigit() or not 0 < int(asked) <= _MAX_CONTAINERS:
        message = f"$maxpagesize must lie between 1 and {_MAX_CONTAINERS}."
        raise Refusal(400, "OutOfRangeQueryParameterValue", message)
    size = min(int(asked), CONTAINERS_PAGE)
    ordered = sorted(account.containers, key=lambda item: item.name)
    start = _start_after(request, [item.name for item in ordered], account)
    shown = ordered[start : start + size]
    page: Json = {"value": [documents.container(account, item) for item in shown]}
    if start + size < len(ordered):
        token = f"/{account.name}/{ordered[start + size].name}"
        page["nextLink"] = _next_link(request, token, asked)
    return json_answer(page, headers=_READS)


def _start_after(request: Request, names: Sequence[str], account: Account) -> int:
    """Where a page begins: its token names the first container of the page."""
    token = request.parameter("$skipToken")
    if not token:
        return 0
    name = token.removeprefix(f"/{account.name}/")
    if name not in names:
        raise Refusal(400, "InvalidQueryParameterValue", "The skip token is not one of ours.")
    return names.index(name)


def encryption_scopes(account: Account) -> Answer:
    """`GET .../encryptionScopes`."""
    rows = [
        documents.encryption_scope(account, name, enabled=enabled)
        for name, enabled in account.scopes.items()
    ]
    return json_answer({"value": rows}, headers=_READS)


def immutability_policy(account: Account, container: str) -> Answer:
    """`GET .../containers/{c}/immutabilityPolicies/default`; Refusal (404) when there is none."""
    for item in account.containers:
        if item.name == container and item.retention_days is not None:
            return json_answer(documents.immutability_policy(account, item), headers=_READS)
    message = f"No ImmutabilityPolicy found for container {container}"
    raise Refusal(404, "ImmutabilityPolicyNotFound", message)


def _start(request: Request) -> int:
    token = request.parameter("$skipToken") or "0"
    if not token.isdigit():
        raise Refusal(400, "InvalidSkipToken", "The skip token is not one of ours.")
    return int(token)


def _next_link(request: Request, token: str, page_size: str | None) -> str:
    """An absolute link that carries the api-version and the token of the next page."""
    version = request.parameter("api-version") or ""
    size = f"&$maxpagesize={page_size}" if page_size else ""
    return (
        f"{request.base}{request.raw_path}?api-version={version}{size}"
        f"&$skipToken={quote(token, safe='/')}"
    )
