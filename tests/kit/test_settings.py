import os
from pathlib import Path

import pytest

from app.kit.errors import SettingsError
from app.kit.settings import Settings, settings, settle


def refusal() -> str:
    with pytest.raises(SettingsError) as caught:
        settings()
    return caught.value.detail


def test_defaults_are_the_embedded_mode() -> None:
    found = settings()
    assert found.database.startswith("sqlite:////")
    assert found.address == "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0", "http://127.0.0.1:8000"),  # noqa: S104
        ("::", "http://[::1]:8000"),
        ("192.0.2.7", "http://192.0.2.7:8000"),
    ],
)
def test_the_address_is_one_that_can_be_opened(host: str, address: str) -> None:
    assert settle(host=host).address == address


def test_a_public_address_loses_its_trailing_slash() -> None:
    assert settle(base_url="https://atalaya.example.org/").address == "https://atalaya.example.org"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("port", "99999", "ATALAYA_PORT: Input should be less than or equal to 65535"),
        ("time_zone", "Mars/Olympus", "ATALAYA_TIME_ZONE: unknown time zone 'Mars/Olympus'"),
        ("home", "/tmp/what?", "ATALAYA_HOME: a question mark cannot be in this path"),  # noqa: S108
        ("log_level", "LOUD", "ATALAYA_LOG_LEVEL: Input should be 'DEBUG', 'INFO'"),
    ],
)
def test_a_wrong_value_is_named_with_its_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(f"ATALAYA_{name.upper()}", value)
    assert refusal().startswith(words)


def test_production_names_all_that_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATALAYA_ENVIRONMENT", "production")
    assert refusal() == (
        "ATALAYA_ENVIRONMENT: in production ATALAYA_DATABASE_URL must name Postgres, "
        "ATALAYA_REDIS_URL must be set, ATALAYA_BASE_URL must start with https://"
    )


def test_complete_production_is_accepted() -> None:
    found = settle(
        database_url="postgresql://db/atalaya",
        redis_url="redis://valkey:6379/0",
        base_url="https://atalaya.example.org",
        environment="production",
    )
    assert found.environment == "production"


def test_what_is_settled_reaches_children(tmp_path: Path) -> None:
    assert settle(home=tmp_path, sandbox=True).home == tmp_path
    assert os.environ["ATALAYA_HOME"] == str(tmp_path)
    assert settings().sandbox


def test_settings_do_not_change_under_the_feet() -> None:
    with pytest.raises(Exception, match="frozen"):
        Settings().port = 1  # type: ignore[misc]
