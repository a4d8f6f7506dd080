"""Single words of Azure's documents, read strictly: what cannot be understood is no value."""

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]


def switch(document: Json, name: str) -> bool | None:
    """A true or false; None when Azure leaves it out. ValueError for anything else."""
    value = document.get(name)
    if value is None or isinstance(value, bool):
        return value
    raise ValueError(f"{name} is neither true nor false")


def texts(document: Json, name: str) -> tuple[str, ...]:
    """A list of words; empty when Azure leaves it out. ValueError for anything else."""
    value = document.get(name) or []
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ValueError(f"{name} is no list of words")
