"""Azure's disks to our facts. Pure. Shapes: Disk REST API 2023-10-02 and Resource Graph."""

from typing import Any

from app.collectors.azure_words import Json, instant, tag, tags_of, texts
from app.domain.quantities import size_bytes

_GIB = 2**30
# What the disk driver of Kubernetes writes on the disks it makes.
_NAMESPACE, _CLAIM = "kubernetes.io-created-for-pvc-namespace", "kubernetes.io-created-for-pvc-name"
_PLATFORM_KEY = "EncryptionAtRestWithPlatformKey"


def disk(row: Json) -> dict[str, Any]:
    """What a row feeds of one disk."""
    properties: Json = row["properties"]
    encryption: Json = properties.get("encryption") or {}
    zones = texts(row, "zones")
    changed = properties.get("LastOwnershipUpdateTime") or properties.get("lastOwnershipUpdateTime")
    return {
        "state": properties.get("diskState"),
        "volume_type": (row.get("sku") or {}).get("name"),
        "size_bytes": _size(properties),
        "attached_to": _holders(row),
        "ownership_changed_at": instant(changed),
        "encryption_type": encryption.get("type") or _PLATFORM_KEY,
        "encryption_key_id": encryption.get("diskEncryptionSetId") or None,
        "availability_zone": zones[0] if zones else None,
        "network_access": properties.get("networkAccessPolicy"),
        "made_of_id": _source(properties.get("creationData") or {}),
        "kubernetes_claim": _claim(tags_of(row)),
    }


def _size(properties: Json) -> int:
    """In bytes where Azure says so: an upload need not be whole GiB."""
    exact = size_bytes(properties.get("diskSizeBytes"))
    found = exact if exact is not None else size_bytes(properties["diskSizeGB"])
    if found is None:
        raise ValueError("a disk without a size")
    return found if exact is not None else found * _GIB


def _holders(row: Json) -> tuple[str, ...]:
    """The machines; a shared disk names more than one."""
    first = row.get("managedBy")
    others = [*texts(row, "managedByExtended")]
    others += [str(one["vmUri"]) for one in row["properties"].get("shareInfo") or ()]
    return tuple(dict.fromkeys([str(first)] * bool(first) + others))


def _source(creation: Json) -> str | None:
    image: Json = creation.get("imageReference") or creation.get("galleryImageReference") or {}
    return creation.get("sourceResourceId") or image.get("id") or None


def _claim(found: dict[str, str]) -> str | None:
    namespace, name = tag(found, _NAMESPACE), tag(found, _CLAIM)
    return f"{namespace}/{name}" if namespace and name else None
