"""S3's newer answers to our facts: archive tiers, metadata tables, unfinished uploads. Pure.

Each function returns values by fact name; None states that there is none.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

from app.domain.quantities import age_days
from app.domain.s3_settings import IntelligentTiering, MetadataTable

Answer = Mapping[str, Any]

_TIERING_FILTERS = frozenset({"Prefix", "Tag", "Tags"})
_ARCHIVE, _DEEP_ARCHIVE = "ARCHIVE_ACCESS", "DEEP_ARCHIVE_ACCESS"
_SWITCH = {"Enabled": True, "Disabled": False, "ENABLED": True, "DISABLED": False}
# The journal can only be deleted, the others are switched on and off.
_TABLES = {
    "journal": "JournalTableConfigurationResult",
    "inventory": "InventoryTableConfigurationResult",
    "annotation": "AnnotationTableConfigurationResult",
}


def intelligent_tiering(answer: Answer) -> Answer:
    """ListBucketIntelligentTieringConfigurations, all pages joined."""
    rows = answer.get("IntelligentTieringConfigurationList", ())
    return {"intelligent_tiering": tuple(map(_tiering, rows)) or None}


def _tiering(row: Answer) -> IntelligentTiering:
    condition = _condition(row.get("Filter") or {})
    tags = [*condition.get("Tags", ()), *([condition["Tag"]] if condition.get("Tag") else [])]
    days = {tier["AccessTier"]: age_days(tier["Days"]) for tier in row["Tierings"]}
    if unknown := days.keys() - {_ARCHIVE, _DEEP_ARCHIVE}:
        raise ValueError(f"unknown tiers {sorted(unknown)}")
    return IntelligentTiering(
        name=row["Id"],
        enabled=_SWITCH[row["Status"]],
        prefix=condition.get("Prefix") or "",
        tags={tag["Key"]: tag["Value"] for tag in tags},
        archive_after_days=days.get(_ARCHIVE),
        deep_archive_after_days=days.get(_DEEP_ARCHIVE),
    )


def _condition(found: Answer) -> Answer:
    """`Filter` alone or with `And`, flat; what we do not know may narrow it in any way."""
    joined = {**found, **found.get("And", {})}
    joined.pop("And", None)
    if unknown := joined.keys() - _TIERING_FILTERS:
        raise ValueError(f"unknown filters {sorted(unknown)}")
    return joined


def metadata_tables(answer: Answer) -> Answer:
    """GetBucketMetadataConfiguration, of the first version of S3 Metadata too."""
    result = answer["GetBucketMetadataConfigurationResult"]["MetadataConfigurationResult"]
    return {
        "metadata_tables": tuple(_tables(result)) or None,
        "metadata_table_bucket": result["DestinationResult"].get("TableBucketArn"),
    }


def _tables(result: Answer) -> Iterator[MetadataTable]:
    for kind, member in _TABLES.items():
        table = result.get(member)
        if table is not None:
            yield MetadataTable(
                kind=kind,
                enabled=kind == "journal" or _SWITCH[table["ConfigurationState"]],
                status=table.get("TableStatus"),
                error=table.get("Error", {}).get("ErrorCode") or "",
                name=table.get("TableName"),
            )


def unfinished_uploads(answer: Answer) -> Answer:
    """ListMultipartUploads, its first page alone; an answer without `IsTruncated` is none."""
    begun = [row["Initiated"].astimezone(UTC) for row in answer.get("Uploads", ())]
    cut = answer["IsTruncated"]
    if not isinstance(cut, bool):
        raise TypeError("IsTruncated is yes or no")
    return {
        "unfinished_upload_count": len(begun),
        "unfinished_uploads_listed_whole": not cut,
        "oldest_listed_upload_at": min(begun, default=None),
    }
