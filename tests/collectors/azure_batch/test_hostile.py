"""Whatever stands at any place of an answer of Batch: facts of their types come out, or none."""

import json
from typing import Any

import pytest

from app.collectors.azure_batch import mapping
from app.collectors.azure_batch.operations import OPERATIONS
from app.domain.azure_batch import BatchAccountFacts, BatchPoolFacts
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.facts import FactDocument
from app.domain.replies import Parse, Reply, understood
from tests.collectors.azure_batch.answers import POOLS, QUOTAS, account, pool
from tests.collectors.test_hostile_answers import spoiled
from tests.support.documents import filled

FEEDS = {name for operation in OPERATIONS for name in operation.feeds}
ANSWERS: dict[str, tuple[type[FactDocument], Parse, Any]] = {
    "account": (BatchAccountFacts, mapping.account, account()),
    "names": (BatchAccountFacts, mapping.pool_names, POOLS),
    "quota": (BatchAccountFacts, mapping.region_quota, QUOTAS),
    "mode": (BatchPoolFacts, mapping.allocation_mode, account()),
    "pool": (BatchPoolFacts, mapping.pool, pool()),
}


@pytest.mark.parametrize("answer", list(ANSWERS))
def test_no_answer_breaks_what_follows(answer: str) -> None:
    kind, parse, good = ANSWERS[answer]
    feeds = tuple(parse(good))
    assert set(feeds) <= FEEDS
    for hostile in spoiled(good):
        _, found = understood(Reply(Outcome.ANSWERED, hostile), feeds, typed(kind, parse))
        facts = filled(kind, **found)
        assert json.dumps(to_fact_set(facts, *derive(facts)).to_json(), allow_nan=False)


def test_no_row_breaks_what_identifies_a_pool() -> None:
    for hostile in spoiled(pool()):
        if isinstance(hostile, dict) and isinstance(hostile.get("id", ""), str):
            assert mapping.labels(hostile) is None or isinstance(mapping.labels(hostile), dict)
            try:
                mapping.made_at(hostile, "/a")
            except (LookupError, TypeError, ValueError, AttributeError):
                continue
