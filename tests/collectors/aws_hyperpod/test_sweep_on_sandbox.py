"""The collector against the story of the sandbox, which plays what moto cannot."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace

import pytest

from app.collectors.aws_hyperpod.operations import OPERATIONS
from app.domain.cluster import ClusterFacts
from app.domain.collecting import Cell, Connection
from app.domain.derive import derive
from app.domain.facts import ABSENT, Present, Unreadable
from app.domain.hyperpod import (
    HyperpodClusterFacts,
    HyperpodNodeFacts,
    SchedulerConfig,
    ScriptBucket,
)
from app.domain.training_plan import TrainingPlanFacts
from app.sandbox.aws.estate import SCRIPTED, AwsEstate
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Effect, Fault
from app.sandbox.story import (
    AWS_ACCOUNTS,
    AWS_PLATFORM,
    AWS_RESEARCH,
    AWS_TRAINING,
    EXTERNAL_ID,
    FRA,
    PDX,
    ROLE_NAME,
    AwsAccount,
)
from tests.collectors.aws_hyperpod.conftest import Swept, sweep
from tests.support.aws_fixtures import aws_connection

# What else is lost with a call: what is asked only after it answered.
AFTER = {
    "sagemaker:DescribeCluster": {"script_buckets", "machine_type_details"},
    "sagemaker:DescribeComputeQuota": {"compute_quotas"},
}
# Behind the first stands our own table; the others cost a part of a fact.
OTHERWISE_TOLD = {
    "ec2:DescribeInstanceTypes",
    "sagemaker:DescribeCluster",
    "s3:GetBucketVersioning",
}
SCRIPT_BUCKETS = {
    "sagemaker-hyperpod-usw2-lifecycle",
    "cierzo-labels-raw-fra",
    "cierzo-platform-artifacts",
}


@pytest.fixture(scope="module")
def whole_server() -> Iterator[AwsServer]:
    buckets = [one for one in SCRIPTED if one.name in SCRIPT_BUCKETS]
    with AwsServer(AwsEstate(scripted=buckets)) as found:
        yield found


@pytest.fixture(scope="module")
def training(whole_server: AwsServer) -> Swept:
    """What is read of the training account where nothing fails."""
    return sweep(connection(whole_server, AWS_TRAINING, PDX))


@pytest.fixture
def server(whole_server: AwsServer) -> Iterator[AwsServer]:
    whole_server.calls.clear()
    yield whole_server
    whole_server.faults.clear()


def connection(server: AwsServer, account: AwsAccount, region: str) -> Connection:
    key = {
        "mode": "access_key",
        "access_key_id": server.access_key_id,
        "secret_access_key": "env:AWS_SECRET",
    }
    members = {"role_name": ROLE_NAME, "external_id": EXTERNAL_ID}
    account_id = "" if account == AWS_PLATFORM else account.account_id
    made = aws_connection(
        server.endpoint, credentials=key, organization=members, cell=Cell(account_id, region)
    )
    return replace(made, secret=lambda _: server.secret_access_key)


def derived(swept: Swept, name: str) -> ClusterFacts:
    (found,) = derive(swept.facts(name, HyperpodClusterFacts))
    assert isinstance(found, ClusterFacts)
    return found


def test_a_cluster_of_many_kinds_of_groups(training: Swept) -> None:
    found = derived(training, "hyperpod-usw2")
    assert found.orchestrator == Present("eks")
    assert (found.machine_count, found.machine_target_count) == (Present(19), Present(21))
    # 12 x 8 H200, 2 (of 4) x 8 and 1 x 8 H100, 4 A10G and 4 L4
    assert found.accelerator_count == Present(96 + 16 + 8 + 8)
    assert found.accelerator_target_count == Present(96 + 32 + 8 + 8)
    assert found.accelerator_models == Present(
        ("NVIDIA A10G", "NVIDIA H100", "NVIDIA H200", "NVIDIA L4")
    )
    assert found.capacities == Present(("on_demand", "spot", "training_plan"))
    assert found.groups_below_target == Present(("finetune",))
    assert found.groups_unhealthy == Present(("finetune",))
    assert found.groups_with_rdma == Present(("train", "finetune", "evaluate", "nova"))
    assert isinstance(found.machine_groups, Present)
    assert [one.name for one in found.machine_groups.value if one.is_restricted] == ["nova"]


def test_what_a_cluster_says_of_itself(training: Swept) -> None:
    facts = training.facts("hyperpod-usw2", HyperpodClusterFacts)
    eks = "arn:aws:eks:us-west-2:444455556666:cluster/hyperpod-eks"
    assert facts.eks_cluster_arn == Present(eks)
    assert facts.node_recovery == Present("Automatic")
    assert facts.node_provisioning_mode == Present("Continuous")
    assert facts.tiered_storage_memory_percent == Present(20)
    assert (facts.slurm_strategy, facts.failure_message) == (ABSENT, ABSENT)
    assert isinstance(facts.file_system_mounts, Present)
    assert [(one.group, one.kind) for one in facts.file_system_mounts.value] == [
        ("train", "lustre")
    ]
    assert (training.found["hyperpod-usw2"].tags or {})["owner"] == "atlas-llm"


def test_scripts_without_versions_are_seen_and_foreign_ones_never_read(training: Swept) -> None:
    facts = training.facts("hyperpod-usw2", HyperpodClusterFacts)
    name = "sagemaker-hyperpod-usw2-lifecycle"
    assert facts.lifecycle_script_buckets == Present((name,))
    assert facts.script_buckets == Present((ScriptBucket(name, "", ""),))
    assert training.reports["s3:GetBucketVersioning"].asked == 1


def test_shares_are_read_even_where_the_list_leaves_their_machines_out(training: Swept) -> None:
    facts = training.facts("hyperpod-usw2", HyperpodClusterFacts)
    assert isinstance(facts.compute_quotas, Present)
    shares = {one.team: one for one in facts.compute_quotas.value}
    assert shares["atlas-llm"].resources[0].machine_count == 8
    assert shares["atlas-llm"].borrow_limit_percent == 100
    part = shares["speech"].resources[0]
    assert (part.machine_count, part.partition_type, part.partition_count) == (
        None,
        "mig-1g.18gb",
        14,
    )
    assert shares["radiology"].resources[0].accelerator_count == 8
    assert training.reports["sagemaker:DescribeComputeQuota"].answered == 1
    assert facts.scheduler_configs == Present((SchedulerConfig("teams-take-turns", "Created"),))


def test_every_machine_is_described_where_only_sagemaker_knows_it(server: AwsServer) -> None:
    swept = sweep(connection(server, AWS_TRAINING, PDX))
    nodes = swept.of_kind(HyperpodNodeFacts)
    assert len(nodes) == 19 + 1  # one more is on its way
    arn = swept.found["hyperpod-usw2"].native_id
    assert {one.parent_native_id for one in nodes} == {arn}
    facts = [swept.facts(one.name, HyperpodNodeFacts) for one in nodes]
    groups = Counter(one.instance_group for one in facts)
    assert groups[Present("train")] == 12
    trained = next(one for one in facts if one.instance_group == Present("train"))
    assert trained.accelerator_count == Present(8)
    assert trained.accelerator_model == Present("NVIDIA H200")
    assert trained.availability_zone_id == Present("usw2-az2")
    assert trained.rdma_interfaces == Present(32)
    operations = {operation.partition(".")[2] for operation in server.calls.counts()}
    assert operations.isdisjoint({"DescribeInstances", "DescribeInstanceStatus"})


def test_a_machine_that_is_being_made_has_no_instance_and_no_place(training: Swept) -> None:
    facts = [
        training.facts(one.name, HyperpodNodeFacts) for one in training.of_kind(HyperpodNodeFacts)
    ]
    (waiting,) = [one for one in facts if one.node_status == Present("Pending")]
    assert (waiting.instance_id, waiting.availability_zone) == (ABSENT, ABSENT)
    assert waiting.accelerator_count == Present(8)


def test_training_plans_tell_how_much_of_them_works(training: Swept) -> None:
    plans = {one.name: one for one in training.of_kind(TrainingPlanFacts)}
    assert len(plans) == 4
    idle = training.facts("atlas-h100-2026q4", TrainingPlanFacts)
    assert (idle.plan_status, idle.in_use_machine_count) == (Present("Active"), Present(0))
    assert (idle.total_machine_count, idle.available_machine_count) == (Present(4), Present(4))
    assert (idle.upfront_fee, idle.currency) == (Present("355622.40"), Present("USD"))
    assert idle.target_resources == Present(("training-job",))


def test_slurm_of_its_own_making(server: AwsServer) -> None:
    swept = sweep(connection(server, AWS_RESEARCH, FRA))
    facts = swept.facts("slurm-eval-fra", HyperpodClusterFacts)
    assert facts.node_recovery == Present("None")
    assert derived(swept, "slurm-eval-fra").orchestrator == Present("slurm")
    assert facts.compute_quotas == Present(())
    assert len(swept.of_kind(HyperpodNodeFacts)) == 3


def test_neuron_devices_are_accelerators_too(server: AwsServer) -> None:
    swept = sweep(connection(server, AWS_PLATFORM, "eu-west-1"))
    found = derived(swept, "hyperpod-pilot-dub")
    assert found.accelerator_count == Present(16)
    assert found.accelerator_models == Present(("AWS Trainium",))


def test_a_cluster_that_nobody_may_describe_costs_its_own_facts_alone(server: AwsServer) -> None:
    swept = sweep(connection(server, AWS_PLATFORM, "us-east-1"))
    facts = swept.facts("hyperpod-sealed-use1", HyperpodClusterFacts)
    denied = Unreadable("AccessDeniedException")
    assert (facts.instance_groups, facts.script_buckets) == (denied, denied)
    assert facts.cluster_status == Present("InService")
    assert derived(swept, "hyperpod-sealed-use1").groups_below_target == denied
    assert derived(swept, "hyperpod-sealed-use1").orchestrator == denied
    assert len(swept.of_kind(HyperpodNodeFacts)) == 1
    # Whether it has machines that are still being made is not known, so none of them is gone.
    cut = {one.kind: one.code for one in swept.listings.values() if not one.complete}
    assert cut == {HyperpodNodeFacts.KIND: "AccessDeniedException"}


@pytest.mark.parametrize("account", AWS_ACCOUNTS, ids=lambda account: account.name)
def test_a_region_without_anything_costs_two_lists(account: AwsAccount, server: AwsServer) -> None:
    swept = sweep(connection(server, account, "eu-west-3"))
    assert swept.found == {}
    assert {one.complete for one in swept.listings.values()} == {True}
    assert {name: one.asked for name, one in swept.reports.items()} == {
        "sagemaker:ListClusters": 1,
        "sagemaker:ListTrainingPlans": 1,
    }


def test_every_call_of_the_collector_has_an_answer(training: Swept) -> None:
    assert training.reports.keys() == {operation.name for operation in OPERATIONS}
    assert {one.answered > 0 for one in training.reports.values()} == {True}


@pytest.mark.parametrize("denied", [operation.name for operation in OPERATIONS])
def test_a_denied_call_costs_its_own_facts_alone(
    denied: str, server: AwsServer, training: Swept
) -> None:
    server.faults.add(Fault(operation=denied.replace(":", "."), status=403, code="AccessDenied"))
    swept = sweep(connection(server, AWS_TRAINING, PDX))
    fed = {name for one in OPERATIONS if one.name == denied for name in one.feeds}
    for name, seen in swept.found.items():
        for fact in fields(seen.facts):
            here, there = (getattr(one.found[name].facts, fact.name) for one in (swept, training))
            assert here == there or fact.name in fed | AFTER.get(denied, set()), (name, fact.name)
            assert here == there or isinstance(here, Unreadable) or denied in OTHERWISE_TOLD
    assert swept.reports[denied].denied > 0


@pytest.mark.parametrize("listed", ["ListClusters", "ListClusterNodes", "ListTrainingPlans"])
def test_lists_in_circles_end_and_are_not_taken_for_whole(listed: str, server: AwsServer) -> None:
    server.faults.add(Fault(operation=f"sagemaker.{listed}", effect=Effect.REPEATED_NEXT))
    swept = sweep(connection(server, AWS_TRAINING, PDX))
    cut = {kind for kind, one in swept.listings.items() if not one.complete}
    assert (
        cut
        == {
            "ListClusters": {"hyperpod_cluster", "hyperpod_node"},
            "ListClusterNodes": {"hyperpod_node"},
            "ListTrainingPlans": {"sagemaker_training_plan"},
        }[listed]
    )
    assert {swept.listings[kind].code for kind in cut} == {"RepeatedToken"}
