"""How SageMaker answers for HyperPod: clusters, their nodes, shares of teams, training plans."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from app.sandbox.aws.answers import Answerer, Json, Question, one_of, page_of
from app.sandbox.aws.errors import AwsRefusal
from app.sandbox.aws.story_hyperpod import CLUSTERS, PLANS, QUOTAS, Cluster, Group, Plan
from app.sandbox.story import created_at, mixed

_RECENTLY = datetime(2026, 11, 2, 6, 15, tzinfo=UTC)
_OWNER = CLUSTERS[0]  # of the shares


def list_clusters(question: Question) -> Json:
    """`ListClusters`."""
    return page_of(question, "ClusterSummaries", [_summary(one) for one in _here(question)])


def describe_cluster(question: Question) -> Json:
    """`DescribeCluster`; AwsRefusal for one that is not here or not to be read."""
    cluster = _asked(question)
    if cluster.denied:
        message = f"not authorized to perform: sagemaker:DescribeCluster on {cluster.arn}"
        raise AwsRefusal(400, "AccessDeniedException", message)
    plain = [group for group in cluster.groups if not group.restricted]
    restricted = [group for group in cluster.groups if group.restricted]
    return {
        **{key: value for key, value in _summary(cluster).items() if key != "TrainingPlanArns"},
        "InstanceGroups": list(map(_group, plain)),
        **({"RestrictedInstanceGroups": list(map(_group, restricted))} if restricted else {}),
        "VpcConfig": {
            "SecurityGroupIds": [f"sg-{mixed(cluster.name):017x}"],
            "Subnets": [f"subnet-{mixed(cluster.name + cluster.zone_id):017x}"],
        },
        **cluster.more,
    }


def list_cluster_nodes(question: Question) -> Json:
    """`ListClusterNodes`: nodes without an instance come only when they are asked for."""
    with_ids = bool(question.params.get("IncludeNodeLogicalIds"))
    rows = [
        row if with_ids else {key: row[key] for key in row if key != "NodeLogicalId"}
        for row, _ in _nodes(_asked(question))
        if with_ids or row["InstanceId"]
    ]
    return page_of(question, "ClusterNodeSummaries", rows)


def describe_cluster_node(question: Question) -> Json:
    """`DescribeClusterNode`, by either id."""
    cluster, params = _asked(question), question.params
    key = "InstanceId" if params.get("NodeId") else "NodeLogicalId"
    found = {row[key]: {**row, **more} for row, more in _nodes(cluster) if row[key]}
    return {"NodeDetails": one_of(found, params.get("NodeId") or params.get("NodeLogicalId"))}


def list_tags(question: Question) -> Json:
    """`ListTags` of clusters and plans."""
    datasets = {one.arn: one.dataset.tags() for one in CLUSTERS}
    plans = {one.arn: {"owner": "atlas-llm", "cost-center": "ai-atlas-llm"} for one in PLANS}
    tags = one_of(datasets | plans, question.params.get("ResourceArn"))
    return page_of(question, "Tags", [{"Key": key, "Value": tags[key]} for key in tags])


def list_compute_quotas(question: Question) -> Json:
    """`ListComputeQuotas`; what one of the shares consists of is only told by describing it."""
    rows = [
        {key: value for key, value in quota.items() if lists or key != "ComputeQuotaConfig"}
        for quota, (_, _, lists) in zip(_quotas(), QUOTAS, strict=True)
    ]
    return page_of(question, "ComputeQuotaSummaries", rows if _is_owner_here(question) else [])


def describe_compute_quota(question: Question) -> Json:
    """`DescribeComputeQuota`."""
    known = {str(quota["ComputeQuotaId"]): quota for quota in _quotas()}
    found = known if _is_owner_here(question) else {}
    return one_of(found, question.params.get("ComputeQuotaId"))


def list_cluster_scheduler_configs(question: Question) -> Json:
    """`ListClusterSchedulerConfigs`."""
    where = f"{_OWNER.region}:{_OWNER.account.account_id}"
    row = {
        "ClusterSchedulerConfigArn": f"arn:aws:sagemaker:{where}:cluster-scheduler-config/cz1turns",
        "ClusterSchedulerConfigId": "cz1turns0001",
        "Name": "teams-take-turns",
        "Status": "Created",
        "CreationTime": created_at("teams-take-turns"),
        "ClusterArn": _OWNER.arn,
    }
    rows = [row] if _is_owner_here(question) else []
    return page_of(question, "ClusterSchedulerConfigSummaries", rows)


def list_training_plans(question: Question) -> Json:
    """`ListTrainingPlans`."""
    return page_of(question, "TrainingPlanSummaries", [_plan(one) for one in _plans(question)])


def describe_training_plan(question: Question) -> Json:
    """`DescribeTrainingPlan`."""
    known = {
        one.name: {
            **_plan(one),
            "UnhealthyInstanceCount": one.unhealthy,
            "AvailableSpareInstanceCount": 0,
        }
        for one in _plans(question)
    }
    return one_of(known, question.params.get("TrainingPlanName"))


def _here(question: Question) -> list[Cluster]:
    return [one for one in CLUSTERS if question.is_at(one.account, one.region)]


def _plans(question: Question) -> list[Plan]:
    return [one for one in PLANS if question.is_at(one.account, one.region)]


def _is_owner_here(question: Question) -> bool:
    return question.is_at(_OWNER.account, _OWNER.region)


def _asked(question: Question) -> Cluster:
    """The cluster of that name or ARN, which the API takes as well."""
    name = question.params.get("ClusterName")
    for one in _here(question):
        if name in (one.name, one.arn):
            return one
    raise AwsRefusal(400, "ResourceNotFound", f"Cluster with name {str(name)[:100]} not found")


def _summary(cluster: Cluster) -> Json:
    plans = sorted({(group.more or {}).get("TrainingPlanArn", "") for group in cluster.groups})
    return {
        "ClusterArn": cluster.arn,
        "ClusterName": cluster.name,
        "ClusterStatus": "InService",
        "CreationTime": created_at(cluster.name),
        "TrainingPlanArns": [plan for plan in plans if plan],
    }


def _group(group: Group) -> Json:
    return {
        "InstanceGroupName": group.name,
        "CurrentCount": group.current,
        "TargetCount": group.target,
        "Status": group.status,
        "ExecutionRole": f"arn:aws:iam::{_OWNER.account.account_id}:role/CierzoHyperPod",
        "ThreadsPerCore": 1,
        **(_one_type(group) if len(group.types) == 1 else _many_types(group)),
        **(group.more or {}),
    }


def _one_type(group: Group) -> Json:
    return {"InstanceType": group.types[0]}


def _many_types(group: Group) -> Json:
    types = list(group.types)
    counts = [
        group.current // len(types) + (at < group.current % len(types)) for at in range(len(types))
    ]
    return {
        "InstanceRequirements": {"CurrentInstanceTypes": types, "DesiredInstanceTypes": types},
        "InstanceTypeDetails": [
            {"InstanceType": name, "CurrentCount": count, "ThreadsPerCore": 1}
            for name, count in zip(types, counts, strict=True)
        ],
    }


def _nodes(cluster: Cluster) -> Iterator[tuple[Json, Json]]:
    """Each node as the list tells it, and what describing it adds."""
    for group in cluster.groups:
        for number in range(group.current + group.waiting):
            yield _node(cluster, group, number), _details(cluster, group, number)


def _node(cluster: Cluster, group: Group, number: int) -> Json:
    seed = f"{cluster.name} {group.name} {number}"
    waits = number >= group.current
    status = "Failure" if group.current - group.broken <= number < group.current else "Running"
    return {
        "InstanceGroupName": group.name,
        "InstanceId": "" if waits else f"i-0{mixed(seed):016x}",
        "NodeLogicalId": f"node-{mixed('logical ' + seed):08x}",
        "InstanceType": group.types[number % len(group.types)],
        "LaunchTime": _RECENTLY + timedelta(seconds=mixed(seed) % 86_400),
        "InstanceStatus": {"Status": "Pending" if waits else status},
    }


def _details(cluster: Cluster, group: Group, number: int) -> Json:
    spot = "Spot" in (group.more or {}).get("CapacityRequirements", {})
    capacity = {"CapacityType": "Spot" if spot else "OnDemand"}
    if number >= group.current:
        return capacity
    return {
        **capacity,
        "PrivatePrimaryIp": f"10.1.{mixed(cluster.name + group.name) % 250}.{10 + number}",
        "Placement": {
            "AvailabilityZone": f"{cluster.region}b",
            "AvailabilityZoneId": cluster.zone_id,
        },
    }


def _quotas() -> list[Json]:
    where = f"{_OWNER.region}:{_OWNER.account.account_id}"
    return [
        {
            "ComputeQuotaArn": f"arn:aws:sagemaker:{where}:compute-quota/cz1{team[:5]}",
            "ComputeQuotaId": f"cz1{team.replace('-', '')[:9]:0<9}",
            "Name": f"{team}-share",
            "ComputeQuotaVersion": 1,
            "Status": "Created",
            "ClusterArn": _OWNER.arn,
            "ComputeQuotaConfig": config,
            "ComputeQuotaTarget": {"TeamName": team, "FairShareWeight": 10},
            "ActivationState": "Enabled",
            "CreationTime": created_at(f"share of {team}"),
        }
        for team, config, _ in QUOTAS
    ]


def _plan(plan: Plan) -> Json:
    hours = int((plan.ends_at - plan.starts_at).total_seconds()) // 3600
    time = {"DurationHours": hours, "StartTime": plan.starts_at, "EndTime": plan.ends_at}
    active = plan.status == "Active"
    return {
        "TrainingPlanArn": plan.arn,
        "TrainingPlanName": plan.name,
        "Status": plan.status,
        **time,
        "UpfrontFee": plan.fee,
        "CurrencyCode": "USD",
        "TotalInstanceCount": plan.total,
        "AvailableInstanceCount": plan.total - plan.in_use if active else 0,
        "InUseInstanceCount": plan.in_use,
        "TargetResources": [plan.target],
        "ReservedCapacitySummaries": [
            {
                "ReservedCapacityArn": plan.arn.replace("training-plan", "reserved-capacity"),
                "ReservedCapacityType": "Instance",
                "InstanceType": plan.machine_type,
                "TotalInstanceCount": plan.total,
                "Status": plan.status,
                "AvailabilityZone": f"{plan.region}b",
                **time,
            }
        ],
    }


ANSWERS: dict[str, Answerer] = {
    "sagemaker.ListClusters": list_clusters,
    "sagemaker.DescribeCluster": describe_cluster,
    "sagemaker.ListClusterNodes": list_cluster_nodes,
    "sagemaker.DescribeClusterNode": describe_cluster_node,
    "sagemaker.ListTags": list_tags,
    "sagemaker.ListComputeQuotas": list_compute_quotas,
    "sagemaker.DescribeComputeQuota": describe_compute_quota,
    "sagemaker.ListClusterSchedulerConfigs": list_cluster_scheduler_configs,
    "sagemaker.ListTrainingPlans": list_training_plans,
    "sagemaker.DescribeTrainingPlan": describe_training_plan,
}
