"""Azure's words into ours, for any of its services: ids, instants, regions, switches."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

Json = Mapping[str, Any]
_DURATION = re.compile(r"P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?")
_UNITS = (86_400, 3_600, 60, 1)
_FRACTION = re.compile(r"(\.\d{6})\d+")


def canonical_id(resource_id: str) -> str:
    """An id for comparisons: Azure's ids differ in letter case between its own services."""
    return "/" + resource_id.strip("/").lower()


def last_part(resource_id: str) -> str:
    """The name at the end of an id."""
    return resource_id.rstrip("/").rpartition("/")[2]


def subscription_of(resource_id: str) -> str:
    """The subscription that an id names; '' when it names none."""
    parts = canonical_id(resource_id).split("/")
    return parts[2] if parts[1:2] == ["subscriptions"] and len(parts) > 2 else ""  # noqa: PLR2004


def group_of(resource_id: str) -> str:
    """The resource group that an id names, in lower case; '' when it names none."""
    parts = canonical_id(resource_id).split("/")
    return parts[4] if parts[3:4] == ["resourcegroups"] and len(parts) > 4 else ""  # noqa: PLR2004


def below(resource_id: str, part: str) -> str:
    """The id of a resource's ancestor: what ends with the name that follows `part`.

    `below(".../workspaces/w/computes/c", "workspaces")` is ".../workspaces/w". ValueError when
    the id has no such part.
    """
    parts = resource_id.split("/")
    lowered = [one.lower() for one in parts]
    return "/".join(parts[: lowered.index(part.lower()) + 2])


def instant(text: str | None) -> datetime | None:
    """A time as Azure writes it: up to seven decimals, Z or an offset; None stays None."""
    if not text:
        return None
    found = datetime.fromisoformat(_FRACTION.sub(r"\1", text))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def time_created(row: Json) -> datetime | None:
    """When a resource of Compute was made; None where Azure does not say.

    Raises (see `ODD` in `app.domain.replies`) when that is not understood.
    """
    return instant(row["properties"].get("timeCreated"))


def region(location: object) -> str | None:
    """A region's code: display names such as `East US` lose spaces and capitals."""
    return str(location).replace(" ", "").lower() if location else None


def tags_of(row: Json) -> dict[str, str]:
    """Tags of a document. A TypeError when they are no mapping."""
    tags = row.get("tags") or {}
    if not isinstance(tags, Mapping):
        raise TypeError("tags are a mapping")
    return {str(key): str(value) for key, value in tags.items()}


def tags_or_none(row: Json) -> dict[str, str] | None:
    """Tags of a document; None, which is "not read", when they are of no shape that is known."""
    try:
        return tags_of(row)
    except TypeError:
        return None


def tag(tags: Mapping[str, str], name: str) -> str:
    """The value of a tag; their names compare without letter case. '' without one."""
    return next((value for key, value in tags.items() if key.lower() == name.lower()), "")


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


def section(document: Json, name: str) -> Json:
    """An object inside a document; empty when Azure leaves it out. ValueError for anything else."""
    value = document.get(name)
    if value is None or isinstance(value, Mapping):
        return value or {}
    raise ValueError(f"{name} is no object")


def seconds(text: str | None) -> int | None:
    """Seconds of a duration such as PT5M or P1DT2H; None stays None. ValueError for other text."""
    if text is None:
        return None
    found = _DURATION.fullmatch(text)
    if not found or not any(found.groups()):
        raise ValueError("no duration of ISO 8601")
    amounts = [int(part or 0) for part in found.groups()]
    return sum(amount * unit for amount, unit in zip(amounts, _UNITS, strict=True))
