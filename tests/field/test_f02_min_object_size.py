"""F02: small objects stay in the dear class although the rule is right on paper."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.collectors.aws_s3.mapping import lifecycle
from app.domain.collecting import Provider
from app.domain.compliance import Verdict
from app.domain.facts import Present
from app.domain.storage_lifecycle import Circumstances
from app.domain.storage_sizes import DueObjects, Fate, StoredObject, objects_due

INPUT = json.loads(
    (Path(__file__).parent / "inputs" / "f02_min_object_size.json").read_text("utf-8")
)
OBJECTS = [
    StoredObject(item["key"], item["size"], item["age_days"], item["storage_class"])
    for item in INPUT["objects"]
]


def due(answer: Any, objects: list[StoredObject] = OBJECTS) -> DueObjects:
    facts = lifecycle(answer)
    small = facts["transition_default_minimum_object_size"]
    return objects_due(
        objects,
        facts["lifecycle_rules"],
        prefix=INPUT["policy"]["dataset_prefix"],
        limit_days=INPUT["policy"]["max_days_in_hot"],
        at=Circumstances(Provider.AWS, small_objects=Present(small)),
    )


def test_the_default_leaves_small_objects_behind() -> None:
    found = due(INPUT["config_a"])
    assert found.due == 4
    assert (found.count(Fate.MOVES), found.size_bytes(Fate.MOVES)) == (2, 5_131_072)
    assert (found.count(Fate.NEVER_MOVES), found.size_bytes(Fate.NEVER_MOVES)) == (2, 135_167)
    assert found.count(Fate.NOT_DUE) == 1
    assert found.verdict is Verdict.NON_COMPLIANT


def test_an_own_size_filter_moves_them() -> None:
    found = due(INPUT["config_b"])
    assert found.due == 4
    assert (found.count(Fate.MOVES), found.size_bytes(Fate.MOVES)) == (4, 5_266_239)
    assert found.count(Fate.NEVER_MOVES) == 0
    assert found.verdict is Verdict.COMPLIANT


def config(default: str, storage_class: str, **conditions: int) -> dict[str, Any]:
    return {
        "TransitionDefaultMinimumObjectSize": default,
        "Rules": [
            {
                "ID": "r",
                "Status": "Enabled",
                "Filter": {"And": {"Prefix": "imgs/", **conditions}},
                "Transitions": [{"Days": 30, "StorageClass": storage_class}],
            }
        ],
    }


ALL, VARIES = "all_storage_classes_128K", "varies_by_storage_class"


@pytest.mark.parametrize(
    ("answer", "staying"),
    [
        (config(ALL, "GLACIER"), {"b", "c"}),
        (config(VARIES, "GLACIER"), set()),
        (config(VARIES, "DEEP_ARCHIVE"), set()),
        (config(VARIES, "STANDARD_IA"), {"b", "c"}),
        (config(VARIES, "INTELLIGENT_TIERING"), {"b", "c"}),
        (config(ALL, "STANDARD_IA", ObjectSizeGreaterThan=4096), {"c"}),
        (config(ALL, "STANDARD_IA", ObjectSizeGreaterThan=4095), set()),
        (config(ALL, "STANDARD_IA", ObjectSizeLessThan=131_072), {"a", "d"}),
        (config(ALL, "STANDARD"), {"a", "b", "c", "d"}),
    ],
)
def test_the_whole_kind(answer: Any, staying: set[str]) -> None:
    found = due(answer)
    stays = {
        item.key.removeprefix("imgs/")[0] for item, fate in found.fates if fate is Fate.NEVER_MOVES
    }
    assert stays == staying
    assert (found.verdict is Verdict.COMPLIANT) is (not staying)


def test_expiry_takes_small_objects_too() -> None:
    answer = config(ALL, "STANDARD_IA")
    del answer["Rules"][0]["Transitions"]
    answer["Rules"][0]["Expiration"] = {"Days": 30}
    assert due(answer).verdict is Verdict.COMPLIANT
