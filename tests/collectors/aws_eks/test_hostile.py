"""Whatever stands at any place of an answer of EKS: facts of their own types come out, or none."""

import json
from typing import Any

import pytest

from app.collectors.aws_eks import mapping
from app.collectors.aws_eks.operations import (
    ADDON,
    ADDONS,
    BY_NAME,
    CLUSTER,
    GROUP,
    GROUPS,
    VERSIONS,
)
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.eks import EksClusterFacts
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import Present
from app.domain.replies import Parse, Reply, understood
from tests.collectors.aws_eks.answers import ISSUE, KEY, addon, cluster, nodegroup, version
from tests.collectors.test_hostile_answers import spoiled
from tests.support.clusters import eks_cluster

ENCRYPTION = [{"resources": ["secrets"], "provider": {"keyArn": KEY}}]
ANSWERS: dict[str, tuple[Parse, Any]] = {
    CLUSTER: (
        mapping.cluster,
        cluster(encryptionConfig=ENCRYPTION, health={"issues": [ISSUE]}),
    ),
    GROUPS: (mapping.nodegroup_names, {"nodegroups": ["gpu"]}),
    GROUP: (mapping.nodegroup, nodegroup(health={"issues": [ISSUE]})),
    ADDONS: (mapping.addon_names, {"addons": ["coredns"]}),
    ADDON: (mapping.addon, addon(health={"issues": [ISSUE]})),
    VERSIONS: (mapping.support, version()),
}


@pytest.mark.parametrize("operation", list(ANSWERS))
def test_no_answer_breaks_what_follows(operation: str) -> None:
    parse, answer = ANSWERS[operation]
    for hostile in spoiled(answer):
        _, found = understood(
            Reply(Outcome.ANSWERED, hostile),
            BY_NAME[operation].feeds,
            typed(EksClusterFacts, parse),
        )
        facts = eks_cluster(**found)
        stored = to_fact_set(facts, *derive(facts)).to_json()
        assert json.dumps(stored, allow_nan=False)


def test_a_cluster_that_is_understood_can_be_identified() -> None:
    parse = typed(EksClusterFacts, mapping.cluster)
    for hostile in spoiled(ANSWERS[CLUSTER][1]):
        reply = Reply(Outcome.ANSWERED, hostile)
        _, found = understood(reply, BY_NAME[CLUSTER].feeds, parse)
        if isinstance(found["cluster_status"], Present):
            assert mapping.identity(hostile).arn


def test_no_row_breaks_the_search_for_a_version() -> None:
    for rows in spoiled([version()]):
        if isinstance(rows, list):
            assert mapping.version_row(rows, "1.33") in (None, *rows)
