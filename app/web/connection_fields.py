"""The form of a connection: which settings each cloud takes, and how text becomes them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.kit.i18n import Translator

Kind = Literal["text", "select", "lines"]


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field; `path` is the setting that it holds, dotted."""

    path: str
    label: str
    hint: str = ""
    kind: Kind = "text"
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The field's name in the form."""
        return self.path.rsplit(".", 1)[-1]


def fields_of(provider: str, t: Translator) -> tuple[FieldSpec, ...]:
    """The fields for one cloud."""
    return _aws(t) if provider == "aws" else _azure(t)


def _aws(t: Translator) -> tuple[FieldSpec, ...]:
    secret = t.gettext("Not the secret itself: where to read it, env:NAME or file:/path.")
    return (
        FieldSpec(
            "credentials.mode",
            t.gettext("Credentials"),
            t.gettext("Where the credentials come from."),
            "select",
            ("default_chain", "assume_role", "access_key", "profile"),
        ),
        FieldSpec(
            "credentials.role_arn",
            t.gettext("Role to assume"),
            "arn:aws:iam::123456789012:role/atalaya-reader",
        ),
        FieldSpec("credentials.external_id", t.gettext("External id")),
        FieldSpec("credentials.access_key_id", t.gettext("Access key id")),
        FieldSpec("credentials.secret_access_key", t.gettext("Secret access key"), secret),
        FieldSpec("credentials.profile", t.gettext("Profile")),
        FieldSpec(
            "account_id",
            t.gettext("Account id"),
            t.gettext("Twelve digits. Another account is then refused."),
        ),
        FieldSpec(
            "regions",
            t.gettext("Regions"),
            t.gettext("One a line, such as eu-west-1. Empty: all."),
            "lines",
        ),
        FieldSpec("endpoint_url", t.gettext("Endpoint"), _endpoint(t)),
    )


def _azure(t: Translator) -> tuple[FieldSpec, ...]:
    secret = t.gettext("Not the secret itself: where to read it, env:NAME or file:/path.")
    modes = (
        "managed_identity",
        "workload_identity",
        "client_certificate",
        "client_secret",
        "developer_default",
        "static_token",
    )
    return (
        FieldSpec(
            "credentials.mode",
            t.gettext("Credentials"),
            t.gettext("Where the credentials come from."),
            "select",
            modes,
        ),
        FieldSpec("credentials.tenant_id", t.gettext("Tenant id")),
        FieldSpec("credentials.client_id", t.gettext("Client id")),
        FieldSpec("credentials.client_secret", t.gettext("Client secret"), secret),
        FieldSpec("credentials.certificate", t.gettext("Certificate"), secret),
        FieldSpec("credentials.token", t.gettext("Token"), secret),
        FieldSpec("cloud", t.gettext("Cloud"), "", "select", ("public", "us_government", "china")),
        FieldSpec(
            "subscriptions",
            t.gettext("Subscriptions"),
            t.gettext("Ids, one a line. Empty: all that the identity sees."),
            "lines",
        ),
        FieldSpec("endpoint_url", t.gettext("Endpoint"), _endpoint(t)),
    )


def _endpoint(t: Translator) -> str:
    return t.gettext("Only for a simulation or a private cloud. Empty: the cloud itself.")


def config_of(
    fields: tuple[FieldSpec, ...], values: Mapping[str, str], before: Mapping[str, Any]
) -> dict[str, Any]:
    """The settings that the form says, over those of `before` that it does not show."""
    config = {name: value for name, value in before.items() if name != "credentials"}
    config["credentials"] = dict(before.get("credentials", {}))
    for field in fields:
        place = config["credentials"] if field.path.startswith("credentials.") else config
        value = _read(field, values.get(field.name, ""))
        if value:
            place[field.name] = value
        else:
            place.pop(field.name, None)
    return config


def _read(field: FieldSpec, text: str) -> str | list[str]:
    if field.kind == "lines":
        return [line.strip() for line in text.replace(",", "\n").splitlines() if line.strip()]
    return text.strip()


def texts_of(fields: tuple[FieldSpec, ...], config: Mapping[str, Any]) -> dict[str, str]:
    """The settings as the form shows them."""
    credentials = config.get("credentials", {})
    texts = {}
    for field in fields:
        place = credentials if field.path.startswith("credentials.") else config
        value = place.get(field.name, "")
        texts[field.name] = "\n".join(value) if isinstance(value, list) else str(value)
    return texts
