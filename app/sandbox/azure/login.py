"""The sign-in service of the simulated tenant: client credentials in, bearer tokens out.

azure-identity refuses an authority that is not https, so a connection to the sandbox carries a
ready token; these endpoints serve clients whose transport leads them here.
"""

from datetime import timedelta
from urllib.parse import parse_qs

from app.kit.clock import utc_now
from app.sandbox.azure import tokens
from app.sandbox.story import TENANT_ID
from app.sandbox.wire import Answer, Request, json_answer

_ISSUER = f"https://login.microsoftonline.com/{TENANT_ID}/v2.0"


def openid(request: Request, tenant: str) -> Answer:
    """`GET /{tenant}/v2.0/.well-known/openid-configuration`."""
    host = f"https://{request.headers.get('host', '')}/{tenant}"
    return json_answer(
        {
            "issuer": _ISSUER,
            "authorization_endpoint": f"{host}/oauth2/v2.0/authorize",
            "token_endpoint": f"{host}/oauth2/v2.0/token",
            "device_authorization_endpoint": f"{host}/oauth2/v2.0/devicecode",
            "jwks_uri": f"{host}/discovery/v2.0/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt"],
            "response_types_supported": ["code", "id_token"],
            "subject_types_supported": ["pairwise"],
            "cloud_instance_name": "microsoftonline.com",
            "tenant_region_scope": "EU",
        }
    )


def discovery(request: Request) -> Answer:
    """`GET /common/discovery/instance`: this host is the cloud's only sign-in host."""
    host = request.headers.get("host", "")
    alias = {"preferred_network": host, "preferred_cache": host, "aliases": [host]}
    return json_answer(
        {
            "tenant_discovery_endpoint": (
                f"https://{host}/{TENANT_ID}/v2.0/.well-known/openid-configuration"
            ),
            "api-version": "1.1",
            "metadata": [alias],
        }
    )


def token(request: Request, tenant: str) -> Answer:
    """`POST /{tenant}/oauth2/v2.0/token` with the client's secret."""
    form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
    audience = tokens.audience_of(form.get("scope", ""))
    if tenant.lower() != TENANT_ID:
        return _error(400, "invalid_request", 90002, f"Tenant '{tenant}' not found.")
    if form.get("grant_type") != "client_credentials":
        return _error(400, "unsupported_grant_type", 70003, "The grant type is not supported.")
    if form.get("client_id") != tokens.CLIENT_ID:
        message = f"Application '{form.get('client_id')}' was not found in the directory."
        return _error(400, "unauthorized_client", 700016, message)
    if form.get("client_secret") != tokens.CLIENT_SECRET:
        return _error(401, "invalid_client", 7000215, "Invalid client secret provided.")
    if audience is None:
        return _error(400, "invalid_scope", 70011, "The scope is not valid.")
    ends = utc_now() + timedelta(seconds=tokens.LIFETIME_SECONDS)
    return json_answer(
        {
            "token_type": "Bearer",
            "expires_in": tokens.LIFETIME_SECONDS,
            "ext_expires_in": tokens.LIFETIME_SECONDS,
            "access_token": tokens.issue(audience, ends),
        }
    )


def _error(status: int, error: str, number: int, message: str) -> Answer:
    """An error in the words of OAuth with Entra's own number."""
    return json_answer(
        {
            "error": error,
            "error_description": f"AADSTS{number}: {message}",
            "error_codes": [number],
            "timestamp": utc_now().strftime("%Y-%m-%d %H:%M:%SZ"),
            "trace_id": "00000000-0000-4000-8000-000000000000",
            "correlation_id": "00000000-0000-4000-8000-000000000000",
        },
        status,
    )
