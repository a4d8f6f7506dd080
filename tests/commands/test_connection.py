from collections.abc import Callable

import pytest

from app.commands.connection import config_of
from app.domain.access import SYSTEM
from app.kit.errors import InvalidInputError
from app.kit.settings import settle
from app.store.queries.connections import ConnectionItem, list_connections
from app.store.session import transaction
from tests.commands.conftest import Outcome

Atalaya = Callable[..., Outcome]
KEY = (
    "--set",
    "credentials.mode=access_key",
    "--set",
    "credentials.access_key_id=AKIDEXAMPLE",
    "--set",
    "credentials.secret_access_key=env:EXAMPLE_SECRET",
)


def stored() -> tuple[ConnectionItem, ...]:
    with transaction(readonly=True) as session:
        return list_connections(session, access=SYSTEM)


@pytest.mark.usefixtures("installation")
class TestInADatabase:
    """Commands that change or read it."""

    def test_a_connection_is_added_and_listed(self, atalaya: Atalaya) -> None:
        assert atalaya("connection", "add", "Production", "aws", *KEY).code == 0
        (found,) = stored()
        assert found.config["credentials"]["secret_access_key"] == "env:EXAMPLE_SECRET"
        assert "Production  aws  0 resources  not read" in atalaya("connection", "list").out

    def test_a_secret_itself_is_refused_and_nothing_is_stored(self, atalaya: Atalaya) -> None:
        words = [word.replace("env:EXAMPLE_SECRET", "hunter2") for word in KEY]
        done = atalaya("connection", "add", "Production", "aws", *words)
        assert done.code == 2
        assert "a secret itself is never stored" in done.err
        assert stored() == ()

    def test_an_unknown_provider_is_named(self, atalaya: Atalaya) -> None:
        done = atalaya("connection", "add", "Moon", "luna")
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert "no provider 'luna'" in done.err

    def test_an_unknown_connection_is_refused_with_those_there_are(self, atalaya: Atalaya) -> None:
        atalaya("connection", "add", "Production", "aws", *KEY)
        for words in (("connection", "test", "Prod"), ("sweep", "run", "Prod")):
            done = atalaya(*words)
            assert done.code == 2
            assert done.err == "atalaya: no connection 'Prod'; there are: Production\n"

    def test_a_source_that_is_not_there_is_a_failed_sweep(
        self, atalaya: Atalaya, monkeypatch: pytest.MonkeyPatch, free_port: int
    ) -> None:
        settle(allow_private_endpoints=True)
        monkeypatch.setenv("EXAMPLE_SECRET", "x")
        gone = ("--set", f"endpoint_url=http://127.0.0.1:{free_port}")
        atalaya("connection", "add", "Gone", "aws", *KEY, *gone)
        asked = atalaya("connection", "test", "Gone")
        assert (asked.code, asked.err.count("\n")) == (2, 1)
        swept = atalaya("sweep", "run", "Gone")
        assert swept.code == 1
        assert "Gone: failed, 0 resources" in swept.out


def test_dots_lead_into_objects_and_colons_into_json() -> None:
    found = config_of(["credentials.mode=profile", 'regions:=["eu-west-1"]', "a.b.c=x=y"])
    assert found == {
        "credentials": {"mode": "profile"},
        "regions": ["eu-west-1"],
        "a": {"b": {"c": "x=y"}},
    }


@pytest.mark.parametrize("setting", ["mode", "=x", ":=1", "a:=nonsense"])
def test_a_setting_that_cannot_be_read_is_named(setting: str) -> None:
    with pytest.raises(InvalidInputError, match="cannot read --set"):
        config_of([setting])


def test_a_text_cannot_hold_an_object() -> None:
    with pytest.raises(InvalidInputError, match="cannot read --set"):
        config_of(["credentials=x", "credentials.mode=profile"])
