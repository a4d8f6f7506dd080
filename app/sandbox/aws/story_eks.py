"""The EKS clusters of the story, with their node groups and add-ons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.sandbox.aws.answers import Json
from app.sandbox.story import (
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    CT_THORAX,
    FRA,
    PDX,
    WEBTEXT,
    AwsAccount,
)

LOGS = ("api", "audit", "authenticator", "controllerManager", "scheduler")


@dataclass(frozen=True, slots=True)
class Cluster:
    """One EKS cluster; `case` says in a line what is special about it.

    `groups` are what DescribeNodegroup adds to the usual, by name; None is denied to everybody.
    `addons` are versions by name; those in `degraded` lack replicas. `cidrs` may reach the
    endpoint from outside; without any it is closed.
    """

    name: str
    case: str
    account: AwsAccount
    region: str
    version: str
    tags: Mapping[str, str]
    support: str = "EXTENDED"
    cidrs: Sequence[str] = ()
    key: str = ""
    logs: Sequence[str] = ()
    groups: Mapping[str, Json | None] = field(default_factory=dict)
    addons: Mapping[str, str] = field(default_factory=dict)
    degraded: frozenset[str] = frozenset()
    auto_mode: bool = False

    @property
    def arn(self) -> str:
        """Its name in all of AWS."""
        return f"arn:aws:eks:{self.region}:{self.account.account_id}:cluster/{self.name}"


def _sizes(least: int, wanted: int, most: int) -> Json:
    return {"scalingConfig": {"minSize": least, "desiredSize": wanted, "maxSize": most}}


_USUAL_ADDONS = {
    "coredns": "v1.12.4-eksbuild.1",
    "kube-proxy": "v1.33.3-eksbuild.4",
    "vpc-cni": "v1.20.1-eksbuild.3",
}
CLUSTERS = (
    Cluster(
        "hyperpod-eks",
        "Kubernetes 1.29 out of all support, open to the internet, its EFS driver degraded",
        AWS_TRAINING,
        PDX,
        version="1.29",
        tags=WEBTEXT.tags(workload_phase="training"),
        cidrs=("0.0.0.0/0",),
        groups={
            "workers": {
                "capacityType": "ON_DEMAND",
                "instanceTypes": ["p5.4xlarge"],
                "amiType": "AL2023_x86_64_NVIDIA",
                **_sizes(0, 2, 8),
            },
            "reserved": {
                "capacityType": "CAPACITY_BLOCK",
                "instanceTypes": ["p5.48xlarge"],
                "amiType": "AL2023_x86_64_NVIDIA",
                **_sizes(0, 4, 4),
            },
            "eval": {
                "capacityType": "ON_DEMAND",
                "instanceTypes": ["g6.4xlarge"],
                "amiType": "AL2023_x86_64_NVIDIA",
                **_sizes(0, 3, 4),
            },
        },
        addons={
            **_USUAL_ADDONS,
            "aws-efs-csi-driver": "v2.1.4-eksbuild.1",
            "aws-fsx-csi-driver": "v1.5.1-eksbuild.1",
            "amazon-sagemaker-hyperpod-observability": "v1.0.2-eksbuild.1",
        },
        degraded=frozenset({"aws-efs-csi-driver"}),
    ),
    Cluster(
        "cpu-prep-fra",
        "everything right: supported, private, own key; 9 Spot machines without accelerators",
        AWS_RESEARCH,
        FRA,
        version="1.35",
        tags=CT_THORAX.tags(workload_phase="preprocessing"),
        support="STANDARD",
        key=f"arn:aws:kms:{FRA}:{AWS_RESEARCH.account_id}:key/0d7c9b1e-0000-4000-8000-0000000000e1",
        logs=LOGS,
        groups={
            "prep": {
                "capacityType": "SPOT",
                "instanceTypes": ["r7i.24xlarge"],
                "amiType": "AL2023_x86_64_STANDARD",
                **_sizes(0, 9, 12),
            }
        },
        addons={**_USUAL_ADDONS, "aws-mountpoint-s3-csi-driver": "v2.1.0-eksbuild.1"},
    ),
    Cluster(
        "serve-dub",
        "inference on RDMA machines, in paid extended support; one node group may not be read",
        AWS_RESEARCH,
        "eu-west-1",
        version="1.33",
        tags=CT_THORAX.tags(phase="inference"),
        cidrs=("198.51.100.0/24",),
        logs=("api", "audit"),
        groups={
            "serve": {
                "capacityType": "ON_DEMAND",
                "instanceTypes": ["p4d.24xlarge"],
                "amiType": "AL2023_x86_64_NVIDIA",
                **_sizes(1, 2, 4),
            },
            "canary": None,
        },
        addons=_USUAL_ADDONS,
    ),
    Cluster(
        "platform-use1",
        "no node group at all: EKS Auto Mode makes its machines, which nobody counts here",
        AWS_PLATFORM,
        "us-east-1",
        version="1.35",
        tags={"owner": "platform"},
        support="STANDARD",
        key=f"arn:aws:kms:us-east-1:{AWS_PLATFORM.account_id}:key/"
        "0d7c9b1e-0000-4000-8000-0000000000e2",
        logs=("audit",),
        auto_mode=True,
    ),
)
