"""The HyperPod clusters and training plans of the story."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from app.sandbox.aws.answers import Json
from app.sandbox.story import (
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    EVAL_SUITE,
    FRA,
    PDX,
    SPEECH,
    WEBTEXT,
    AwsAccount,
    Dataset,
)


@dataclass(frozen=True, slots=True)
class Group:
    """One instance group. Of its `current` machines the last `broken` do not work.

    `waiting` more are being made and have no instance yet. `types`: one, or those of a flexible
    group. `more` is laid over what DescribeCluster says.
    """

    name: str
    types: Sequence[str]
    target: int
    current: int
    status: str = "InService"
    waiting: int = 0
    broken: int = 0
    restricted: bool = False
    more: Json | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """One HyperPod cluster; `case` says in a line what is special about it.

    `denied`: nobody may describe it. `more` is laid over what DescribeCluster says.
    """

    name: str
    case: str
    account: AwsAccount
    region: str
    zone_id: str
    dataset: Dataset
    groups: Sequence[Group]
    more: Json
    denied: bool = False

    @property
    def arn(self) -> str:
        """Its name in all of AWS; the last part is an id that AWS gives."""
        id_ = f"{self.name.replace('-', '')[:12]:0<12}"
        return f"arn:aws:sagemaker:{self.region}:{self.account.account_id}:cluster/{id_}"


@dataclass(frozen=True, slots=True)
class Plan:
    """One training plan; `case` says in a line what is special about it."""

    name: str
    case: str
    status: str
    machine_type: str
    total: int
    in_use: int
    starts_at: datetime
    ends_at: datetime
    fee: str
    target: str
    account: AwsAccount = AWS_TRAINING
    region: str = PDX
    unhealthy: int = 0

    @property
    def arn(self) -> str:
        """Its name in all of AWS."""
        where = f"{self.region}:{self.account.account_id}"
        return f"arn:aws:sagemaker:{where}:training-plan/{self.name}"


def _day(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, 11, 30, tzinfo=UTC)


PLANS = (
    Plan(
        "atlas-h200-2026h2",
        "twelve H200 machines, all at work",
        "Active",
        "ml.p5e.48xlarge",
        total=12,
        in_use=12,
        starts_at=_day(2026, 9, 1),
        ends_at=_day(2027, 3, 1),
        fee="2148912.00",
        target="hyperpod-cluster",
    ),
    Plan(
        "atlas-h100-2026q4",
        "paid for and idle: bound to training jobs, and nobody runs any",
        "Active",
        "ml.p5.48xlarge",
        total=4,
        in_use=0,
        starts_at=_day(2026, 10, 1),
        ends_at=_day(2027, 1, 1),
        fee="355622.40",
        target="training-job",
    ),
    Plan(
        "atlas-h100-2026q2",
        "expired in summer",
        "Expired",
        "ml.p5.48xlarge",
        total=2,
        in_use=0,
        starts_at=_day(2026, 4, 1),
        ends_at=_day(2026, 7, 1),
        fee="171004.80",
        target="hyperpod-cluster",
    ),
    Plan(
        "atlas-b200-2027q1",
        "paid for, begins in January",
        "Scheduled",
        "ml.p6-b200.48xlarge",
        total=8,
        in_use=0,
        starts_at=_day(2027, 1, 15),
        ends_at=_day(2027, 4, 15),
        fee="1288224.00",
        target="hyperpod-cluster",
    ),
)


def scripts(bucket: str) -> Json:
    """A group whose machines are made by scripts of this bucket."""
    return {
        "LifeCycleConfig": {"SourceS3Uri": f"s3://{bucket}/lifecycle/", "OnCreate": "on_create.sh"}
    }


_LUSTRE = {
    "FsxLustreConfig": {
        "DnsName": f"fs-0c1e72000000000a1.fsx.{PDX}.amazonaws.com",
        "MountName": "cz1lustr",
        "MountPath": "/fsx",
    }
}
_EKS = f"arn:aws:eks:{PDX}:{AWS_TRAINING.account_id}:cluster/hyperpod-eks"
_USW2 = scripts("sagemaker-hyperpod-usw2-lifecycle")
CLUSTERS = (
    Cluster(
        "hyperpod-usw2",
        "EKS, twelve H200 machines of a plan; one group degraded and below target (F16)",
        AWS_TRAINING,
        PDX,
        zone_id="usw2-az2",
        dataset=WEBTEXT,
        groups=(
            Group("system", ["ml.m5.2xlarge"], 2, 2, more=_USW2),
            Group(
                "train",
                ["ml.p5e.48xlarge"],
                12,
                12,
                more={
                    **_USW2,
                    "TrainingPlanArn": PLANS[0].arn,
                    "InstanceStorageConfigs": [_LUSTRE],
                },
            ),
            Group(
                "finetune", ["ml.p5.48xlarge"], 4, 2, "Degraded", waiting=1, broken=1, more=_USW2
            ),
            Group(
                "evaluate",
                ["ml.g5.12xlarge", "ml.g6.12xlarge"],
                2,
                2,
                more={**_USW2, "CapacityRequirements": {"Spot": {}}},
            ),
            Group("nova", ["ml.p5.48xlarge"], 1, 1, restricted=True),
        ),
        more={
            "Orchestrator": {"Eks": {"ClusterArn": _EKS}},
            "NodeRecovery": "Automatic",
            "NodeProvisioningMode": "Continuous",
            "AutoScaling": {
                "Mode": "Enable",
                "AutoScalerType": "Karpenter",
                "Status": "InService",
            },
            "TieredStorageConfig": {"Mode": "Enable", "InstanceMemoryAllocationPercentage": 20},
        },
    ),
    Cluster(
        "slurm-eval-fra",
        "Slurm of its own making: broken machines stay broken, scripts are kept in no versions",
        AWS_RESEARCH,
        FRA,
        zone_id="euc1-az2",
        dataset=EVAL_SUITE,
        groups=(
            Group("controller", ["ml.m5.xlarge"], 1, 1, more=scripts("cierzo-labels-raw-fra")),
            Group("workers", ["ml.g5.8xlarge"], 2, 2, more=scripts("cierzo-labels-raw-fra")),
        ),
        more={"NodeRecovery": "None"},
    ),
    Cluster(
        "hyperpod-pilot-dub",
        "one Trainium machine; all right but the name of its script bucket",
        AWS_PLATFORM,
        "eu-west-1",
        zone_id="euw1-az1",
        dataset=SPEECH,
        groups=(
            Group("pilot", ["ml.trn1.32xlarge"], 1, 1, more=scripts("cierzo-platform-artifacts")),
        ),
        more={
            "NodeRecovery": "Automatic",
            "Orchestrator": {"Slurm": {"SlurmConfigStrategy": "Managed"}},
        },
    ),
    Cluster(
        "hyperpod-sealed-use1",
        "nobody may describe it, but its machine is listed",
        AWS_PLATFORM,
        "us-east-1",
        zone_id="use1-az4",
        dataset=EVAL_SUITE,
        groups=(Group("sealed", ["ml.g5.xlarge"], 1, 1),),
        more={},
        denied=True,
    ),
)
# Shares in the first cluster: team, what it may use, and whether the list tells that as well.
QUOTAS: tuple[tuple[str, Json, bool], ...] = (
    (
        "atlas-llm",
        {
            "ComputeQuotaResources": [{"InstanceType": "ml.p5e.48xlarge", "Count": 8}],
            "ResourceSharingConfig": {"Strategy": "LendAndBorrow", "BorrowLimit": 100},
            "PreemptTeamTasks": "LowerPriority",
        },
        True,
    ),
    (
        "speech",
        {
            "ComputeQuotaResources": [
                {
                    "InstanceType": "ml.p5e.48xlarge",
                    "AcceleratorPartition": {"Type": "mig-1g.18gb", "Count": 14},
                }
            ],
            "ResourceSharingConfig": {"Strategy": "DontLend"},
        },
        True,
    ),
    (
        "radiology",
        {
            "ComputeQuotaResources": [{"InstanceType": "ml.p5.48xlarge", "Accelerators": 8}],
            "ResourceSharingConfig": {"Strategy": "Lend"},
        },
        False,
    ),
)
