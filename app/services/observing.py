"""What a collector saw, in the form that is stored: clean, short enough, with derived facts."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.domain.collecting import ResourceSeen, SamplesSeen
from app.domain.derive import derive
from app.domain.fact_schema import to_fact_set
from app.kit.clean import clean_json, clean_text
from app.kit.ids import digest
from app.store.estate import Observed, Place

# UTF-8 bytes. Postgres refuses index entries above 2,704 bytes, and name and search lie in one.
# No cloud allows names or ids like that: what is cut (see clean_text) came from somebody hostile.
NAME_BYTES = 1_000
SEARCH_BYTES = 1_500
REGION_BYTES = 100
ACCOUNT_BYTES = 200
SCOPE_BYTES = 300
SOURCE_BYTES = 300
DIMENSION_BYTES = 200


def observed(seen: ResourceSeen, now: datetime) -> Observed:
    """Pure. The digest covers facts, name, region and tags: a change of any is a new revision."""
    documents = (seen.facts, *derive(seen.facts, now))
    facts: dict[str, Any] = clean_json(to_fact_set(*documents).to_json())
    name = clean_text(seen.name, NAME_BYTES)
    region_id = clean_text(seen.region_id, REGION_BYTES) if seen.region_id else None
    tags: dict[str, str] | None = None if seen.tags is None else clean_json(dict(seen.tags))
    return Observed(
        kind=seen.kind,
        immutable_id=clean_text(seen.immutable_id, NAME_BYTES),
        native_id=clean_text(seen.native_id, NAME_BYTES),
        parent_native_id=clean_text(seen.parent_native_id, NAME_BYTES),
        name=name,
        search=_search(seen, tags or {}),
        sub_account_id=clean_text(seen.sub_account_id, ACCOUNT_BYTES),
        region_id=region_id,
        scope=clean_text(seen.scope, SCOPE_BYTES),
        created_at=seen.created_at,
        tags=tags,
        facts=facts,
        digest=digest([facts, name, region_id, tags]),
        places=_places(facts["present"].get("rest_places", [])),
    )


def sampled(seen: SamplesSeen) -> SamplesSeen:
    """Pure. The same samples; what names their series is clean and short enough."""
    series = seen.series
    clean = replace(
        series,
        sub_account_id=clean_text(series.sub_account_id, ACCOUNT_BYTES),
        region_id=clean_text(series.region_id, REGION_BYTES),
        subject_id=clean_text(series.subject_id, NAME_BYTES),
        source=clean_text(series.source, SOURCE_BYTES),
        dimension=clean_text(series.dimension, DIMENSION_BYTES),
        labels=clean_json(dict(series.labels)),
    )
    return replace(seen, series=clean)


def _search(seen: ResourceSeen, tags: Mapping[str, str]) -> str:
    words = [seen.name, seen.native_id, seen.sub_account_id]
    words += [f"{key}={value}" for key, value in sorted(tags.items())]
    return clean_text("\n".join(words).casefold(), SEARCH_BYTES)


def _places(rest_places: list[dict[str, Any]]) -> tuple[Place, ...]:
    """A replica that names no store says that the rules were not readable; it is no copy."""
    return tuple(
        Place(
            region_id=clean_text(place.get("region_id") or "", REGION_BYTES),
            role=place["role"],
            zone=place.get("zone") or "",
        )
        for place in rest_places
        if place["role"] != "replica" or place.get("store")
    )
