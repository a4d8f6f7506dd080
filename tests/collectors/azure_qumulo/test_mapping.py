"""Qumulo as Azure tells it, and whatever else may stand in its place."""

import json
from pathlib import Path
from typing import Any

from app.collectors.azure_qumulo import mapping
from app.collectors.azure_qumulo.operations import OPERATIONS
from app.domain.azure_qumulo import AzureQumuloFileSystemFacts
from app.domain.collecting import Outcome
from app.domain.derive import derive
from app.domain.fact_check import typed
from app.domain.fact_schema import to_fact_set
from app.domain.replies import Reply, understood
from tests.collectors.test_hostile_answers import spoiled
from tests.support.azure_files import qumulo

WIRE = Path(__file__).parent / "wire" / "qumulo.filesystems.list.json"
ROW: Any = json.loads(WIRE.read_text("utf-8"))["value"][0]


def test_a_file_system_is_what_was_ordered_and_where() -> None:
    found = mapping.file_system(ROW)
    assert (found["storage_sku"], found["provisioning_state"]) == ("yhyzby", "Accepted")
    assert (found["login_url"], found["private_addresses"]) == (
        "ykaynsjvhihdthkkvvodjrgc",
        ("gzken",),
    )
    assert found["marketplace_status"] == "PendingFulfillmentStart"
    assert found["performance_tier"] is None


def test_no_answer_breaks_what_follows() -> None:
    _, operation = OPERATIONS
    parse = typed(AzureQumuloFileSystemFacts, mapping.file_system)
    for row in spoiled(ROW):
        reply, found = understood(Reply(Outcome.ANSWERED, row), operation.feeds, parse)
        assert reply.outcome in (Outcome.ANSWERED, Outcome.FAILED)
        facts = qumulo(**found)
        assert json.dumps(to_fact_set(facts, *derive(facts)).to_json(), allow_nan=False)
