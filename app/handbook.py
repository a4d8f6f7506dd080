"""Reference pages written from the code itself, so that they cannot go out of date."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from app.collectors.registry import collectors
from app.domain.collecting import Provider
from app.domain.fact_kinds import FACT_KINDS
from app.domain.fact_schema import schema_of
from app.kit.settings import ROOT, Settings
from app.main import create_app
from app.policies.policy import Policy
from app.policies.registry import built_in

README_PART = re.compile(r"(<!-- ([\w-]+) -->\n).*?(<!-- /\2 -->)", re.DOTALL)
_MEMBERS_ROLE = "arn:aws:iam::*:role/AtalayaReader"
NOTE = "Written by `./atalaya docs build` from the code; do not edit."


def settings_table() -> str:
    """One row per setting: variable, default, meaning."""
    rows = [
        (f"`ATALAYA_{name.upper()}`", _default(field), str(field.description))
        for name, field in Settings.model_fields.items()
    ]
    return _table(("variable", "default", "meaning"), rows)


def settings_page() -> str:
    """All settings."""
    return _page("Settings", "Environment variables of every process.", settings_table())


def facts_page() -> str:
    """All facts of all kinds of resources, with where each comes from."""
    parts = [
        f"## {schema['kind']}\n\n{' '.join(schema['doc'].split())}\n\n{_facts_table(schema)}"
        for schema in (schema_of(document) for document in _documents())
    ]
    meaning = "Every fact may also be absent, or unreadable with the code of the source."
    return _page("Facts", meaning, "\n\n".join(parts))


def policies_page() -> str:
    """All built-in policies, with what each demands, why, and what may be set."""
    parts = [_policy_section(policy) for policy in built_in().values()]
    meaning = "What is judged out of the box; `./atalaya policy check FILE` checks your own."
    return _page("Policies", meaning, "\n\n".join(parts))


def permissions_page() -> str:
    """Every call that a collector makes, with the right it needs: all of them only read."""
    parts = []
    for collector in collectors().values():
        rows = [
            (f"`{found.permission}`", found.name, found.why, ", ".join(found.feeds))
            for found in collector.operations
        ]
        table = _table(("permission", "call", "why", "facts"), rows)
        every = int(collector.every.total_seconds()) // 60
        parts.append(f"## {collector.id}\n\n{collector.title}, every {every} min.\n\n{table}")
    return _page("Permissions", "The least that a connection needs.", "\n\n".join(parts))


def routes_page() -> str:
    """The API, route by route; OpenAPI has the details."""
    rows = [
        (method.upper(), f"`{path}`", str(operation.get("summary", "")))
        for path, operations in create_app().openapi()["paths"].items()
        for method, operation in operations.items()
    ]
    return _page("Routes", "The JSON API.", _table(("method", "path", "meaning"), rows))


def aws_policy() -> str:
    """The IAM policy of the role that reads an account, as a block of JSON.

    Other roles are entered only under one name: a right to assume any would open too much.
    """
    enter = "sts:AssumeRole"
    reads = [one for one in _permissions(Provider.AWS) if one != enter]
    members = {"Effect": "Allow", "Action": [enter], "Resource": _MEMBERS_ROLE}
    statements = [{"Effect": "Allow", "Action": reads, "Resource": "*"}, members]
    return _json({"Version": "2012-10-17", "Statement": statements})


def azure_role() -> str:
    """The custom role that reads a subscription, as a block of JSON for `az role definition`."""
    return _json(
        {
            "Name": "Atalaya Reader",
            "IsCustom": True,
            "Description": "Reads how resources are set up and used, never what they hold.",
            "Actions": _permissions(Provider.AZURE),
            "AssignableScopes": ["/subscriptions/00000000-0000-0000-0000-000000000000"],
        }
    )


PAGES: dict[str, Callable[[], str]] = {
    "settings": settings_page,
    "facts": facts_page,
    "policies": policies_page,
    "permissions": permissions_page,
    "routes": routes_page,
}


README_PARTS: dict[str, Callable[[], str]] = {
    "settings": settings_table,
    "aws-policy": aws_policy,
    "azure-role": azure_role,
}


def with_parts(readme: str) -> str:
    """The README with what stands between marks such as `<!-- settings -->` written anew."""

    def written(found: re.Match[str]) -> str:
        part = README_PARTS.get(found[2])
        return f"{found[1]}{part()}\n{found[3]}" if part else found[0]

    return README_PART.sub(written, readme)


def write(root: Path = ROOT) -> list[Path]:
    """Writes what has changed; the paths written."""
    changed = stale(root)
    for path, text in changed.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(changed)


def stale(root: Path = ROOT) -> dict[Path, str]:
    """Files that differ from what the code says now, with what they should hold."""
    wanted = {root / "docs/reference" / f"{name}.md": page() for name, page in PAGES.items()}
    readme = root / "README.md"
    if readme.exists():
        wanted[readme] = with_parts(readme.read_text(encoding="utf-8"))
    return {path: text for path, text in wanted.items() if _read(path) != text}


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def _permissions(provider: Provider) -> list[str]:
    """All rights that the collectors of a provider use, each once."""
    found = (c.operations for c in collectors().values() if c.provider is provider)
    return sorted({operation.permission for operations in found for operation in operations})


def _json(document: dict[str, Any]) -> str:
    return f"```json\n{json.dumps(document, indent=2)}\n```"


def _page(title: str, meaning: str, body: str) -> str:
    return f"# {title}\n\n{meaning} {NOTE}\n\n{body}\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _default(field: FieldInfo) -> str:
    value = field.default
    if value is PydanticUndefined:
        return "required"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value}`" if str(value) else "empty"


def _policy_section(policy: Policy) -> str:
    facts = [
        f"`{policy.id}`, {policy.severity.value}, {policy.pillar.value}",
        f"of {', '.join(policy.applies_to)}",
        f"source: {policy.source}",
    ]
    parts = [f"## {policy.title}", " · ".join(facts), " ".join(policy.why.split())]
    if policy.params:
        rows = [
            (f"`{param.name}`", param.type, f"`{param.default}`", param.doc)
            for param in policy.params.values()
        ]
        parts.append(_table(("param", "type", "default", "meaning"), rows))
    return "\n\n".join(parts)


def _documents() -> list[Any]:
    """Each type of document once, in order."""
    return list(dict.fromkeys(kind for kinds in FACT_KINDS.values() for kind in kinds))


def _facts_table(schema: dict[str, Any]) -> str:
    rows = [
        (f"`{fact['name']}`", _type_words(fact["type"]), fact["doc"], fact["source"])
        for fact in schema["facts"]
    ]
    return _table(("fact", "type", "meaning", "source"), rows)


def _type_words(kind: dict[str, Any]) -> str:
    if "enum" in kind:
        return " ".join(kind["enum"])
    if kind["type"] == "array":
        return f"list of {_type_words(kind['items'])}"
    if kind["type"] == "object":
        properties = ", ".join(kind.get("properties", ()))
        return f"{{{properties}}}" if properties else "map"
    return str(kind.get("format", kind["type"]))
