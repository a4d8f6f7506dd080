"""Reads and checks docker-compose.yml without a container engine."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import compose_spec
import yaml

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docker-compose.yml"
VARIABLE = re.compile(r"\$\{(\w+)(?::?([-?])([^}]*))?\}")


def interpolate(text: str, environment: Mapping[str, str]) -> str:
    """`${V}`, `${V:-default}` and `${V:?message}`; a required one that is not set gets a word."""

    def value(match: re.Match[str]) -> str:
        fallback = match[3] if match[2] == "-" else "placeholder"
        return environment.get(match[1]) or fallback

    return VARIABLE.sub(value, text)


def load(text: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """The document with variables filled in and anchors resolved."""
    document = yaml.safe_load(interpolate(text, environment))
    if not isinstance(document, dict):
        raise TypeError("a compose file is a mapping")
    return document


def problems(text: str) -> list[str]:
    """What is wrong with a compose file, by the specification and by its own names."""
    document = load(text, {})
    if "name" in document:
        return ["a top-level name is refused by docker-compose 1.29"]
    try:
        project = compose_spec.PyCompose.from_yaml(yaml.safe_dump(document))
        project.validate()
    except Exception as error:  # noqa: BLE001 - the library raises several kinds for bad input
        return [str(error)]
    names = set(project.service_names())
    return [
        f"{name} depends on {needed}, which is not a service"
        for name, service in document["services"].items()
        for needed in service.get("depends_on") or ()
        if needed not in names
    ]
