"""The estate of the sandbox over its wires: every case has the verdicts that it was made for."""

from collections import Counter
from pathlib import Path

import pytest

from app.sandbox.estate import Estate
from app.sandbox.story import AWS_ACCOUNTS, SUBSCRIPTIONS
from app.web.resource_view import address_of
from tests.support.journeys import Journey, checks_on, csv_rows, pdf_words, seen_words, this_week

TABLE = Path(__file__).parent / "sandbox_verdicts.txt"
POLICIES = {
    "cool": "data-cools-in-time",
    "guard": "destructive-rule-guard",
    "enc": "encryption-at-rest",
    "inv": "inventory-configured",
    "acc": "last-access-tracking",
    "mpu": "multipart-uploads-aborted",
    "pub": "public-access-blocked",
    "arch": "redundancy-fits-archive",
    "hold": "replication-account-known",
    "rep": "replication-region-allowed",
    "soft": "soft-delete-on",
    "ver": "versioning-on",
    "target": "cluster-groups-at-target",
    "well": "cluster-groups-healthy",
    "mend": "hyperpod-node-recovery-on",
    "named": "hyperpod-script-bucket-named",
    "kept": "hyperpod-script-bucket-versioned",
    "plan": "training-plan-in-use",
    "rdma": "cluster-rdma-fits-phase",
    "addon": "eks-addons-healthy",
    "shut": "eks-endpoint-not-open",
    "paid": "eks-extended-support-not-paid",
    "key": "eks-secrets-encrypted",
    "drive": "eks-storage-driver-present",
    "kube": "eks-version-supported",
    "clus": "gpu-instance-in-cluster",
    "stop": "stopped-machine-removed",
    "imds": "instance-metadata-v2",
    "busy": "capacity-reservation-in-use",
    "att": "volume-attached",
    "snap": "snapshot-needed",
    "clear": "volume-encrypted",
    "img": "image-current",
    "exp": "fsx-changes-exported",
    "scr": "fsx-scratch-not-for-keeping",
    "fenc": "file-system-encrypted",
    "fbak": "file-system-backed-up",
    "link": "data-repository-healthy",
    "frep": "file-system-replica-region-allowed",
    "heal": "file-system-healthy",
    "cont": "lustre-container-linked",
    "fresh": "lustre-export-fresh",
    "keep": "lustre-export-keeps-up",
    "logs": "lustre-logs-beside-container",
    "grow": "lustre-expansion-done",
    "alloc": "netapp-pool-allocated",
    "nacool": "netapp-volume-cools",
    "kept-up": "netapp-replication-healthy",
    "prot": "netapp-volume-protected",
    "done": "datasync-task-succeeds",
    "dest": "datasync-destination-region-allowed",
    "door": "access-point-not-public",
    "mrap": "multi-region-access-point-region-allowed",
    "lens": "storage-lens-on",
    "aksv": "aks-version-supported",
    "aksd": "aks-gpu-driver-fits",
    "akso": "aks-api-not-open",
    "surv": "interruptible-work-survives",
    "zero": "accelerators-scale-to-zero",
    "bgro": "batch-pool-scales",
    "btlk": "batch-rdma-used",
    "bcon": "batch-gpu-in-containers",
    "svc": "ai-service-not-open",
    "idle": "rules-fit-account",
    "scope": "encryption-scope-fits-archive",
    "need": "object-replication-complete",
    "stay": "replication-stays-in-tenant",
    "back": "restore-window-covered",
    "lock": "immutability-locked",
    "told": "inventory-delivered",
    "geo": "geo-copy-current",
    "free": "stopped-machine-deallocated",
    "tole": "spot-machine-survives-eviction",
    "left": "spot-eviction-leaves-no-disks",
    "fit": "machine-rdma-fits-phase",
    "fam": "gpu-image-family",
    "dsvm": "data-science-image-current",
    "fast": "accelerated-networking-on",
    "size": "machine-type-current",
    "orch": "gpu-machine-orchestrated",
    "one": "infiniband-set-in-one-place",
    "gone": "disk-export-closed",
    "room": "gpu-quota-left",
    "early": "minimum-time-in-tier",
    "mlw": "ml-workspace-not-open",
    "give": "ml-cluster-gives-back",
    "off": "ml-instance-shuts-down",
    "ssh": "ml-compute-no-public-ssh",
    "here": "ai-deployment-stays-in-region",
    "pin": "ai-deployment-version-pinned",
    "jfit": "job-machine-fits",
    "jrdma": "job-training-uses-rdma",
    "jinf": "job-inference-without-rdma",
    "jspot": "job-spot-survives-eviction",
    "jckpt": "job-checkpoints-regularly",
    "jdata": "job-data-on-file-system",
    "jorch": "job-orchestrated",
    "jhand": "job-by-hand-practices",
    "jgpu": "job-container-ready-for-gpus",
    "jout": "job-scratch-exported",
}
WORDS = {"yes": "compliant", "NO": "non_compliant", "?": "unknown", ".": "not_applicable"}
# What policies say of each account; the accounts are no cases.
OF_ACCOUNTS = {
    # The account whose own credentials answer need not be judged.
    "account-active": Counter(not_applicable=1, compliant=len(AWS_ACCOUNTS) - 1),
    "account-regions-allowed": Counter(compliant=len(AWS_ACCOUNTS)),
    "subscription-enabled": Counter(compliant=len(SUBSCRIPTIONS)),
}
# A rule may also name no account for a bucket of somebody else.
WHYS = (
    "AccessDenied",
    "AuthorizationFailed",
    "Unknown",
    "account_id is absent",
    "ToldByOntapAlone",
    "ToldByQumuloAlone",
    "NotTold",
    "StillRunning",
    "Passing",
    "ResourceNotFound",
    "NotDeclared",
)
# A partner's bucket, and a machine that is none of our business.
NOT_OURS = {"hospital-dr-copy", "bastion-fra"}
Verdicts = dict[str, dict[str, str]]


def expected() -> Verdicts:
    """The tables: verdict by policy by name; a policy that is not for the kind is left out."""
    lines = [line.split() for line in TABLE.read_text("utf-8").splitlines() if line]
    heads: list[str] = []
    found: Verdicts = {}
    for name, *cells in lines:
        if name == "name":
            heads = cells
        elif name != "#":
            named = zip(heads, cells, strict=True)
            row = {POLICIES[head]: WORDS[cell] for head, cell in named if cell != "-"}
            found.setdefault(name, {}).update(row)
    return found


EXPECTED = expected()


def judged(estate: Journey) -> Verdicts:
    """Verdicts by name as the API lists them policy by policy."""
    found: Verdicts = {}
    for policy_id in POLICIES.values():
        for row in estate.every(f"/policies/{policy_id}/verdicts"):
            found.setdefault(row["resource_name"], {})[policy_id] = row["verdict"]
    return found


def differences(found: Verdicts) -> list[str]:
    both = [
        (f"{name} {policy_id}", row.get(policy_id), found.get(name, {}).get(policy_id))
        for name, row in EXPECTED.items()
        for policy_id in POLICIES.values()
    ]
    return [f"{what}: {wanted} is right, not {got}" for what, wanted, got in both if wanted != got]


def test_the_table_has_every_case_of_the_estate() -> None:
    cases = {case.name for case in Estate().cases()} - NOT_OURS
    assert set(EXPECTED) == cases


def test_every_case_is_seen_and_nothing_else(estate: Journey) -> None:
    assert set(estate.resources()) == set(EXPECTED)


def test_the_api_says_the_right_verdict_of_every_case(estate: Journey) -> None:
    found = judged(estate)
    assert differences(found) == []
    assert set(found) == set(EXPECTED)


def test_the_page_of_every_case_draws_the_right_verdicts(estate: Journey) -> None:
    listed = estate.resources()
    drawn = {
        name: checks_on(estate.page(address_of(row["kind"], row["id"])))
        for name, row in listed.items()
    }
    assert differences(drawn) == []


def test_every_breach_has_one_open_finding_and_nothing_else_has(estate: Journey) -> None:
    breaches = sorted(
        (name, policy_id)
        for name, row in EXPECTED.items()
        for policy_id, verdict in row.items()
        if verdict == "non_compliant"
    )
    findings = estate.findings()
    assert sorted((one["resource_name"], one["policy_id"]) for one in findings) == breaches
    assert {one["state"] for one in findings} == {"open"}


def test_every_unknown_says_why(estate: Journey) -> None:
    for policy_id in POLICIES.values():
        for row in estate.every(f"/policies/{policy_id}/verdicts", verdict="unknown"):
            why = " ".join(row["reasons"])
            assert any(word in why for word in WHYS), row


def counts_of(policy_id: str) -> Counter[str]:
    if policy_id in OF_ACCOUNTS:
        return OF_ACCOUNTS[policy_id].copy()
    return Counter(row[policy_id] for row in EXPECTED.values() if policy_id in row)


def test_policies_count_what_the_table_counts(estate: Journey) -> None:
    for row in estate.every("/policies"):
        counted = {word: row[word] for word in WORDS.values() if row[word]}
        assert counted == counts_of(row["id"]), row["id"]


@pytest.fixture
def week() -> str:
    return this_week()


def test_the_weekly_report_counts_what_the_table_counts(estate: Journey, week: str) -> None:
    made = estate.report(week)
    assert made["sandbox"] is True
    nodes = estate.resources(kind="hyperpod_node")
    accounts = len(AWS_ACCOUNTS) + len(SUBSCRIPTIONS)
    assert made["resources"] == len(EXPECTED) + accounts + len(nodes)
    assert made["open_total"] == sum(counts_of(one)["non_compliant"] for one in POLICIES.values())
    for line in made["policies"]:
        wanted = counts_of(line["policy_id"])
        assert line["not_applicable"] == wanted.pop("not_applicable", 0)
        assert {word: n for word, n in line["counts"].items() if n} == wanted


def test_the_report_is_the_same_in_its_four_formats(estate: Journey, week: str) -> None:
    made = estate.report(week)
    ids = {line["id"] for line in made["open_at_end"]}
    assert ids == {one["id"] for one in estate.findings("open")}
    rows = csv_rows(estate.file(week, "csv"))
    assert {row["id"] for row in rows} == ids
    sheet = seen_words(estate.file(week, "html").decode())
    paper = pdf_words(estate.file(week, "pdf"))
    assert made["open_total"] == len(ids)
    for text in (sheet, paper, estate.words(f"/reports/{week}")):
        assert "Cierzo" not in text  # no organisation was set
        assert made["digest"][:23] in text
        assert "stradiologybrs" in text
