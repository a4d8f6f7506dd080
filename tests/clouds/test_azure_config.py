"""Settings of an Azure connection: every fault is named with its place, secrets are references."""

from typing import Any

import pytest

from app.clouds.azure_config import CredentialMode, parse_config
from app.kit.errors import InvalidInputError
from app.kit.settings import settings

GUID = "c1e72000-0000-4000-8000-00000000000a"
SECRET = {
    "mode": "client_secret",
    "tenant_id": GUID,
    "client_id": GUID,
    "client_secret": "env:AZURE_SECRET",
}


def faults(config: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(InvalidInputError) as caught:
        parse_config(config)
    assert caught.value.mend
    return {fault["where"]: fault["what"] for fault in caught.value.errors}


@pytest.mark.parametrize(
    "credentials",
    [
        SECRET,
        {"mode": "workload_identity"},
        {"mode": "managed_identity", "client_id": GUID},
        {**SECRET, "mode": "client_certificate", "client_secret": "", "certificate": "file:/c.pem"},
    ],
)
def test_every_mode_has_a_complete_form(credentials: dict[str, str]) -> None:
    parsed = parse_config({"credentials": credentials})
    assert parsed.credentials.mode == credentials["mode"]
    assert parsed.resource_manager == "https://management.azure.com"


def test_a_mode_must_be_chosen_because_a_machine_may_have_several() -> None:
    incomplete: list[dict[str, Any]] = [
        {},
        {"credentials": {}},
        {"credentials": "managed_identity"},
    ]
    for given in incomplete:
        assert set(faults(given)) == {"credentials.mode"}


def test_every_fault_is_named_at_once() -> None:
    found = faults(
        {
            "credentials": {
                "mode": "client_secret",
                "tenant_id": "a b",
                "client_secret": "hunter2",
            },
            "subscriptions": ["mine"],
            "cloud": "mars",
            "requests_per_second": 0,
            "colour": "red",
        }
    )
    assert set(found) == {
        "credentials.tenant_id",
        "credentials.client_id",
        "credentials.client_secret",
        "subscriptions[0]",
        "cloud",
        "requests_per_second",
        "colour",
    }
    assert "reference" in found["credentials.client_secret"]


@pytest.mark.parametrize(
    "url", ["", "https://management.azure.com", "https://management.azure.com:443/"]
)
def test_a_static_token_is_for_servers_that_are_not_azure(url: str) -> None:
    given = {"credentials": {"mode": "static_token", "token": "env:T"}, "endpoint_url": url}
    assert set(faults(given)) == {"credentials.mode"}


def test_the_government_cloud_has_a_host_and_another_scope() -> None:
    parsed = parse_config({"credentials": SECRET, "cloud": "us_government"})
    assert parsed.resource_manager == "https://management.usgovcloudapi.net"
    assert parsed.cloud.scope == "https://management.core.usgovcloudapi.net/.default"
    assert parsed.cloud.authority == "login.microsoftonline.us"


def test_subscriptions_are_compared_without_regard_to_letter_case() -> None:
    parsed = parse_config({"credentials": SECRET, "subscriptions": [GUID.upper()]})
    assert parsed.subscriptions == (GUID,)


def test_modes_are_words_of_azure_identity() -> None:
    assert {mode.value for mode in CredentialMode} == {
        "workload_identity",
        "managed_identity",
        "client_certificate",
        "client_secret",
        "static_token",
        "developer_default",
    }


def test_what_a_machine_happens_to_have_is_taken_only_where_that_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    developer = {"credentials": {"mode": "developer_default"}}
    assert "ATALAYA_ALLOW_DEVELOPER_CREDENTIALS" in faults(developer)["credentials.mode"]
    monkeypatch.setenv("ATALAYA_ALLOW_DEVELOPER_CREDENTIALS", "true")
    settings.cache_clear()
    assert parse_config(developer).credentials.mode is CredentialMode.DEVELOPER_DEFAULT


@pytest.mark.parametrize("group", ["", "a/b", "x" * 91, "über"])
def test_a_management_group_has_an_id_of_its_form(group: str) -> None:
    given = {"credentials": SECRET, "management_groups": ["Cierzo-Research", group]}
    assert set(faults(given)) == {"management_groups[1]"}


@pytest.mark.parametrize(
    ("cloud", "host"),
    [
        ("public", "https://westeurope.metrics.monitor.azure.com"),
        ("us_government", "https://westeurope.metrics.monitor.azure.us"),
        ("china", "https://westeurope.metrics.monitor.azure.cn"),
    ],
)
def test_metrics_are_asked_for_in_their_own_cloud(cloud: str, host: str) -> None:
    parsed = parse_config({"credentials": SECRET, "cloud": cloud})
    assert parsed.metrics_url("westeurope") == host
    assert parsed.cloud.metrics_scope.startswith("https://metrics.monitor.azure.")


def test_a_server_of_ones_own_answers_for_every_region() -> None:
    token = {"mode": "static_token", "token": "env:T"}
    parsed = parse_config({"credentials": token, "endpoint_url": "http://127.0.0.1:9/"})
    assert parsed.metrics_url("westeurope") == "http://127.0.0.1:9/metrics/westeurope"
