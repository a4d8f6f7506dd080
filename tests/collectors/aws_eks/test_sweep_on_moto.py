"""The collector against moto, which plays clusters, node groups and EC2's machine types.

Moto has no add-ons and no versions of EKS (it answers 404), and tells no upgrade policy.
"""

from typing import Any

import pytest

from app.domain.collecting import Cell
from app.domain.facts import ABSENT, Present, Unreadable
from tests.collectors.aws_eks.conftest import REGION, Sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_wire import ACCOUNT, AwsWire

ROLE = f"arn:aws:iam::{ACCOUNT}:role/eks"
HERE = Cell(region_id=REGION)


@pytest.fixture
def eks(aws: AwsWire) -> Any:
    """A client to fill moto with, and one cluster."""
    client = aws.client("eks", REGION)
    make(client, "train")
    return client


def make(client: Any, name: str) -> None:
    client.create_cluster(
        name=name,
        roleArn=ROLE,
        resourcesVpcConfig={
            "subnetIds": [],
            "endpointPublicAccess": True,
            "endpointPrivateAccess": True,
            "publicAccessCidrs": ["198.51.100.0/24"],
        },
        logging={"clusterLogging": [{"types": ["audit"], "enabled": True}]},
        version="1.33",
        tags={"owner": "atlas"},
    )


def grow(client: Any, name: str, machine: str, **more: Any) -> None:
    client.create_nodegroup(
        clusterName="train",
        nodegroupName=name,
        subnets=[],
        nodeRole=ROLE,
        instanceTypes=[machine],
        scalingConfig={"minSize": 0, "desiredSize": 2, "maxSize": 8},
        **more,
    )


def test_a_cluster_and_its_groups_are_read(
    eks: Any, connection: MakeConnection, sweep: Sweep
) -> None:
    grow(eks, "blocks", "p5.48xlarge", capacityType="CAPACITY_BLOCK")
    grow(eks, "spot", "r7i.24xlarge", capacityType="SPOT")
    found = sweep(connection(cell=HERE))
    facts = found.facts("train")
    assert facts.kubernetes_version == Present("1.33")
    assert facts.endpoint_public_cidrs == Present(("198.51.100.0/24",))
    assert facts.control_plane_logs == Present(("audit",))
    assert facts.support_type == ABSENT
    assert isinstance(facts.nodegroups, Present)
    groups = {group.name: group for group in facts.nodegroups.value}
    assert {name: group.capacity_type for name, group in groups.items()} == {
        "blocks": "CAPACITY_BLOCK",
        "spot": "SPOT",
    }
    assert {group.desired_size for group in groups.values()} == {2}
    assert isinstance(facts.machine_type_details, Present)
    counts = {one.id: one.accelerator_count for one in facts.machine_type_details.value}
    assert counts == {"p5.48xlarge": 8, "r7i.24xlarge": 0}
    assert found.clusters["train"].tags == {"owner": "atlas"}


def test_a_cluster_made_anew_under_its_name_is_another_one(
    eks: Any, connection: MakeConnection, sweep: Sweep
) -> None:
    (first,) = sweep(connection(cell=HERE)).clusters.values()
    (same,) = sweep(connection(cell=HERE)).clusters.values()
    eks.delete_cluster(name="train")
    make(eks, "train")
    (anew,) = sweep(connection(cell=HERE)).clusters.values()
    assert first.immutable_id == same.immutable_id != anew.immutable_id
    assert first.native_id == anew.native_id


def test_what_a_source_does_not_answer_is_unread_and_no_cluster_is_lost(
    eks: Any, connection: MakeConnection, sweep: Sweep
) -> None:
    assert eks
    found = sweep(connection(cell=HERE))
    facts = found.facts("train")
    assert (facts.version_status, facts.addons) == (Unreadable("Http404"),) * 2
    assert facts.nodegroups == ABSENT
    assert found.listing.complete


def test_a_hundred_and_one_clusters_are_listed_over_two_pages(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    client = aws.client("eks", REGION)
    for number in range(101):
        make(client, f"c-{number:03}")
    aws.asked.clear()
    asked = ["eks:ListClusters", "eks:DescribeCluster"]
    found = sweep(connection(cell=HERE, operations=asked))
    assert len(aws.questions("ListClusters")) == 2
    assert found.listing.complete
    assert len(found.clusters) == 101
