"""Builds lifecycle and inventory rules in the words of Azure's management policies."""

from collections.abc import Sequence
from typing import Literal

from app.sandbox.azure.model import Json

Basis = Literal["Modification", "LastAccessTime", "Creation", "LastTierChange"]


def after(days: int, basis: Basis = "Modification") -> Json:
    """One action's condition; Azure sends days as floating point numbers."""
    return {f"daysAfter{basis}GreaterThan": float(days)}


def tiers(
    *,
    cool: int | None = None,
    cold: int | None = None,
    archive: int | None = None,
    delete: int | None = None,
    basis: Basis = "Modification",
) -> Json:
    """Actions on one kind of blob: the days after which it cools, freezes or goes."""
    days = {"tierToCool": cool, "tierToCold": cold, "tierToArchive": archive, "delete": delete}
    return {action: after(n, basis) for action, n in days.items() if n is not None}


def rule(
    name: str,
    base_blob: Json | None = None,
    prefixes: Sequence[str] | None = None,
    *,
    others: Json | None = None,
    filters: Json | None = None,
    enabled: bool = True,
) -> Json:
    """One lifecycle rule; prefixes start with the container's name and have no wildcards.

    `others` are actions on `version` and `snapshot`; `filters` are laid over the usual ones.
    """
    scope: Json = {"blobTypes": ["blockBlob"]}
    if prefixes is not None:
        scope["prefixMatch"] = list(prefixes)
    actions = ({"baseBlob": base_blob} if base_blob else {}) | (others or {})
    return {
        "enabled": enabled,
        "name": name,
        "type": "Lifecycle",
        "definition": {"actions": actions, "filters": scope | (filters or {})},
    }


def index_tags(**tags: str) -> Json:
    """A filter on blob index tags, all of which must be equal."""
    return {
        "blobIndexMatch": [
            {"name": name, "op": "==", "value": value} for name, value in tags.items()
        ]
    }


def good(prefixes: Sequence[str]) -> list[Json]:
    """The company's usual policy: cool after 30 days, cold after 90, archive after 180."""
    return [
        rule("cool-cold-archive", tiers(cool=30, cold=90, archive=180), prefixes),
        rule(
            "old-versions", None, prefixes, others={"version": {"delete": after(365, "Creation")}}
        ),
    ]


def inventory_rule(destination: str, file_format: str = "Parquet") -> Json:
    """A daily inventory of every blob and version into one container."""
    return {
        "enabled": True,
        "name": "daily-all",
        "destination": destination,
        "definition": {
            "filters": {
                "blobTypes": ["blockBlob"],
                "includeSnapshots": False,
                "includeBlobVersions": True,
            },
            "format": file_format,
            "schedule": "Daily",
            "objectType": "Blob",
            "schemaFields": [
                "Name",
                "Creation-Time",
                "Last-Modified",
                "Content-Length",
                "AccessTier",
                "VersionId",
                "IsCurrentVersion",
            ],
        },
    }
