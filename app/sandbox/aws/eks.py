"""How Amazon EKS answers: the clusters of the story, and the versions of Kubernetes."""

from collections.abc import Sequence
from datetime import UTC, datetime

from app.sandbox.aws.answers import Answerer, Json, Question, one_of, page_of
from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.story_eks import CLUSTERS, LOGS, Cluster
from app.sandbox.story import created_at

_NONE = "ResourceNotFoundException"
# Name, end of standard and of extended support (EKS user guide, Kubernetes versions).
_VERSIONS = (
    ("1.35", "2027-03-27", "2028-03-27", "STANDARD_SUPPORT"),
    ("1.34", "2026-12-02", "2027-12-02", "STANDARD_SUPPORT"),
    ("1.33", "2026-07-29", "2027-07-29", "EXTENDED_SUPPORT"),
    ("1.32", "2026-03-23", "2027-03-23", "EXTENDED_SUPPORT"),
    ("1.29", "2025-03-23", "2026-03-23", "UNSUPPORTED"),
)


def list_clusters(question: Question) -> Json:
    """`ListClusters`."""
    return _page(question, "clusters", sorted(_here(question)))


def describe_cluster(question: Question) -> Json:
    """`DescribeCluster`; AwsRefusal for a name that is not here."""
    return {"cluster": _document(_asked(question, "name"))}


def list_nodegroups(question: Question) -> Json:
    """`ListNodegroups`."""
    return _page(question, "nodegroups", list(_asked(question).groups))


def describe_nodegroup(question: Question) -> Json:
    """`DescribeNodegroup`; AwsRefusal for groups that are not there or not to be read."""
    cluster, name = _asked(question), str(question.params["nodegroupName"])
    if name in cluster.groups and cluster.groups[name] is None:
        message = f"User is not authorized to perform: eks:DescribeNodegroup on {name}"
        raise AwsRefusal(403, "AccessDeniedException", message)
    known = {group: more for group, more in cluster.groups.items() if more is not None}
    return {"nodegroup": _nodegroup(cluster, name, one_of(known, name, _NONE, 404))}


def list_addons(question: Question) -> Json:
    """`ListAddons`."""
    return _page(question, "addons", list(_asked(question).addons))


def describe_addon(question: Question) -> Json:
    """`DescribeAddon`; AwsRefusal for one that is not there."""
    cluster, name = _asked(question), str(question.params["addonName"])
    known = {addon: {"addonVersion": version} for addon, version in cluster.addons.items()}
    return {"addon": _addon(cluster, name, one_of(known, name, _NONE, 404))}


def describe_cluster_versions(question: Question) -> Json:
    """`DescribeClusterVersions`: what is out of support comes only with `includeAll`."""
    everything = question.params.get("includeAll")
    rows = [_version(*row) for row in _VERSIONS if everything or row[-1] != "UNSUPPORTED"]
    return _page(question, "clusterVersions", rows)


def _here(question: Question) -> dict[str, Cluster]:
    return {one.name: one for one in CLUSTERS if question.is_at(one.account, one.region)}


def _asked(question: Question, parameter: str = "clusterName") -> Cluster:
    name = str(question.params[parameter])
    found = _here(question).get(name)
    if found is None:
        raise AwsRefusal(404, _NONE, f"No cluster found for name: {name[:100]}.")
    return found


def _page(question: Question, member: str, rows: Sequence[object]) -> Json:
    return page_of(question, member, rows, token="nextToken", size="maxResults")  # noqa: S106 - names


def _document(cluster: Cluster) -> Json:
    key = [{"resources": ["secrets"], "provider": {"keyArn": cluster.key}}] if cluster.key else []
    off = [kind for kind in LOGS if kind not in cluster.logs]
    setups = [(list(cluster.logs), True), (off, False)]
    return {
        "name": cluster.name,
        "arn": cluster.arn,
        "createdAt": created_at(cluster.name),
        "version": cluster.version,
        "platformVersion": "eks.12",
        "status": "ACTIVE",
        "resourcesVpcConfig": {
            "endpointPublicAccess": bool(cluster.cidrs),
            "endpointPrivateAccess": True,
            "publicAccessCidrs": list(cluster.cidrs),
            "vpcId": "vpc-0c1e7200000000001",
        },
        "logging": {
            "clusterLogging": [{"types": types, "enabled": on} for types, on in setups if types]
        },
        "encryptionConfig": key,
        "health": {"issues": []},
        "upgradePolicy": {"supportType": cluster.support},
        "computeConfig": {"enabled": cluster.auto_mode},
        "deletionProtection": False,
        "tags": dict(cluster.tags),
    }


def _nodegroup(cluster: Cluster, name: str, more: Json) -> Json:
    where = f"{cluster.region}:{cluster.account.account_id}"
    return {
        "nodegroupName": name,
        "nodegroupArn": f"arn:aws:eks:{where}:nodegroup/{cluster.name}/{name}/c1e7",
        "clusterName": cluster.name,
        "version": cluster.version,
        "releaseVersion": f"{cluster.version}.0-20251112",
        "createdAt": created_at(f"{cluster.name} {name}"),
        "status": "ACTIVE",
        "health": {"issues": []},
        **more,
    }


def _addon(cluster: Cluster, name: str, more: Json) -> Json:
    bad = name in cluster.degraded
    few = {"code": "InsufficientNumberOfReplicas", "message": "The add-on lacks a running pod."}
    return {
        "addonName": name,
        "clusterName": cluster.name,
        "status": "DEGRADED" if bad else "ACTIVE",
        "health": {"issues": [few] if bad else []},
        "createdAt": created_at(f"{cluster.name} {name}"),
        **more,
    }


def _version(name: str, standard: str, extended: str, status: str) -> Json:
    return {
        "clusterVersion": name,
        "clusterType": "eks",
        "defaultVersion": name == _VERSIONS[0][0],
        "endOfStandardSupportDate": datetime.fromisoformat(standard).replace(tzinfo=UTC),
        "endOfExtendedSupportDate": datetime.fromisoformat(extended).replace(tzinfo=UTC),
        "status": status.lower().replace("_", "-"),
        "versionStatus": status,
    }


ANSWERS: dict[str, Answerer] = {
    "eks.ListClusters": list_clusters,
    "eks.DescribeCluster": describe_cluster,
    "eks.ListNodegroups": list_nodegroups,
    "eks.DescribeNodegroup": describe_nodegroup,
    "eks.ListAddons": list_addons,
    "eks.DescribeAddon": describe_addon,
    "eks.DescribeClusterVersions": describe_cluster_versions,
}
