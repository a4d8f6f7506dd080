"""Samples of a resource: the ids it goes by, and the kinds of thing that are measured."""

import pytest

from app.domain.fact_kinds import FACT_KINDS
from app.domain.measured import SUBJECT_KINDS, subject_ids


@pytest.mark.parametrize(
    ("native_id", "ids"),
    [
        ("arn:aws:s3:::corpus", ("arn:aws:s3:::corpus",)),
        ("arn:aws:ec2:x:1:instance/i-1", ("arn:aws:ec2:x:1:instance/i-1", "i-1")),
        ("ends/", ("ends/",)),
    ],
)
def test_a_resource_goes_by_its_id_and_the_last_part_of_it(
    native_id: str, ids: tuple[str, ...]
) -> None:
    assert subject_ids(native_id) == ids


def test_only_what_is_a_kind_of_resource_has_samples() -> None:
    assert SUBJECT_KINDS.keys() <= FACT_KINDS.keys()
