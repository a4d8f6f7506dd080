"""What one sweep over HyperPod yielded, and answers with defaults."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from app.collectors.aws_hyperpod import COLLECTOR
from app.domain.collecting import Connection, ListingDone, Observation, ResourceSeen, ScopeReport
from app.domain.facts import FactDocument

Document = TypeVar("Document", bound=FactDocument)
LAUNCHED = datetime(2026, 3, 1, tzinfo=UTC)
ARN = "arn:aws:sagemaker:us-west-2:123456789012:cluster/abcdefghijkl"
PLAN_ARN = "arn:aws:sagemaker:us-west-2:123456789012:training-plan/reserved"


@dataclass(frozen=True)
class Swept:
    """The observations of one sweep; resources by name."""

    found: dict[str, ResourceSeen]
    listings: dict[str, ListingDone]
    reports: dict[str, ScopeReport]
    order: tuple[type[Observation], ...]

    def facts(self, name: str, document: type[Document]) -> Document:
        found = self.found[name].facts
        assert isinstance(found, document)
        return found

    def of_kind(self, document: type[FactDocument]) -> list[ResourceSeen]:
        return [one for one in self.found.values() if one.kind == document.KIND]


def sweep(connection: Connection) -> Swept:
    """Runs the collector to its end."""
    seen = list(COLLECTOR.collect(connection, LAUNCHED))
    resources = [one for one in seen if isinstance(one, ResourceSeen)]
    listings = [one for one in seen if isinstance(one, ListingDone)]
    reports = [one for one in seen if isinstance(one, ScopeReport)]
    assert len({one.immutable_id for one in resources}) == len(resources)
    assert len({report.operation for report in reports}) == len(reports)
    return Swept(
        {one.name: one for one in resources},
        {one.kind: one for one in listings},
        {one.operation: one for one in reports},
        tuple(type(one) for one in seen),
    )


def cluster_row(name: str = "pod", arn: str = ARN) -> dict[str, Any]:
    """An entry of ListClusters."""
    return {
        "ClusterArn": arn,
        "ClusterName": name,
        "CreationTime": LAUNCHED,
        "ClusterStatus": "InService",
    }


def group(name: str = "workers", **more: Any) -> dict[str, Any]:
    """An instance group of DescribeCluster."""
    return {
        "InstanceGroupName": name,
        "InstanceType": "ml.p5.48xlarge",
        "CurrentCount": 2,
        "TargetCount": 2,
        "Status": "InService",
        "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-scripts/x", "OnCreate": "on_create.sh"},
        **more,
    }


def cluster(*groups: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An answer of DescribeCluster."""
    return {**cluster_row(), "InstanceGroups": list(groups), "NodeRecovery": "Automatic", **more}


def node_row(number: int = 1, **more: Any) -> dict[str, Any]:
    """An entry of ListClusterNodes."""
    return {
        "InstanceGroupName": "workers",
        "InstanceId": f"i-0aaa{number:013x}",
        "InstanceType": "ml.p5.48xlarge",
        "LaunchTime": LAUNCHED,
        "InstanceStatus": {"Status": "Running"},
        **more,
    }


def node(number: int = 1, **more: Any) -> dict[str, Any]:
    """An answer of DescribeClusterNode."""
    placement = {"AvailabilityZone": "us-west-2b", "AvailabilityZoneId": "usw2-az2"}
    details = {
        **node_row(number),
        "Placement": placement,
        "CapacityType": "OnDemand",
        "PrivatePrimaryIp": f"10.0.0.{number}",
        **more,
    }
    return {"NodeDetails": details}


def plan_row(name: str = "reserved", **more: Any) -> dict[str, Any]:
    """An entry of ListTrainingPlans."""
    return {
        "TrainingPlanArn": PLAN_ARN,
        "TrainingPlanName": name,
        "Status": "Active",
        "StartTime": LAUNCHED,
        "EndTime": datetime(2026, 9, 1, 11, 30, tzinfo=UTC),
        "UpfrontFee": "1234.50",
        "CurrencyCode": "USD",
        "TotalInstanceCount": 4,
        "AvailableInstanceCount": 1,
        "InUseInstanceCount": 3,
        "TargetResources": ["hyperpod-cluster"],
        "ReservedCapacitySummaries": [
            {
                "ReservedCapacityArn": PLAN_ARN.replace("training-plan", "reserved-capacity"),
                "InstanceType": "ml.p5.48xlarge",
                "TotalInstanceCount": 4,
                "Status": "Active",
            }
        ],
        **more,
    }
