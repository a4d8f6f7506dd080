"""The page about the language tells the truth."""

import re
from pathlib import Path

import pytest

from app.policies.language import check
from tests.policies.language.conftest import SCOPE, Refuse

PAGE = (Path(__file__).parents[3] / "docs" / "policy-language.md").read_text(encoding="utf-8")
EXAMPLES = [
    line
    for block in re.findall(r"```cel\n(.*?)```", PAGE, re.DOTALL)
    for line in block.splitlines()
]


@pytest.mark.parametrize("source", EXAMPLES)
def test_every_example_is_accepted(source: str) -> None:
    assert check(source, SCOPE).source == source


def test_the_error_is_shown_as_it_is(refuse: Refuse) -> None:
    [shown] = re.findall(r"```text\n(.*?)\n```", PAGE, re.DOTALL)
    assert str(refuse("facts.versioning_status == 'Enabeld'")) == shown
    assert len(EXAMPLES) == 10
