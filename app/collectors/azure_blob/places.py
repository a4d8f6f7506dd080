"""Where the other ends of object replication lie: in our own lists, or asked for once per sweep."""

from collections.abc import Mapping

from app.clouds.failures import CallFailedError
from app.collectors.azure_blob import mapping
from app.collectors.azure_blob.client import StorageClient
from app.collectors.azure_blob.listing import Known
from app.collectors.azure_blob.replication import Place
from app.collectors.azure_words import canonical_id, subscription_of
from app.domain.storage_accounts import NO_DESTINATION


class Places:
    """The other ends by what policies call them. `accounts` are all that were listed, by id."""

    def __init__(self, client: StorageClient, accounts: Mapping[str, Known]) -> None:
        self._client = client
        self._accounts = accounts
        self._by_name = {known.name: known for known in accounts.values()}
        self._asked: dict[str, Place] = {}

    def of(self, named: str) -> Place:
        """Where an account lies, as far as the identity sees it."""
        ours = self._ours(named)
        if ours is not None and ours.region_id:
            return Place(ours.region_id, account_id=ours.subscription)
        if "/" not in named:
            return Place(None, NO_DESTINATION)  # a bare name in a subscription that we do not see
        if named not in self._asked:
            self._asked[named] = self._ask(named)
        return self._asked[named]

    def owner(self, named: str) -> str | None:
        """The subscription of an account, without asking anybody; None when it is not known."""
        ours = self._ours(named)
        return ours.subscription if ours else subscription_of(named) or None

    def _ours(self, named: str) -> Known | None:
        return self._accounts.get(canonical_id(named)) or self._by_name.get(named.lower())

    def _ask(self, named: str) -> Place:
        owner = subscription_of(named) or None
        try:
            region = mapping.account(self._client.account(named))["primary_region"]
        except CallFailedError as error:
            return Place(None, error.code, owner)
        return Place(region, "" if region else NO_DESTINATION, owner)
