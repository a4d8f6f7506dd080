"""Blob storage's own XML: lists of containers and of blobs, the account in the path."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import format_datetime
from typing import TypeVar
from xml.sax.saxutils import escape, quoteattr

from app.sandbox.azure.model import Account, Container
from app.sandbox.azure.refusal import Refusal
from app.sandbox.story import azure_time, created_at, mixed
from app.sandbox.wire import Answer, Request, xml_answer

T = TypeVar("T")
MAX_RESULTS = 5000
FROM_START = "*"  # a marker that leads back to the first page, for the repeated-page fault
_HEAD = '<?xml version="1.0" encoding="utf-8"?>'
_TIERS = ("Hot", "Hot", "Hot", "Cool", "Cold", "Archive")
_KIBIBYTE = 1024


@dataclass(frozen=True, slots=True)
class Blob:
    """One blob or version; `version` is None where the account keeps none."""

    name: str
    made_at: datetime
    size_bytes: int
    tier: str
    tier_inferred: bool
    rehydrating: bool
    version: str | None
    current: bool


def blobs(account: Account, container: Container) -> Iterator[Blob]:
    """Every blob of a container in name order, previous versions before the current one."""
    for number in range(container.blobs):
        name = f"part-{number:05d}.parquet"
        dice = mixed(f"{account.name}/{container.name}/{name}")
        tier = _TIERS[dice % len(_TIERS)] if account.kind != "BlockBlobStorage" else "Premium"
        made_at = created_at(f"{container.name}/{name}")
        versioned = bool(account.blob.versioning)
        for age in range(dice % 3, -1, -1) if versioned else (0,):
            at = made_at - timedelta(days=30 * age)
            yield Blob(
                name,
                at,
                dice % (512 * _KIBIBYTE * _KIBIBYTE) + age,
                tier,
                tier_inferred=tier == "Hot" and dice % 2 == 0,
                rehydrating=tier == "Archive" and dice // 64 % 4 == 0,
                version=azure_time(at) if versioned else None,
                current=age == 0,
            )


def list_containers(request: Request, account: Account) -> Answer:
    """`GET /{account}?comp=list`: one page of containers."""
    ordered = sorted(account.containers, key=lambda item: item.name)
    prefix = request.parameter("prefix") or ""
    shown = [item for item in ordered if item.name.startswith(prefix)]
    page, following = _page(request, shown, [item.name for item in shown])
    rows = "".join(_container(account, item) for item in page)
    return _enumeration(account, "", f"<Containers>{rows}</Containers>", following)


def list_blobs(request: Request, account: Account, name: str) -> Answer:
    """`GET /{account}/{container}?restype=container&comp=list`: one page of blobs."""
    container = next((item for item in account.containers if item.name == name), None)
    if container is None:
        raise Refusal(404, "ContainerNotFound", "The specified container does not exist.")
    wants_versions = "versions" in (request.parameter("include") or "").split(",")
    prefix = request.parameter("prefix") or ""
    shown = [
        blob
        for blob in blobs(account, container)
        if blob.name.startswith(prefix) and (blob.current or wants_versions)
    ]
    page, following = _page(request, shown, [_marker(blob) for blob in shown])
    rows = "".join(_blob(account, blob, with_version=wants_versions) for blob in page)
    where = f" ContainerName={quoteattr(name)}"
    return _enumeration(account, where, f"<Blobs>{rows}</Blobs>", following)


def _page(request: Request, items: Sequence[T], markers: Sequence[str]) -> tuple[Sequence[T], str]:
    """The items from the request's marker on, and the marker of what follows (empty at the end)."""
    size = request.parameter("maxresults") or str(MAX_RESULTS)
    if not size.isdigit() or not 0 < int(size) <= MAX_RESULTS:
        message = "One of the query parameters lies outside the permissible range."
        raise Refusal(400, "OutOfRangeQueryParameterValue", message)
    marker = request.parameter("marker")
    if marker in (None, "", FROM_START):
        start = 0
    elif marker in markers:
        start = markers.index(marker)
    else:
        raise Refusal(400, "InvalidQueryParameterValue", "The marker is not one of ours.")
    end = start + int(size)
    return items[start:end], markers[end] if end < len(markers) else ""


def _marker(blob: Blob) -> str:
    return f"{blob.name}!{blob.version or ''}"


def _enumeration(account: Account, where: str, rows: str, following: str) -> Answer:
    marker = f"<NextMarker>{escape(following)}</NextMarker>" if following else "<NextMarker />"
    endpoint = f"https://{account.name}.blob.core.windows.net/"
    text = (
        f'{_HEAD}<EnumerationResults ServiceEndpoint="{endpoint}"{where}>'
        f"{rows}{marker}</EnumerationResults>"
    )
    return xml_answer(text, headers={"x-ms-version": "2023-11-03"})


def _container(account: Account, item: Container) -> str:
    changed = format_datetime(created_at(f"{account.name}/{item.name}"), usegmt=True)
    public = f"<PublicAccess>{item.public.lower()}</PublicAccess>" if item.public != "None" else ""
    locked = str(item.retention_days is not None).lower()
    return (
        f"<Container><Name>{escape(item.name)}</Name><Properties>"
        f"<Last-Modified>{changed}</Last-Modified>"
        f'<Etag>"0x8D{mixed(account.name + item.name):012X}"</Etag>'
        f"<LeaseStatus>unlocked</LeaseStatus><LeaseState>available</LeaseState>{public}"
        "<DefaultEncryptionScope>$account-encryption-key</DefaultEncryptionScope>"
        "<DenyEncryptionScopeOverride>false</DenyEncryptionScopeOverride>"
        f"<HasImmutabilityPolicy>{locked}</HasImmutabilityPolicy>"
        f"<HasLegalHold>{str(item.legal_hold).lower()}</HasLegalHold>"
        "</Properties></Container>"
    )


def _blob(account: Account, blob: Blob, *, with_version: bool) -> str:
    version = ""
    if with_version and blob.version:
        current = "<IsCurrentVersion>true</IsCurrentVersion>" if blob.current else ""
        version = f"<VersionId>{blob.version}</VersionId>{current}"
    return (
        f"<Blob><Name>{escape(blob.name)}</Name>{version}"
        f"<Properties>{_blob_properties(account, blob)}</Properties><OrMetadata /></Blob>"
    )


def _blob_properties(account: Account, blob: Blob) -> str:
    made = format_datetime(blob.made_at, usegmt=True)
    etag = f"0x8D{mixed(_marker(blob)):012X}"
    kind = "<ResourceType>file</ResourceType>" if account.hns else ""
    inferred = "<AccessTierInferred>true</AccessTierInferred>" if blob.tier_inferred else ""
    status = "<ArchiveStatus>rehydrate-pending-to-cold</ArchiveStatus>" if blob.rehydrating else ""
    priority = "<RehydratePriority>Standard</RehydratePriority>" if blob.rehydrating else ""
    changed = "" if blob.tier_inferred else f"<AccessTierChangeTime>{made}</AccessTierChangeTime>"
    lease = "<LeaseStatus>unlocked</LeaseStatus><LeaseState>available</LeaseState>"
    return (
        f"<Creation-Time>{made}</Creation-Time><Last-Modified>{made}</Last-Modified>"
        f"<Etag>{etag}</Etag>{kind}<Content-Length>{blob.size_bytes}</Content-Length>"
        "<Content-Type>application/octet-stream</Content-Type><Content-Encoding />"
        "<Content-Language /><Content-CRC64 /><Content-MD5 /><Cache-Control />"
        "<Content-Disposition /><BlobType>BlockBlob</BlobType>"
        f"<AccessTier>{blob.tier}</AccessTier>{inferred}{status}{priority}{changed}"
        f"{lease if blob.current else ''}<ServerEncrypted>true</ServerEncrypted>"
    )
