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
        return field_name(self.path)

    @property
    def section(self) -> str:
        """The setting that holds this one; empty for those that stand alone."""
        return self.path.rpartition(".")[0]

    @property
    def key(self) -> str:
        """The setting's name within its section."""
        return self.path.rpartition(".")[2]


def field_name(path: str) -> str:
    """The name in the form of a setting, or of one entry of its list."""
    return path.split("[", maxsplit=1)[0].removeprefix("credentials.").replace(".", "_")


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
        *_aws_organization(t),
        FieldSpec(
            "regions",
            t.gettext("Regions"),
            t.gettext("One a line, such as eu-west-1. Empty: all."),
            "lines",
        ),
        FieldSpec("endpoint_url", t.gettext("Endpoint"), _endpoint(t)),
    )


def _aws_organization(t: Translator) -> tuple[FieldSpec, ...]:
    return (
        FieldSpec(
            "organization.role_name",
            t.gettext("Role in the accounts of the organization"),
            t.gettext("Its name, the same in every account. Empty: only the account above."),
        ),
        FieldSpec("organization.external_id", t.gettext("External id of that role")),
        FieldSpec(
            "organization.accounts",
            t.gettext("Accounts to read"),
            t.gettext("Ids, one a line. Empty: all of the organization."),
            "lines",
        ),
        FieldSpec(
            "organization.exclude",
            t.gettext("Accounts to leave out"),
            t.gettext("Ids, one a line."),
            "lines",
        ),
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
        FieldSpec(
            "management_groups",
            t.gettext("Management groups"),
            t.gettext("Ids, one a line: only the subscriptions below them."),
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
    sections = {field.section for field in fields} - {""}
    config = {**before, **{name: dict(before.get(name, {})) for name in sections}}
    for field in fields:
        place = config[field.section] if field.section else config
        value = _read(field, values.get(field.name, ""))
        if value:
            place[field.key] = value
        else:
            place.pop(field.key, None)
    return {name: value for name, value in config.items() if value or name not in sections}


def _read(field: FieldSpec, text: str) -> str | list[str]:
    if field.kind == "lines":
        return [line.strip() for line in text.replace(",", "\n").splitlines() if line.strip()]
    return text.strip()


def texts_of(fields: tuple[FieldSpec, ...], config: Mapping[str, Any]) -> dict[str, str]:
    """The settings as the form shows them."""
    return {field.name: _text(field, config) for field in fields}


def _text(field: FieldSpec, config: Mapping[str, Any]) -> str:
    place = config.get(field.section, {}) if field.section else config
    value = place.get(field.key, "")
    return "\n".join(value) if isinstance(value, list) else str(value)
