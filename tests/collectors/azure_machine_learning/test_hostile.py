"""Whatever stands at any place of an answer: facts of their own types come out, or none."""

import json
from typing import Any

import pytest

from app.collectors.azure_machine_learning import mapping
from app.domain.azure_machine_learning import MlComputeFacts, MlWorkspaceFacts
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import FactDocument
from app.domain.replies import Parse, Reply, understood
from tests.collectors.azure_machine_learning.answers import NODES, cluster, instance, workspace
from tests.collectors.test_hostile_answers import spoiled
from tests.support.documents import filled

ANSWERS: dict[str, tuple[type[FactDocument], Parse, Any]] = {
    "workspace": (MlWorkspaceFacts, mapping.workspace, workspace()),
    "names": (MlWorkspaceFacts, mapping.compute_names, {"value": [cluster()]}),
    "cluster": (MlComputeFacts, mapping.compute, cluster()),
    "instance": (MlComputeFacts, mapping.compute, instance()),
    "nodes": (MlComputeFacts, mapping.nodes, NODES),
}


@pytest.mark.parametrize("answer", list(ANSWERS))
def test_no_answer_breaks_what_follows(answer: str) -> None:
    kind, parse, good = ANSWERS[answer]
    for hostile in spoiled(good):
        reply = Reply(Outcome.ANSWERED, hostile)
        _, found = understood(reply, tuple(parse(good)), typed(kind, parse))
        facts = filled(kind, **found)
        assert json.dumps(to_fact_set(facts, *derive(facts)).to_json(), allow_nan=False)
