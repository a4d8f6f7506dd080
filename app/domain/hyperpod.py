"""SageMaker HyperPod as AWS tells of it: clusters with their groups and quotas, and their nodes."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact
from app.domain.machine_types import MachineType

_CLUSTERS = "sagemaker:ListClusters"
_CLUSTER = "sagemaker:DescribeCluster"
_QUOTAS = "sagemaker:ListComputeQuotas"
_SCHEDULERS = "sagemaker:ListClusterSchedulerConfigs"
_NODES = "sagemaker:ListClusterNodes"
_NODE = "sagemaker:DescribeClusterNode"
_VERSIONING = "s3:GetBucketVersioning"
_TYPES = "ec2:DescribeInstanceTypes"


@dataclass(frozen=True, slots=True)
class TypeCount:
    """How many machines of one type a group that may mix them has now."""

    machine_type: str
    current_count: int | None


@dataclass(frozen=True, slots=True)
class InstanceGroup:
    """An instance group of a HyperPod cluster.

    `machine_type` '' in a group that may mix types: then `machine_types` are those allowed and
    `type_counts` what it has of each. Counts are machines, None when not told. `capacity`:
    on_demand, spot or training_plan, whose ARN is `training_plan_arn`. `status` and
    `image_version_status` in AWS's words, '' when not told. `subnet_ids`: its own, empty when it
    uses those of the cluster. `script_s3_uri`: where its lifecycle scripts are, '' without any.
    `slurm_node_type`: Controller, Login or Compute. `is_restricted`: nobody but AWS enters it.
    """

    name: str
    machine_type: str
    machine_types: tuple[str, ...]
    type_counts: tuple[TypeCount, ...]
    current_count: int | None
    target_count: int | None
    minimum_count: int | None
    status: str
    capacity: str
    training_plan_arn: str
    script_s3_uri: str
    image_version_status: str
    slurm_node_type: str
    subnet_ids: tuple[str, ...]
    is_restricted: bool


@dataclass(frozen=True, slots=True)
class FileSystemMount:
    """A shared file system that the machines of a group mount. `kind`: lustre or openzfs."""

    group: str
    kind: str
    dns_name: str
    mount_name: str
    mount_path: str


@dataclass(frozen=True, slots=True)
class ScriptBucket:
    """A bucket with lifecycle scripts.

    `versioning_status`: Enabled, Suspended or '' when it never kept versions; None when that could
    not be read, with the `code` of why. A bucket of another account is never read.
    """

    name: str
    versioning_status: str | None
    code: str


@dataclass(frozen=True, slots=True)
class QuotaResource:
    """What a team may use of one machine type; None: not set in this measure.

    `partition_type` names a part of a GPU, such as mig-1g.10gb, with `partition_count`.
    """

    machine_type: str
    machine_count: int | None
    accelerator_count: int | None
    vcpu_count: float | None
    memory_gib: float | None
    partition_type: str
    partition_count: int | None


@dataclass(frozen=True, slots=True)
class ComputeQuota:
    """The share of a team in a cluster.

    `sharing`: Lend, DontLend or LendAndBorrow, '' when not told; `borrow_limit_percent` of its own
    share. `is_enabled` None when not told. `resources` is empty for a team that may only borrow.
    """

    name: str
    team: str
    status: str
    is_enabled: bool | None
    resources: tuple[QuotaResource, ...]
    sharing: str
    borrow_limit_percent: int | None
    preemption: str
    fair_share_weight: int | None


@dataclass(frozen=True, slots=True)
class SchedulerConfig:
    """How the teams of a cluster take turns, by name and state."""

    name: str
    status: str


@dataclass(frozen=True, slots=True)
class HyperpodClusterFacts(FactDocument):
    """A SageMaker HyperPod cluster."""

    KIND: ClassVar[str] = "hyperpod_cluster"
    AREA: ClassVar[str] = "clusters"

    cluster_status: Fact[str] = fact("InService, Updating, Failed and such.", _CLUSTERS)
    failure_message: Fact[str] = fact("Why it failed, in AWS's words.", _CLUSTER)
    instance_groups: Fact[tuple[InstanceGroup, ...]] = fact(
        "Its instance groups, restricted ones too.", _CLUSTER
    )
    eks_cluster_arn: Fact[str] = fact("The EKS cluster that places work on it.", _CLUSTER)
    slurm_strategy: Fact[str] = fact(
        "How HyperPod keeps the Slurm configuration: Managed, Overwrite or Merge.", _CLUSTER
    )
    node_recovery: Fact[str] = fact(
        "Automatic: faulty machines are replaced or restarted. None: they are not.", _CLUSTER
    )
    node_provisioning_mode: Fact[str] = fact(
        "Continuous: machines are added as they come; absent: a group is made as a whole.", _CLUSTER
    )
    autoscaling_mode: Fact[str] = fact("Enable or Disable, as AWS says it.", _CLUSTER)
    autoscaling_status: Fact[str] = fact("InService, Failed and such.", _CLUSTER)
    tiered_storage_mode: Fact[str] = fact(
        "Whether memory of the machines keeps checkpoints: Enable or Disable.", _CLUSTER
    )
    tiered_storage_memory_percent: Fact[int] = fact(
        "How much memory of each machine that takes.", _CLUSTER
    )
    subnet_ids: Fact[tuple[str, ...]] = fact("Subnets of its machines.", _CLUSTER)
    file_system_mounts: Fact[tuple[FileSystemMount, ...]] = fact(
        "Shared file systems that its machines mount.", _CLUSTER
    )
    training_plan_arns: Fact[tuple[str, ...]] = fact(
        "Training plans that its machines are taken from.", _CLUSTER
    )
    lifecycle_script_buckets: Fact[tuple[str, ...]] = fact(
        "Buckets with the scripts that make its machines.", _CLUSTER
    )
    script_buckets: Fact[tuple[ScriptBucket, ...]] = fact(
        "Whether these buckets keep versions.", _VERSIONING
    )
    compute_quotas: Fact[tuple[ComputeQuota, ...]] = fact("Shares of the teams.", _QUOTAS)
    scheduler_configs: Fact[tuple[SchedulerConfig, ...]] = fact(
        "How the teams take turns.", _SCHEDULERS
    )
    machine_type_details: Fact[tuple[MachineType, ...]] = fact(
        "What its types of machines hold, as far as EC2 or our own table knows them.", _TYPES
    )


@dataclass(frozen=True, slots=True)
class HyperpodNodeFacts(FactDocument):
    """A machine of a SageMaker HyperPod cluster; EC2 of the account knows nothing of it."""

    KIND: ClassVar[str] = "hyperpod_node"
    AREA: ClassVar[str] = "machines"

    cluster_arn: Fact[str] = fact("The cluster it belongs to.", _NODES)
    cluster_name: Fact[str] = fact("The name of that cluster.", _NODES)
    instance_group: Fact[str] = fact("Its group within the cluster.", _NODES)
    instance_id: Fact[str] = fact("Its instance; absent until it has one.", _NODES)
    machine_type: Fact[str] = fact("Its type, in SageMaker's spelling.", _NODES)
    node_status: Fact[str] = fact("Running, Pending, Failure and such.", _NODES)
    status_message: Fact[str] = fact("What AWS adds to the status.", _NODES)
    launched_at: Fact[datetime] = fact("When it was launched.", _NODES)
    ultra_server_id: Fact[str] = fact("The UltraServer that it is a part of.", _NODES)
    image_version_status: Fact[str] = fact("Whether its image is up to date.", _NODES)
    availability_zone: Fact[str] = fact("The zone it stands in.", _NODE)
    availability_zone_id: Fact[str] = fact("The zone's id, the same in all accounts.", _NODE)
    capacity_type: Fact[str] = fact(
        "Spot or OnDemand; that of a training plan is told by the group alone.", _NODE
    )
    private_ip: Fact[str] = fact("Its address.", _NODE)
    accelerator_kind: Fact[str] = fact("gpu, neuron, or '' for none.", _TYPES)
    accelerator_model: Fact[str] = fact("Maker and model of its accelerators.", _TYPES)
    accelerator_count: Fact[float] = fact("Its accelerators, in whole devices.", _TYPES)
    accelerator_memory_bytes: Fact[int] = fact("Memory of one of them; absent: none.", _TYPES)
    vcpu_count: Fact[int] = fact("Its virtual processors.", _TYPES)
    memory_bytes: Fact[int] = fact("Its memory.", _TYPES)
    rdma_interfaces: Fact[int] = fact("Elastic Fabric Adapters that it may have.", _TYPES)
