"""Answers of EKS as botocore parses them; every argument has a default."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

CREATED_AT = datetime(2026, 1, 8, 7, 30, tzinfo=timezone(timedelta(hours=1)))
KEY = "arn:aws:kms:us-west-2:123456789012:key/k"
ISSUE = {"code": "AccessDenied", "message": "no right", "resourceIds": ["r"]}


def cluster(name: str = "train", **more: Any) -> dict[str, Any]:
    """DescribeCluster: open to the internet, on 1.33, as EKS makes one by default."""
    found: dict[str, Any] = {
        "name": name,
        "arn": f"arn:aws:eks:us-west-2:123456789012:cluster/{name}",
        "createdAt": CREATED_AT,
        "version": "1.33",
        "platformVersion": "eks.12",
        "status": "ACTIVE",
        "resourcesVpcConfig": {
            "endpointPublicAccess": True,
            "endpointPrivateAccess": False,
            "publicAccessCidrs": ["0.0.0.0/0"],
        },
        "logging": {
            "clusterLogging": [
                {"types": ["audit", "api"], "enabled": True},
                {"types": ["scheduler"], "enabled": False},
            ]
        },
        "encryptionConfig": [],
        "health": {"issues": []},
        "upgradePolicy": {"supportType": "EXTENDED"},
        "computeConfig": {"enabled": False},
        "deletionProtection": False,
        "tags": {"owner": "atlas"},
    }
    return {"cluster": {key: value for key, value in (found | more).items() if value is not None}}


def nodegroup(name: str = "gpu", **more: Any) -> dict[str, Any]:
    """DescribeNodegroup: two of at most eight machines on demand."""
    found: dict[str, Any] = {
        "nodegroupName": name,
        "clusterName": "train",
        "version": "1.33",
        "releaseVersion": "1.33.0-20251112",
        "status": "ACTIVE",
        "capacityType": "ON_DEMAND",
        "scalingConfig": {"minSize": 0, "desiredSize": 2, "maxSize": 8},
        "instanceTypes": ["p5.4xlarge"],
        "amiType": "AL2023_x86_64_NVIDIA",
        "health": {"issues": []},
    }
    return {"nodegroup": {key: value for key, value in (found | more).items() if value is not None}}


def addon(name: str = "coredns", **more: Any) -> dict[str, Any]:
    """DescribeAddon: active and without issues."""
    found: dict[str, Any] = {
        "addonName": name,
        "clusterName": "train",
        "status": "ACTIVE",
        "addonVersion": "v1",
        "health": {"issues": []},
    }
    return {"addon": found | more}


def version(name: str = "1.33", **more: Any) -> dict[str, Any]:
    """One row of DescribeClusterVersions: in extended support."""
    found: dict[str, Any] = {
        "clusterVersion": name,
        "clusterType": "eks",
        "endOfStandardSupportDate": datetime(2026, 7, 29, tzinfo=UTC),
        "endOfExtendedSupportDate": datetime(2027, 7, 29, tzinfo=UTC),
        "status": "extended-support",
        "versionStatus": "EXTENDED_SUPPORT",
    }
    return {key: value for key, value in (found | more).items() if value is not None}
