"""Tokens for Azure Resource Manager: one azure-identity credential per connection and process."""

import time
from collections.abc import Callable
from typing import Protocol

from azure.core.credentials import AccessToken
from azure.core.exceptions import ClientAuthenticationError
from azure.identity import (
    CertificateCredential,
    ClientSecretCredential,
    CredentialUnavailableError,
    DefaultAzureCredential,
    ManagedIdentityCredential,
    WorkloadIdentityCredential,
)

from app.clouds.azure_config import AzureConfig, CredentialMode
from app.clouds.failures import CallFailedError
from app.kit.secrets import read_secret

_HOUR_SECONDS = 3600


class TokenSource(Protocol):
    """What every azure-identity credential offers."""

    def get_token(self, *scopes: str, claims: str | None = None) -> AccessToken:
        """A valid token, from the credential's own cache while it lasts."""
        ...


class StaticToken:
    """A token given as it is, for servers that are not Azure. It is read anew at each use."""

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read

    def get_token(self, *_scopes: str, claims: str | None = None) -> AccessToken:
        """The token as it is now."""
        del claims
        return AccessToken(self._read().strip(), int(time.time()) + _HOUR_SECONDS)


def token_source(config: AzureConfig, secret: Callable[[str], str]) -> TokenSource:
    """The credential of the configured mode; CallFailedError when its parts are missing here.

    Made lazily in each process: credentials cache in memory and must not cross a fork.
    """
    try:
        return _MAKERS[config.credentials.mode](config, secret)
    except (ValueError, OSError) as error:
        raise CallFailedError(str(error), code="NoCredentials", permanent=True) from error


def token(source: TokenSource, scope: str, claims: str | None = None) -> str:
    """A bearer token; CallFailedError with Entra's own code (AADSTS…) when there is none."""
    try:
        if claims:
            return source.get_token(scope, claims=claims).token
        return source.get_token(scope).token
    except CredentialUnavailableError as error:
        raise CallFailedError(str(error), code="NoCredentials", permanent=True) from error
    except ClientAuthenticationError as error:
        code = next((word for word in _words(str(error)) if word.startswith("AADSTS")), "")
        raise CallFailedError(str(error), code=code or "SignInFailed", permanent=True) from error


def _words(text: str) -> list[str]:
    return text.replace(":", " ").split()


def _workload(config: AzureConfig, _secret: Callable[[str], str]) -> TokenSource:
    given = config.credentials
    return WorkloadIdentityCredential(
        tenant_id=given.tenant_id or None,
        client_id=given.client_id or None,
        authority=config.cloud.authority,
    )


def _managed(config: AzureConfig, _secret: Callable[[str], str]) -> TokenSource:
    return ManagedIdentityCredential(client_id=config.credentials.client_id or None)


def _certificate(config: AzureConfig, _secret: Callable[[str], str]) -> TokenSource:
    given = config.credentials
    return CertificateCredential(
        given.tenant_id,
        given.client_id,
        # PEM has many lines and PKCS12 is no text at all, so it is read as it is.
        certificate_data=read_secret(given.certificate),
        authority=config.cloud.authority,
    )


def _client_secret(config: AzureConfig, secret: Callable[[str], str]) -> TokenSource:
    given = config.credentials
    return ClientSecretCredential(
        given.tenant_id,
        given.client_id,
        secret(given.client_secret),
        authority=config.cloud.authority,
    )


def _static(config: AzureConfig, secret: Callable[[str], str]) -> TokenSource:
    return StaticToken(lambda: secret(config.credentials.token))


def _developer(config: AzureConfig, _secret: Callable[[str], str]) -> TokenSource:
    return DefaultAzureCredential(authority=config.cloud.authority)


_MAKERS: dict[CredentialMode, Callable[[AzureConfig, Callable[[str], str]], TokenSource]] = {
    CredentialMode.WORKLOAD_IDENTITY: _workload,
    CredentialMode.MANAGED_IDENTITY: _managed,
    CredentialMode.CLIENT_CERTIFICATE: _certificate,
    CredentialMode.CLIENT_SECRET: _client_secret,
    CredentialMode.STATIC_TOKEN: _static,
    CredentialMode.DEVELOPER_DEFAULT: _developer,
}
