"""Where bytes rest, added up by region, for the overview."""

from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from app.domain.access import Access
from app.domain.regions import region
from app.store.queries import inventory
from app.store.queries.inventory import RegionCopies

PROVIDERS = ("aws", "azure")


@dataclass(frozen=True, slots=True)
class RegionLine:
    """Copies in one region by role; no `region_id`: the region could not be read."""

    region_id: str
    name: str
    zone: str
    primary: int = 0
    geo_pair: int = 0
    replica: int = 0

    @property
    def copies(self) -> int:
        """All copies."""
        return self.primary + self.geo_pair + self.replica


def regions_of(session: Session, *, access: Access) -> tuple[RegionLine, ...]:
    """One line per region, the most copies first and the unreadable ones last."""
    lines: dict[str, RegionLine] = {}
    for found in inventory.copies_by_region(session, access=access):
        key = found.region_id or ""
        lines[key] = _add(lines.get(key) or _line(found), found)
    return tuple(sorted(lines.values(), key=lambda line: (not line.region_id, -line.copies)))


def _line(found: RegionCopies) -> RegionLine:
    return RegionLine(found.region_id or "", place_name(found.region_id), found.zone)


def place_name(region_id: str | None) -> str:
    """The region's display name, whoever's region it is; '' when unknown."""
    known = (region(provider, region_id) for provider in PROVIDERS)
    return next((one.display_name for one in known if one), "")


def _add(line: RegionLine, found: RegionCopies) -> RegionLine:
    if found.role == "primary":
        return replace(line, primary=line.primary + found.copies)
    if found.role == "geo_pair":
        return replace(line, geo_pair=line.geo_pair + found.copies)
    return replace(line, replica=line.replica + found.copies)
