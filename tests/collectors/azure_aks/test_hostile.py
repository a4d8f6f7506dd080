"""Whatever stands at any place of an answer of AKS: facts of their own types come out, or none."""

import json
from typing import Any

import pytest

from app.collectors.azure_aks import mapping
from app.collectors.azure_aks.operations import OPERATIONS, POOLS, VERSIONS
from app.collectors.azure_reading import GRAPH
from app.domain.azure_aks import AksClusterFacts
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.replies import Parse, Reply, understood
from tests.collectors.azure_aks.answers import VERSIONS as OFFERED
from tests.collectors.azure_aks.answers import cluster, pools
from tests.collectors.test_hostile_answers import spoiled
from tests.support.documents import filled

FEEDS = {operation.name: operation.feeds for operation in OPERATIONS}
ANSWERS: dict[str, tuple[Parse, Any]] = {
    GRAPH: (mapping.cluster, cluster()),
    POOLS: (mapping.agent_pools, pools()),
    VERSIONS: (mapping.offered_versions, OFFERED),
}


@pytest.mark.parametrize("operation", list(ANSWERS))
def test_no_answer_breaks_what_follows(operation: str) -> None:
    parse, answer = ANSWERS[operation]
    checked = typed(AksClusterFacts, parse)
    for hostile in spoiled(answer):
        _, found = understood(Reply(Outcome.ANSWERED, hostile), FEEDS[operation], checked)
        facts = filled(AksClusterFacts, **found)
        stored = to_fact_set(facts, *derive(facts)).to_json()
        assert json.dumps(stored, allow_nan=False)
