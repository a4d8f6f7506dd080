"""NetApp accounts, pools and volumes of the story in ARM's shape."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Json
from app.sandbox.azure.refusal import Refusal
from app.sandbox.story import RESEARCH, WEU, Dataset, Subscription, mixed

_TYPE = "Microsoft.NetApp/netAppAccounts"
_TIB = 2**40


@dataclass(frozen=True, slots=True)
class Volume:
    """One volume; `case` says what is special.

    `cool_days` None: no cool access was ever set. `copies` are ids and regions of its copies,
    `copy_of` those of what it is a copy of; `status` is what is told of that.
    """

    name: str
    case: str
    tib: float
    dataset: Dataset
    protocols: tuple[str, ...] = ("NFSv4.1",)
    cool_days: int | None = None
    own_key: bool = False
    snapshots: bool = True
    backups: bool | None = None
    copies: tuple[tuple[str, str], ...] = ()
    copy_of: tuple[str, str] | None = None
    status: Json | Refusal | None = None

    @property
    def others(self) -> tuple[tuple[str, str], ...]:
        """The volumes at the other ends of its replications."""
        return (self.copy_of,) if self.copy_of else self.copies


@dataclass(frozen=True, slots=True)
class Pool:
    """One capacity pool of an account; `case` says what is special."""

    name: str
    case: str
    tib: int
    account: str
    region: str = WEU
    level: str = "Premium"
    qos: str = "Auto"
    cool: bool = False
    subscription: Subscription = RESEARCH
    volumes: tuple[Volume, ...] = ()

    @property
    def account_id(self) -> str:
        """The id of its account."""
        return _account_id(self.subscription, self.region, self.account)

    @property
    def resource_id(self) -> str:
        """The id as Azure Resource Manager spells it."""
        return f"{self.account_id}/capacityPools/{self.name}"


def _account_id(subscription: Subscription, region: str, account: str) -> str:
    return (
        f"/subscriptions/{subscription.subscription_id}/resourceGroups/rg-netapp-{region}"
        f"/providers/{_TYPE}/{account}"
    )


def volume_id(subscription: Subscription, region: str, account: str, pool: str, volume: str) -> str:
    """The id of a volume, which need not be in the story."""
    return f"{_account_id(subscription, region, account)}/capacityPools/{pool}/volumes/{volume}"


def chapter(pools: Sequence[Pool]) -> Chapter:
    """The part of the story that these pools, their accounts and volumes are."""
    accounts = {pool.account_id: _account(pool) for pool in pools}
    volumes = [
        (f"{pool.resource_id}/volumes/{v.name}", pool, v) for pool in pools for v in pool.volumes
    ]
    return Chapter(
        resources=[
            *accounts.values(),
            *map(_pool, pools),
            *(_volume(path, pool, one) for path, pool, one in volumes),
        ],
        lists={
            **{
                f"{account}/capacityPools": [_pool(p) for p in pools if p.account_id == account]
                for account in accounts
            },
            **{
                f"{pool.resource_id}/volumes": [
                    _volume(path, pool, one) for path, its_pool, one in volumes if its_pool is pool
                ]
                for pool in pools
            },
        },
        documents={
            f"{path}/replicationStatus": one.status for path, _, one in volumes if one.status
        },
        posts={
            f"{path}/listReplications": _replications(one) for path, _, one in volumes if one.others
        },
        cases=[
            *((pool.name, pool.region, pool.case) for pool in pools),
            *((one.name, pool.region, one.case) for _, pool, one in volumes),
        ],
    )


def _row(resource_id: str, kind: str, pool: Pool, properties: Json, tags: Json) -> Json:
    return {
        "id": resource_id,
        "name": "/".join(resource_id.split("/")[8::2]),
        "type": _TYPE + kind,
        "location": pool.region,
        "tags": tags,
        "properties": properties,
    }


def _account(pool: Pool) -> Json:
    return _row(pool.account_id, "", pool, {"provisioningState": "Succeeded"}, {})


def _pool(pool: Pool) -> Json:
    properties = {
        "poolId": f"{mixed(pool.name):08x}-4638-11e7-9bdb-020073ca7778",
        "size": pool.tib * _TIB,
        "serviceLevel": pool.level,
        "provisioningState": "Succeeded",
        "qosType": pool.qos,
        "totalThroughputMibps": 64.0 * pool.tib,
        "coolAccess": pool.cool,
        "encryptionType": "Single",
    }
    return _row(pool.resource_id, "/capacityPools", pool, properties, {"owner": "platform"})


def _volume(path: str, pool: Pool, one: Volume) -> Json:
    properties = _properties(pool, one)
    row = _row(path, "/capacityPools/volumes", pool, properties, {**one.dataset.tags()})
    return {**row, "zones": ["2"]}


def _properties(pool: Pool, one: Volume) -> Json:
    shown: Json = {
        "fileSystemId": f"{mixed(one.name):08x}-4638-11e7-9bdb-020073ca7778",
        "creationToken": one.name,
        "usageThreshold": int(one.tib * _TIB),
        "serviceLevel": pool.level,
        "provisioningState": "Succeeded",
        "protocolTypes": list(one.protocols),
        "throughputMibps": 64.0 * one.tib,
        "subnetId": f"/subscriptions/{pool.subscription.subscription_id}/resourceGroups/rg-net/"
        "providers/Microsoft.Network/virtualNetworks/vnet-hpc/subnets/anf",
        "networkFeatures": "Standard",
        "encryptionKeySource": "Microsoft.KeyVault" if one.own_key else "Microsoft.NetApp",
        "dataProtection": _protection(pool, one),
    }
    if one.cool_days is not None:
        shown |= {"coolAccess": True, "coolnessPeriod": one.cool_days}
    if one.copy_of:
        shown["volumeType"] = "DataProtection"
    return shown


def _protection(pool: Pool, one: Volume) -> Json:
    shown: Json = {}
    if one.snapshots:
        shown["snapshot"] = {"snapshotPolicyId": f"{pool.account_id}/snapshotPolicies/daily"}
    if one.backups is not None:
        policy = f"{pool.account_id}/backupPolicies/weekly"
        shown["backup"] = {"backupPolicyId": policy, "policyEnforced": one.backups}
    for resource_id, region in one.others[:1]:
        shown["replication"] = {
            "endpointType": "dst" if one.copy_of else "src",
            "replicationSchedule": "hourly",
            "remoteVolumeResourceId": resource_id,
            "remoteVolumeRegion": region,
        }
    return shown


def _replications(one: Volume) -> Json:
    rows = [
        {
            "replicationSchedule": "hourly",
            "remoteVolumeResourceId": resource_id,
            "remoteVolumeRegion": region,
        }
        for resource_id, region in one.others
    ]
    return {"value": rows}
