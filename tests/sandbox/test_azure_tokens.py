"""Who may ask: bearer tokens, their ends and audiences, and the sign-in service."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from azure.core.exceptions import ClientAuthenticationError
from azure.core.pipeline.transport import HttpRequest, RequestsTransport
from azure.identity import ClientSecretCredential

from app.kit.clock import utc_now
from app.sandbox.azure import tokens
from app.sandbox.story import TENANT_ID
from tests.sandbox.conftest import AzureWire

SUBSCRIPTIONS = "/subscriptions?api-version=2022-12-01"


def asked_with(azure: AzureWire, authorization: str | None, path: str = SUBSCRIPTIONS) -> Any:
    """The answer to a call with another header than the fixture's."""
    azure.http.headers.pop("authorization", None)
    headers = {"Authorization": authorization} if authorization else {}
    return azure.http.get(path, headers=headers)


@pytest.mark.parametrize(
    ("authorization", "code"),
    [
        (None, "AuthenticationFailed"),
        ("Basic dXNlcjpwYXNz", "AuthenticationFailed"),
        ("Bearer", "AuthenticationFailed"),
        ("Bearer invented", "InvalidAuthenticationToken"),
        ("Bearer " + tokens.STATIC_TOKEN[:-1] + "x", "InvalidAuthenticationToken"),
        ("Bearer tökén", "InvalidAuthenticationToken"),
    ],
)
def test_without_a_good_token_nothing_is_told(
    azure: AzureWire, authorization: str | None, code: str
) -> None:
    raw = authorization.encode() if authorization else None
    answer = asked_with(azure, raw)  # type: ignore[arg-type] # httpx2 takes bytes for odd letters
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, code)
    assert answer.headers["www-authenticate"].startswith("Bearer authorization_uri=")


def test_an_expired_token_is_told_so(azure: AzureWire) -> None:
    old = tokens.issue("arm", utc_now() - timedelta(seconds=1))
    answer = asked_with(azure, f"Bearer {old}")
    assert answer.json()["error"]["code"] == "ExpiredAuthenticationToken"


def test_a_storage_token_does_not_open_the_resource_manager(azure: AzureWire) -> None:
    wrong = tokens.issue("storage", utc_now() + timedelta(hours=1))
    answer = asked_with(azure, f"Bearer {wrong}")
    assert answer.json()["error"]["code"] == "InvalidAuthenticationTokenAudience"
    assert asked_with(azure, f"Bearer {wrong}", "/stcierzoweu?comp=list").status_code == 200


class Led(RequestsTransport):  # type: ignore[misc] # azure-core's transports are untyped
    """Leads every request to the sandbox, whatever host it names."""

    def __init__(self, endpoint: str) -> None:
        super().__init__()
        self.endpoint = endpoint

    def send(self, request: HttpRequest, **kwargs: Any) -> Any:
        parts = urlsplit(request.url)
        request.headers["Host"] = parts.netloc
        query = f"?{parts.query}" if parts.query else ""
        request.url = self.endpoint + parts.path + query
        return super().send(request, **kwargs)


@pytest.fixture
def led(azure: AzureWire) -> Iterator[Led]:
    with Led(azure.server.endpoint) as transport:
        yield transport


def test_azure_identity_signs_in_with_the_right_secret(azure: AzureWire, led: Led) -> None:
    with ClientSecretCredential(
        TENANT_ID, tokens.CLIENT_ID, tokens.CLIENT_SECRET, transport=led
    ) as credential:
        token = credential.get_token("https://management.azure.com/.default").token
    assert asked_with(azure, f"Bearer {token}").status_code == 200


def test_azure_identity_is_refused_with_a_wrong_secret(azure: AzureWire, led: Led) -> None:
    with (
        ClientSecretCredential(TENANT_ID, tokens.CLIENT_ID, "wrong", transport=led) as credential,
        pytest.raises(ClientAuthenticationError, match="AADSTS7000215"),
    ):
        credential.get_token("https://management.azure.com/.default")
    assert azure.server.calls.counts()["login.token"] >= 1


@pytest.mark.parametrize(
    ("form", "tenant", "status", "number"),
    [
        ({"client_secret": "wrong"}, TENANT_ID, 401, "AADSTS7000215"),
        ({"client_id": "nobody"}, TENANT_ID, 400, "AADSTS700016"),
        ({"scope": "https://example.org/.default"}, TENANT_ID, 400, "AADSTS70011"),
        ({"grant_type": "password"}, TENANT_ID, 400, "AADSTS70003"),
        ({}, "c1e72000-0000-4000-8000-00000000dead", 400, "AADSTS90002"),
    ],
)
def test_wrong_sign_ins_have_entras_numbers(
    azure: AzureWire, form: dict[str, str], tenant: str, status: int, number: str
) -> None:
    right = {
        "grant_type": "client_credentials",
        "client_id": tokens.CLIENT_ID,
        "client_secret": tokens.CLIENT_SECRET,
        "scope": "https://management.azure.com/.default",
    }
    answer = azure.http.post(f"/{tenant}/oauth2/v2.0/token", data={**right, **form})
    assert answer.status_code == status
    assert answer.json()["error_description"].startswith(number)


def test_instance_discovery_names_this_host(azure: AzureWire) -> None:
    document = azure.http.get("/common/discovery/instance").json()
    assert TENANT_ID in document["tenant_discovery_endpoint"]
