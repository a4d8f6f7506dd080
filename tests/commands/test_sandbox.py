import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.access import SYSTEM
from app.store.queries.connections import list_connections
from app.store.session import transaction
from tests.commands.conftest import Outcome

pytestmark = pytest.mark.usefixtures("installation")
Atalaya = Callable[..., Outcome]


@pytest.fixture
def ready_file(tmp_path: Path) -> Path:
    """What a sandbox writes when it listens."""
    ready = {
        "aws_endpoint": "http://127.0.0.1:9",
        "azure_endpoint": "http://127.0.0.1:10",
        "tenant_id": "11111111-2222-3333-4444-555555555555",
        "aws_role_name": "reader",
        "aws_external_id": "atalaya",
        "aws_regions": ["eu-central-1"],
        "credentials": {
            "aws": {
                "account_id": "111122223333",
                "access_key_id": "AKIDEXAMPLE",
                "secret_access_key_file": str(tmp_path / "secret"),
            },
            "azure": {"token_file": str(tmp_path / "token")},
        },
    }
    path = tmp_path / "sandbox.json"
    path.write_text(json.dumps(ready))
    return path


def test_its_clouds_are_registered_once(atalaya: Atalaya, ready_file: Path) -> None:
    for _ in range(2):
        done = atalaya("sandbox", "connect", str(ready_file))
        assert done.out == "2 connections of the sandbox are registered\n"
    with transaction(readonly=True) as session:
        found = list_connections(session, access=SYSTEM)
    assert [item.name for item in found] == ["AWS sandbox", "Azure sandbox"]


def test_without_a_sandbox_it_says_how_to_start_one(atalaya: Atalaya, tmp_path: Path) -> None:
    done = atalaya("sandbox", "connect", str(tmp_path / "none.json"))
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "start the sandbox first" in done.err
