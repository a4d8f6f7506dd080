"""The collector by fixtures in botocore's shapes: moto has no add-ons and no versions of EKS."""

from typing import Any

import pytest

from app.domain.collecting import Cell, ListingDone
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.machine_types import TABLE
from tests.collectors.aws_eks.answers import addon, cluster, nodegroup, version
from tests.collectors.aws_eks.conftest import REGION, Sweep, Swept
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture, refused
from tests.support.aws_wire import ACCOUNT, AwsWire, Fault

SCOPE = f"{ACCOUNT}/{REGION}"
HERE = Cell(region_id=REGION)
DENIED = Unreadable("AccessDeniedException")
LISTS = {
    "ListClusters": "clusters",
    "ListNodegroups": "nodegroups",
    "ListAddons": "addons",
    "DescribeClusterVersions": "clusterVersions",
}


def listed(operation: str, *rows: Any, more: str = "", **where: Any) -> Fault:
    token = {"nextToken": more} if more else {}
    return fixture("eks", operation, {LISTS[operation]: [*rows], **token}, **where)


def denied(operation: str, **parameters: str) -> Fault:
    return refused("eks", operation, DENIED.code, 403, parameters=parameters)


def estate() -> list[Fault]:
    """One cluster with two groups and two add-ons."""
    return [
        listed("ListClusters", "train"),
        fixture("eks", "DescribeCluster", cluster()),
        listed("DescribeClusterVersions", version(), version("1.34")),
        listed("ListNodegroups", "gpu", "cpu"),
        *(
            fixture(
                "eks",
                "DescribeNodegroup",
                nodegroup(name, instanceTypes=[machine]),
                parameters={"nodegroupName": name},
            )
            for name, machine in (("gpu", "p5.4xlarge"), ("cpu", "r7i.24xlarge"))
        ),
        listed("ListAddons", "coredns", "aws-efs-csi-driver"),
        *(
            fixture("eks", "DescribeAddon", addon(name), parameters={"addonName": name})
            for name in ("coredns", "aws-efs-csi-driver")
        ),
    ]


@pytest.fixture
def swept(aws: AwsWire, connection: MakeConnection, sweep: Sweep) -> Any:
    """Sweeps the estate with these faults before it."""

    def run(*faults: Fault) -> Swept:
        aws.faults = [*faults, *estate()]
        return sweep(connection(cell=HERE))

    return run


def test_a_cluster_is_read_whole(swept: Any) -> None:
    found = swept()
    facts = found.facts("train")
    assert facts.version_status == Present("EXTENDED_SUPPORT")
    assert facts.nodegroup_names == Present(("gpu", "cpu"))
    assert [group.name for group in facts.nodegroups.value] == ["gpu", "cpu"]
    assert (facts.unread_nodegroups, facts.unhealthy_addons) == (ABSENT, ABSENT)
    assert [one.id for one in facts.machine_type_details.value] == ["p5.4xlarge", "r7i.24xlarge"]
    assert facts.shared_storage_addons == Present(("aws-efs-csi-driver",))
    assert found.listing == ListingDone("eks_cluster", SCOPE, complete=True)
    assert not any(report.failed or report.denied for report in found.reports.values())


def test_identity_is_the_name_with_the_start_of_the_life(swept: Any) -> None:
    seen = swept().clusters["train"]
    arn = f"arn:aws:eks:{REGION}:{ACCOUNT}:cluster/train"
    assert (seen.native_id, seen.immutable_id) == (arn, f"{arn}@2026-01-08T06:30:00+00:00")
    assert (seen.sub_account_id, seen.region_id, seen.scope) == (ACCOUNT, REGION, SCOPE)
    assert seen.tags == {"owner": "atlas"}


def test_a_region_without_clusters_costs_one_call(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = [listed("ListClusters")]
    found = sweep(connection(cell=HERE))
    assert (found.clusters, found.listing.complete) == ({}, True)
    assert [one.question for one in aws.asked if one.service == "eks"] == ["ListClusters"]


def test_versions_are_asked_once_and_each_machine_type_too(aws: AwsWire, swept: Any) -> None:
    swept(listed("ListClusters", "train", "again"))
    assert len(aws.questions("DescribeClusterVersions")) == 1
    assert aws.questions("DescribeClusterVersions")[0].parameters["includeAll"] is True
    assert len(aws.questions("DescribeInstanceTypes")) == 1
    assert len(aws.questions("DescribeCluster")) == 2


def test_lists_are_read_over_all_pages(swept: Any) -> None:
    found = swept(
        listed("ListNodegroups", "gpu", more="2", times=1),
        listed("ListNodegroups", "cpu", parameters={"nextToken": "2"}),
        listed("DescribeClusterVersions", version("1.34"), more="2", times=1),
        listed("ListAddons", "coredns", more="2", times=1),
        listed("ListAddons", "aws-efs-csi-driver", parameters={"nextToken": "2"}),
    )
    facts = found.facts("train")
    assert facts.nodegroup_names == Present(("gpu", "cpu"))
    assert facts.version_status == Present("EXTENDED_SUPPORT")
    assert facts.addon_names == Present(("coredns", "aws-efs-csi-driver"))
    assert found.reports["eks:ListNodegroups"].answered == 2


def test_no_groups_and_no_add_ons_are_none(swept: Any) -> None:
    facts = swept(listed("ListNodegroups"), listed("ListAddons")).facts("train")
    for name in (
        "nodegroup_names",
        "nodegroups",
        "unread_nodegroups",
        "machine_type_details",
        "addon_names",
        "addons",
        "unhealthy_addons",
        "shared_storage_addons",
    ):
        assert getattr(facts, name) == ABSENT, name


def test_a_denied_group_costs_that_group_alone_and_is_named(swept: Any) -> None:
    found = swept(denied("DescribeNodegroup", nodegroupName="cpu"))
    facts = found.facts("train")
    assert facts.unread_nodegroups == Present(("cpu",))
    read, unread = facts.nodegroups.value
    assert (read.desired_size, read.code) == (2, "")
    assert (unread.name, unread.status, unread.code) == ("cpu", None, DENIED.code)
    assert found.listing.complete
    report = found.reports["eks:DescribeNodegroup"]
    assert (report.answered, report.denied, report.code) == (1, 1, DENIED.code)


def test_a_denied_add_on_costs_its_state_and_no_more(swept: Any) -> None:
    facts = swept(denied("DescribeAddon", addonName="coredns")).facts("train")
    assert facts.shared_storage_addons == Present(("aws-efs-csi-driver",))
    assert [one.code for one in facts.addons.value] == [DENIED.code, ""]
    assert facts.unhealthy_addons == DENIED


LOST = {
    "ListNodegroups": (
        "nodegroup_names",
        "nodegroups",
        "unread_nodegroups",
        "machine_type_details",
    ),
    "ListAddons": ("addon_names", "shared_storage_addons", "addons", "unhealthy_addons"),
    "DescribeClusterVersions": ("version_status", "standard_support_ends_at"),
}


@pytest.mark.parametrize("operation", list(LOST))
@pytest.mark.parametrize(
    ("code", "status", "outcome"),
    [
        ("AccessDeniedException", 403, "denied"),
        ("ThrottlingException", 429, "failed"),
        ("ServerException", 500, "failed"),
        ("ResourceNotFoundException", 404, "failed"),
    ],
)
def test_a_call_without_an_answer_costs_what_it_feeds(
    operation: str, code: str, status: int, outcome: str, swept: Any
) -> None:
    found = swept(refused("eks", operation, code, status))
    for name in LOST[operation]:
        assert getattr(found.facts("train"), name) == Unreadable(code), name
    assert found.facts("train").kubernetes_version == Present("1.33")
    assert found.listing.complete
    report = found.reports[f"eks:{operation}"]
    assert (getattr(report, outcome), report.code) == (1, code)


@pytest.mark.parametrize(
    ("code", "status"), [("AccessDeniedException", 403), ("ResourceNotFoundException", 404)]
)
def test_a_cluster_that_is_not_described_is_not_taken_for_another_and_ends_nothing(
    code: str, status: int, swept: Any
) -> None:
    found = swept(
        listed("ListClusters", "train", "hidden"),
        refused("eks", "DescribeCluster", code, status, parameters={"name": "hidden"}),
    )
    assert found.clusters.keys() == {"train"}
    assert found.listing == ListingDone("eks_cluster", SCOPE, complete=False, code=code)


def test_a_list_that_cannot_be_read_ends_nothing(swept: Any) -> None:
    found = swept(listed("ListClusters", "train", more="T"))
    assert found.clusters.keys() == {"train"}
    assert (found.listing.complete, found.listing.code) == (False, "RepeatedToken")
    assert swept(denied("ListClusters")).listing.code == DENIED.code


def test_a_version_that_aws_does_not_list_is_not_known(swept: Any) -> None:
    facts = swept(listed("DescribeClusterVersions", version("1.36"))).facts("train")
    assert facts.version_status == Unreadable("VersionNotListed")


def test_without_ec2_our_own_table_knows_the_machines(swept: Any) -> None:
    found = swept(refused("ec2", "DescribeInstanceTypes", "UnauthorizedOperation", 403))
    details = found.facts("train").machine_type_details
    assert {one.source for one in details.value} == {TABLE}
    assert found.reports["ec2:DescribeInstanceTypes"].denied == 1


@pytest.mark.parametrize(
    ("operation", "body", "lost"),
    [
        ("ListNodegroups", '{"nodegroups": null}', "nodegroups"),
        ("ListNodegroups", '{"nodegroups": [{"a": 1}]}', "nodegroups"),
        ("ListAddons", '{"addons": 7}', "addons"),
        ("ListAddons", "[]", "addon_names"),
        ("DescribeClusterVersions", '{"clusterVersions": [{"clusterVersion": "1.33"}]}',
         "version_status"),
        ("DescribeClusterVersions", '{"clusterVersions": [1]}', "version_status"),
    ],
)  # fmt: skip
def test_an_answer_of_another_shape_is_no_value(
    operation: str, body: str, lost: str, swept: Any
) -> None:
    found = swept(Fault(service="eks", question=operation, status=200, body=body))
    assert isinstance(getattr(found.facts("train"), lost), Unreadable)
    assert found.reports[f"eks:{operation}"].failed == 1


@pytest.mark.parametrize("body", ["{}", "[]", '{"cluster": null}', '{"cluster": {"arn": "a"}}'])
def test_a_description_of_another_shape_is_no_cluster(body: str, swept: Any) -> None:
    found = swept(Fault(service="eks", question="DescribeCluster", status=200, body=body))
    assert found.clusters == {}
    assert not found.listing.complete
    assert found.reports["eks:DescribeCluster"].failed == 1


def test_calls_that_the_settings_leave_out_are_said_to_be(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.faults = estate()
    asked = ["eks:ListClusters", "eks:DescribeCluster", "eks:ListAddons"]
    found = sweep(connection(cell=HERE, operations=asked))
    skipped = Unreadable("SkippedByConfiguration")
    facts = found.facts("train")
    assert (facts.nodegroups, facts.version_status) == (skipped, skipped)
    assert facts.addon_names == Present(("coredns", "aws-efs-csi-driver"))
    assert facts.unhealthy_addons == skipped
    assert found.reports["eks:ListNodegroups"].skipped == 1
