"""Clusters, machines, file systems and access points for the pages: good, poor, hostile ones."""

from collections.abc import Iterator
from typing import Any

from app.domain.access_points import S3AccessPointFacts
from app.domain.collecting import ListingDone, Observation, ResourceSeen, ScopeReport
from app.domain.eks import Addon, EksClusterFacts, Nodegroup
from app.domain.facts import FactDocument, Unreadable
from app.domain.fsx import FsxFileSystemFacts
from app.domain.hyperpod import (
    FileSystemMount,
    HyperpodClusterFacts,
    HyperpodNodeFacts,
    InstanceGroup,
)
from app.domain.machine_types import known_machine_type
from tests.support.documents import filled

REGION = "us-west-2"
DENIED = Unreadable("AccessDeniedException")
_ARN = "arn:aws:sagemaker:us-west-2:{account}:cluster/pod"


def hyperpod(account: str, hostile: str) -> Iterator[Observation]:
    """One cluster that lacks machines, with its nodes, and one that could not be read."""
    arn = _ARN.format(account=account)
    yield _seen(
        account,
        "hyperpod-usw2",
        arn,
        filled(
            HyperpodClusterFacts,
            cluster_status="InService",
            node_recovery="None",
            instance_groups=(_group("workers", 1, 2), _group(hostile, 1, 1, is_restricted=True)),
            eks_cluster_arn="arn:aws:eks:us-west-2:444455556666:cluster/hyperpod-eks",
            file_system_mounts=(FileSystemMount("workers", "lustre", "fs-1.fsx", "fsx", "/fsx"),),
            machine_type_details=(known_machine_type("ml.p5e.48xlarge"),),
        ),
    )
    denied: dict[str, Any] = {
        "instance_groups": DENIED, "node_recovery": DENIED, "file_system_mounts": DENIED,
    }  # fmt: skip
    yield _seen(account, hostile, f"{arn}-2", filled(HyperpodClusterFacts, **denied))
    for number in (1, 2):
        yield _node(account, arn, number)
    for kind in (HyperpodClusterFacts.KIND, HyperpodNodeFacts.KIND):
        yield ListingDone(kind, f"{account}/{REGION}", complete=True)
    yield ScopeReport(f"{account}/{REGION}", "sagemaker:ListClusters", asked=1, answered=1)


def eks(account: str) -> Iterator[Observation]:
    """A cluster whose version is past its support, with an add-on that was not readable."""
    yield _seen(
        account,
        "hyperpod-eks",
        f"arn:aws:eks:us-west-2:{account}:cluster/hyperpod-eks",
        filled(
            EksClusterFacts,
            kubernetes_version="1.29",
            version_status="UNSUPPORTED",
            nodegroup_names=("workers", "secret"),
            nodegroups=(
                Nodegroup(
                    "workers",
                    status="ACTIVE",
                    capacity_type="SPOT",
                    machine_types=("p5.4xlarge",),
                    minimum_size=0,
                    maximum_size=8,
                    desired_size=2,
                ),
            ),
            machine_type_details=(known_machine_type("p5.4xlarge"),),
            addon_names=("vpc-cni", "dcgm"),
            addons=(
                Addon("vpc-cni", version="v1.2", status="DEGRADED", health_issues=()),
                Addon("dcgm", code="AccessDeniedException"),
            ),
        ),
    )
    yield ListingDone(EksClusterFacts.KIND, f"{account}/{REGION}", complete=True)
    yield ScopeReport(f"{account}/{REGION}", "eks:ListClusters", asked=1, answered=1)


def fsx(account: str) -> Iterator[Observation]:
    """A scratch file system that nothing is exported from."""
    yield _seen(
        account,
        "fsx-hyperpod",
        f"arn:aws:fsx:us-west-2:{account}:file-system/fs-1",
        filled(
            FsxFileSystemFacts,
            file_system_type="LUSTRE",
            file_system_region=REGION,
            deployment_type="SCRATCH_2",
            storage_capacity_bytes=12_000 * 2**30,
            data_repository_associations=(),
        ),
    )
    yield ListingDone(FsxFileSystemFacts.KIND, f"{account}/{REGION}", complete=True)
    yield ScopeReport(f"{account}/{REGION}", "fsx:DescribeFileSystems", asked=1, answered=1)


def doors(account: str, bucket: str) -> Iterator[Observation]:
    """Access points to a bucket of this native id, and to one that no connection knows."""
    for name, whose in (("door", bucket), ("lent", "arn:aws:s3:::of-a-partner")):
        facts = filled(S3AccessPointFacts, network_origin="Internet", public_access_block=())
        native_id = f"arn:aws:s3:{REGION}:{account}:accesspoint/{name}"
        yield _seen(account, name, native_id, facts, parent=whose)
    yield ListingDone(S3AccessPointFacts.KIND, f"{account}/{REGION}", complete=True)
    yield ScopeReport(f"{account}/{REGION}", "s3control:ListAccessPoints", asked=1, answered=1)


def _group(name: str, current: int, target: int, **more: Any) -> InstanceGroup:
    known: dict[str, Any] = {
        "name": name,
        "machine_type": "ml.p5e.48xlarge",
        "machine_types": (),
        "type_counts": (),
        "current_count": current,
        "target_count": target,
        "minimum_count": None,
        "status": "Degraded",
        "capacity": "training_plan",
        "training_plan_arn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p",
        "script_s3_uri": "s3://sagemaker-scripts/on-create",
        "image_version_status": "",
        "slurm_node_type": "",
        "subnet_ids": (),
        "is_restricted": False,
    }
    return InstanceGroup(**(known | more))


def _node(account: str, arn: str, number: int) -> ResourceSeen:
    facts = filled(
        HyperpodNodeFacts,
        cluster_arn=arn,
        cluster_name="hyperpod-usw2",
        instance_group="workers",
        instance_id=f"i-{number}",
        machine_type="ml.p5e.48xlarge",
        node_status="Running" if number == 1 else "Pending",
        availability_zone=DENIED,
        accelerator_kind="gpu",
        accelerator_model="NVIDIA H200",
        accelerator_count=8.0,
    )
    return _seen(account, f"node-{number}", f"{arn}/node/{number}", facts, parent=arn)


def _seen(
    account: str, name: str, native_id: str, facts: FactDocument, parent: str = ""
) -> ResourceSeen:
    return ResourceSeen(
        kind=facts.KIND,
        immutable_id=native_id,
        native_id=native_id,
        name=name,
        sub_account_id=account,
        region_id=REGION,
        created_at=None,
        tags={"workload-phase": "training"},
        facts=facts,
        scope=f"{account}/{REGION}",
        parent_native_id=parent,
    )
