"""An organization of any size, the same in every run: AWS's answers made from numbers alone.

Resource `n` is of the kind `n % 10` and lies in the cell `n // 10 % 80`, so that kinds, accounts
and regions hold the same number of resources, give or take one. Besides, each cell with HyperPod
nodes has the cluster that they belong to.
"""

from collections.abc import Callable, Mapping
from typing import Any

from app.bench.estate.documents import (
    ACCOUNTS,
    CELLS,
    KINDS,
    MEMBER_KEY,
    OWN_KEY,
    accounts_document,
    assumed_document,
    caller_document,
    cluster_document,
    cluster_versions_document,
    hyperpod_document,
    hyperpod_row_document,
    image_document,
    launch_document,
    node_details_document,
    node_document,
    nodegroup_document,
    regions_document,
    reservation_document,
    snapshot_document,
    subnets_document,
    volume_document,
)
from app.bench.estate.documents_of_files import (
    BLOCK,
    elastic_document,
    lustre_document,
    point_details_document,
    point_document,
)
from app.sandbox.aws import modelled
from app.sandbox.aws.answers import Json, Question, page_of

_PAGES: dict[str, Any] = {"token": "nextToken", "size": "maxResults"}
_EC2_PAGE = 1000


class Organization:
    """Answers every read of our collectors; an operation without rows has empty lists."""

    def __init__(self, resources: int) -> None:
        self._resources = resources
        self._answers: Mapping[str, Callable[[Question], Json]] = {
            "sts.GetCallerIdentity": caller_document,
            "sts.AssumeRole": assumed_document,
            "organizations.ListAccounts": accounts_document,
            "account.ListRegions": regions_document,
            "ec2.DescribeInstances": self._ec2("Reservations", "instance", launch_document),
            "ec2.DescribeVolumes": self._ec2("Volumes", "volume", volume_document),
            "ec2.DescribeSnapshots": self._ec2("Snapshots", "snapshot", snapshot_document),
            "ec2.DescribeImages": self._ec2("Images", "image", image_document),
            "ec2.DescribeCapacityReservations": self._ec2(
                "CapacityReservations", "reservation", reservation_document
            ),
            "ec2.GetEbsEncryptionByDefault": lambda _: {"EbsEncryptionByDefault": True},
            "ec2.DescribeSubnets": subnets_document,
            "eks.ListClusters": self._clusters,
            "eks.DescribeCluster": cluster_document,
            "eks.ListNodegroups": lambda question: page_of(
                question, "nodegroups", ["workers"], **_PAGES
            ),
            "eks.DescribeNodegroup": nodegroup_document,
            "eks.DescribeClusterVersions": cluster_versions_document,
            "sagemaker.ListClusters": self._hyperpods,
            "sagemaker.DescribeCluster": hyperpod_document,
            "sagemaker.ListClusterNodes": self._nodes,
            "sagemaker.DescribeClusterNode": node_details_document,
            "fsx.DescribeFileSystems": self._lustres,
            "efs.DescribeFileSystems": self._elastics,
            "efs.DescribeLifecycleConfiguration": lambda _: {
                "LifecyclePolicies": [{"TransitionToIA": "AFTER_30_DAYS"}]
            },
            "efs.DescribeBackupPolicy": lambda _: {"BackupPolicy": {"Status": "ENABLED"}},
            "s3control.GetPublicAccessBlock": lambda _: {"PublicAccessBlockConfiguration": BLOCK},
            "s3control.ListAccessPoints": self._points,
            "s3control.GetAccessPoint": point_details_document,
            "s3control.GetAccessPointPolicyStatus": lambda _: {"PolicyStatus": {"IsPublic": False}},
        }

    def answer(self, service: str, action: str, question: Question) -> Json:
        """The result of one operation in boto3's words."""
        found = self._answers.get(f"{service}.{action}")
        return found(question) if found else modelled.empty_lists(service, action)

    def expected(self) -> int:
        """How many resources a whole sweep finds, HyperPod's clusters among them."""
        cells = {self._cell(number) for number in self._numbers("node")}
        return self._resources + len(cells)

    def _numbers(self, kind: str) -> range:
        return range(KINDS.index(kind), self._resources, len(KINDS))

    def _cell(self, number: int) -> tuple[str, str]:
        return CELLS[number // len(KINDS) % len(CELLS)]

    def _here(self, question: Question, kind: str) -> list[int]:
        here = (question.account_id, question.region)
        if here not in CELLS:
            return []
        first = CELLS.index(here) * len(KINDS) + KINDS.index(kind)
        return list(range(first, self._resources, len(CELLS) * len(KINDS)))

    def _ec2(
        self, member: str, kind: str, row: Callable[[int, Question], Json]
    ) -> Callable[[Question], Json]:
        def answer(question: Question) -> Json:
            rows = [row(number, question) for number in self._here(question, kind)]
            return page_of(question, member, rows, most=_EC2_PAGE)

        return answer

    def _clusters(self, question: Question) -> Json:
        names = [f"cluster-{number}" for number in self._here(question, "cluster")]
        return page_of(question, "clusters", names, **_PAGES)

    def _hyperpods(self, question: Question) -> Json:
        rows = [hyperpod_row_document(question)] if self._here(question, "node") else []
        return page_of(question, "ClusterSummaries", rows)

    def _nodes(self, question: Question) -> Json:
        rows = list(map(node_document, self._here(question, "node")))
        return page_of(question, "ClusterNodeSummaries", rows)

    def _lustres(self, question: Question) -> Json:
        rows = [lustre_document(number, question) for number in self._here(question, "lustre")]
        return page_of(question, "FileSystems", rows)

    def _elastics(self, question: Question) -> Json:
        rows = [elastic_document(number, question) for number in self._here(question, "elastic")]
        pages: dict[str, Any] = {"token": "Marker", "size": "MaxItems", "next_token": "NextMarker"}
        return page_of(question, "FileSystems", rows, **pages)

    def _points(self, question: Question) -> Json:
        names = [f"point-{number}" for number in self._here(question, "point")]
        rows = [point_document(name, question) for name in names]
        return page_of(question, "AccessPointList", rows, most=_EC2_PAGE)


def account_of(access_key: str) -> str:
    """The account that an access key acts in."""
    return access_key.removeprefix(MEMBER_KEY) if access_key != OWN_KEY else ACCOUNTS[0]
