"""Versions of Azure's APIs that are asked for, and the only requests that are not a GET."""

import re
from collections.abc import Mapping
from types import MappingProxyType

# Pinned to versions whose answers were seen; sovereign clouds lag behind the newest.
API_VERSIONS: Mapping[str, str] = MappingProxyType(
    {
        "aks": "2025-09-01",
        "batch": "2024-02-01",
        "cognitive": "2025-09-01",
        "compute": "2024-03-01",
        "disks": "2023-10-02",
        "graph": "2022-10-01",
        "lustre": "2026-01-01",
        "machine_learning": "2024-04-01",
        "metrics": "2024-02-01",
        "monitor": "2023-04-03",
        "netapp": "2023-11-01",
        "network": "2024-01-01",
        "providers": "2021-04-01",
        "qumulo": "2024-06-19",
        "skus": "2021-07-01",
        "storage": "2023-05-01",
        "subscriptions": "2022-12-01",
    }
)
GRAPH = "/providers/Microsoft.ResourceGraph/resources"
# These five read, though they are sent as POST. No other POST is ever sent.
READING_POSTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"/providers/Microsoft\.ResourceGraph/resources",
        r"/subscriptions/[^/?#%]+/metrics:getBatch",
        r"/subscriptions/[^/?#%]+/[^?#%]+/workspaces/[^/?#%]+/computes/[^/?#%]+/listNodes",
        r"/subscriptions/[^/?#%]+/[^?#%]+/volumes/[^/?#%]+/listReplications",
        r"/[^?#%]+/providers/Microsoft\.CostManagement/query",
    )
)


def reads(path: str) -> bool:
    """Whether a POST to this path only reads. A name in it must not lead elsewhere."""
    if {".", ".."} & {*path.split("/")}:
        return False
    return any(pattern.fullmatch(path) for pattern in READING_POSTS)
