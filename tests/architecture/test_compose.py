"""docker-compose.yml follows the specification, and its own rules."""

import re

import pytest
from typer.main import get_command

from app.cli import gather
from tests.support import compose

GOOD = compose.FILE.read_text()
EXAMPLE = compose.ROOT / ".env.example"
OURS = ("migrate", "web", "worker", "beat")


def test_the_file_is_valid() -> None:
    assert compose.problems(GOOD) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("condition: service_healthy", "condition: service_helthy"),
        ('restart: "no"', 'restarts: "no"'),
        ("migrate: {condition", "migrat: {condition"),
        ("services:", "name: atalaya\nservices:"),
    ],
)
def test_mistakes_are_caught(right: str, wrong: str) -> None:
    assert right in GOOD
    assert compose.problems(GOOD.replace(right, wrong, 1))


def test_variables_are_filled_in() -> None:
    filled = compose.interpolate("${A} ${B:-b} ${C:?need C}", {"A": "a", "C": "c"})
    assert filled == "a b c"


def test_only_the_web_port_is_published_and_only_on_loopback() -> None:
    services = compose.load(GOOD, {})["services"]
    ports = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert ports == {"web": ["127.0.0.1:8000:8000"]}


@pytest.mark.parametrize("name", OURS)
def test_our_services_can_write_little_and_gain_nothing(name: str) -> None:
    service = compose.load(GOOD, {})["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", ["postgres", "valkey", "web", "worker", "beat"])
def test_every_service_that_stays_has_a_health_check(name: str) -> None:
    assert compose.load(GOOD, {})["services"][name]["healthcheck"]["test"]


@pytest.mark.parametrize("name", OURS)
def test_commands_exist(name: str) -> None:
    words = compose.load(GOOD, {})["services"][name]["command"]
    assert words[:3] == ["python", "-m", "app.cli"]
    assert words[3] in get_command(gather()).commands  # type: ignore[attr-defined]


def test_the_proxy_that_is_believed_can_be_named() -> None:
    for given, believed in (
        ({"FORWARDED_ALLOW_IPS": "172.18.0.1"}, "172.18.0.1"),
        ({}, "127.0.0.1"),
    ):
        web = compose.load(GOOD, given)["services"]["web"]
        assert web["environment"]["FORWARDED_ALLOW_IPS"] == believed


def test_the_example_of_the_variables_names_all_of_them() -> None:
    named = set(re.findall(r"^(\w+)=", EXAMPLE.read_text(), re.MULTILINE)) | {"ATALAYA_TAG"}
    assert {match[1] for match in compose.VARIABLE.finditer(GOOD)} == named
