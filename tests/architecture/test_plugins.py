"""Plug-ins are found by walking, and their ids are their paths."""

from pathlib import Path

import pytest
import typer

import app.commands
from app.cli import gather
from app.collectors.registry import collectors
from app.domain.fact_kinds import FACT_KINDS
from app.kit.discover import modules
from app.policies.registry import built_in

ROOT = Path(__file__).parents[2]


def test_every_policy_file_is_found_under_its_id_and_area() -> None:
    files = {path.relative_to(ROOT / "app/policies") for path in ROOT.glob("app/policies/*/*.yaml")}
    assert {Path(f"{policy.area}/{policy.id}.yaml") for policy in built_in().values()} == files
    assert len(files) >= 10


def test_policies_apply_only_to_kinds_that_have_facts() -> None:
    kinds = {kind for policy in built_in().values() for kind in policy.applies_to}
    assert kinds <= set(FACT_KINDS)


def test_every_policy_brings_tests_of_its_own() -> None:
    assert [policy.id for policy in built_in().values() if not policy.tests] == []


def test_every_collector_folder_is_found_under_its_id() -> None:
    folders = {path.parent.name for path in ROOT.glob("app/collectors/*/__init__.py")}
    assert set(collectors()) == folders


@pytest.mark.parametrize("collector_id", sorted(collectors()))
def test_every_fact_that_is_fed_exists(collector_id: str) -> None:
    collector = collectors()[collector_id]
    known = {name for kind in collector.kinds for name in kind.__dataclass_fields__}
    fed = {name for operation in collector.operations for name in operation.feeds}
    assert fed <= known


def test_every_module_of_commands_offers_some() -> None:
    names = [
        module.__name__
        for module in modules(app.commands)
        if not module.__name__.rpartition(".")[2].startswith("_")
        and not isinstance(getattr(module, "commands", None), typer.Typer)
    ]
    assert names == []
    assert gather().registered_groups
