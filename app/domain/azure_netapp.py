"""Azure NetApp Files as it reports itself: capacity pools, which are paid, and their volumes.

A pool is paid by its size, whatever of it volumes have been given (Azure NetApp Files
documentation: storage hierarchy).
"""

from dataclasses import dataclass
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact

_POOLS = "netapp:capacityPools/read"
_VOLUMES = "netapp:volumes/read"
_STATUS = "netapp:replicationStatus/read"


@dataclass(frozen=True, slots=True)
class NetappReplication:
    """Another volume that this one is replicated with; '' for what Azure does not tell.

    `region_id` as Azure spells it; `schedule`: _10minutely, hourly or daily.
    """

    volume_id: str
    region_id: str
    schedule: str


@dataclass(frozen=True, slots=True)
class AzureNetappPoolFacts(FactDocument):
    """A capacity pool of Azure NetApp Files."""

    KIND: ClassVar[str] = "azure_netapp_pool"
    AREA: ClassVar[str] = "file_systems"

    pool_region: Fact[str] = fact("Region of the pool.", _POOLS)
    size_bytes: Fact[int] = fact("Bytes that are provisioned, and paid.", _POOLS)
    pool_service_level: Fact[str] = fact(
        "Standard, Premium, Ultra, StandardZRS or Flexible.", _POOLS
    )
    qos_type: Fact[str] = fact(
        "Auto: throughput follows the quota of each volume; Manual: it is set for each.", _POOLS
    )
    pool_throughput_mib_per_second: Fact[float] = fact("Throughput of the whole pool.", _POOLS)
    pool_cool_access: Fact[bool] = fact("Its volumes may have a cool tier.", _POOLS)
    encryption_type: Fact[str] = fact("Single or Double encryption at rest.", _POOLS)
    pool_provisioning_state: Fact[str] = fact("Succeeded, Failed, Creating, Updating, …", _POOLS)
    allocated_bytes: Fact[int] = fact("Sum of the quotas of its volumes.", _VOLUMES)
    volume_count: Fact[int] = fact("How many volumes it has.", _VOLUMES)


@dataclass(frozen=True, slots=True)
class AzureNetappVolumeFacts(FactDocument):
    """A volume of Azure NetApp Files."""

    KIND: ClassVar[str] = "azure_netapp_volume"
    AREA: ClassVar[str] = "file_systems"

    volume_region: Fact[str] = fact("Region of the volume.", _VOLUMES)
    quota_bytes: Fact[int] = fact("Bytes that it may hold.", _VOLUMES)
    service_level: Fact[str] = fact("Service level of its pool.", _VOLUMES)
    protocol_types: Fact[tuple[str, ...]] = fact(
        "NFSv3, NFSv4.1, CIFS; absent for NFSv3, the default.", _VOLUMES
    )
    mount_path: Fact[str] = fact("Its path at the mount address.", _VOLUMES)
    provisioning_state: Fact[str] = fact("Succeeded, Failed, Creating, Updating, …", _VOLUMES)
    availability_zones: Fact[tuple[str, ...]] = fact(
        "Zone numbers of its subscription; absent when none was chosen.", _VOLUMES
    )
    subnet_id: Fact[str] = fact("Subnet that it lies in.", _VOLUMES)
    network_features: Fact[str] = fact("Basic or Standard.", _VOLUMES)
    throughput_mib_per_second: Fact[float] = fact("Its throughput.", _VOLUMES)
    cool_access: Fact[bool] = fact(
        "Blocks that are not read move to a cheaper tier; absent when never set.", _VOLUMES
    )
    coolness_period_days: Fact[int] = fact("After how many days, 2 to 183.", _VOLUMES)
    encryption_key_source: Fact[str] = fact(
        "Microsoft.NetApp or Microsoft.KeyVault; absent for the former.", _VOLUMES
    )
    snapshot_policy_id: Fact[str] = fact("Policy that makes its snapshots.", _VOLUMES)
    backup_policy_id: Fact[str] = fact("Policy that makes its backups.", _VOLUMES)
    backup_policy_enforced: Fact[bool] = fact(
        "Backups by the policy are made; absent without backups.", _VOLUMES
    )
    replication_endpoint_type: Fact[str] = fact(
        "src: it is copied from here; dst: it is the copy; absent without a replication.", _VOLUMES
    )
    replications: Fact[tuple[NetappReplication, ...]] = fact(
        "Volumes at the other end.", "netapp:listReplications/action"
    )
    replication_healthy: Fact[bool] = fact("The copy is kept up; told at the copy.", _STATUS)
    mirror_state: Fact[str] = fact("Uninitialized, Mirrored or Broken.", _STATUS)
    relationship_status: Fact[str] = fact("Idle, Transferring, …", _STATUS)
    replication_message: Fact[str] = fact("What Azure says is wrong with it.", _STATUS)
