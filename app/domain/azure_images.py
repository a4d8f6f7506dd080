"""Which family an image of an Azure machine is of, told by its offer and never by its publisher."""

import re
from datetime import UTC, datetime

DATA_SCIENCE = "data_science"
HPC = "hpc"
OTHER = "other"
GALLERY = "gallery"
COMMUNITY_GALLERY = "community_gallery"
CUSTOM = "custom"

# microsoft-dsvm publishes both the Data Science VM and the HPC images (Azure: Data Science VM,
# HPC images); others publish HPC images too, such as almalinux-hpc.
_DSVM = "microsoft-dsvm"
_HPC_OFFER = re.compile(r".*-hpc|hpc-.*|aml-workstation")
_DSVM_OFFER = re.compile(r"ubuntu-\d{4}|.*dsvm.*|.*data-science.*|windows-\d{4}")
# Versions of both families hold the day they were made: 24.05.24, or 22.04.2026102901 behind the
# release of the system.
_SHORT = re.compile(r"(\d\d)\.(\d\d)\.(\d\d)")
_LONG = re.compile(r"\d+\.\d+\.(20\d\d)(\d\d)(\d\d)\d{0,2}")


def marketplace_family(publisher: str, offer: str) -> str:
    """data_science, hpc or other, of an image of the marketplace."""
    name = offer.lower()
    if _HPC_OFFER.fullmatch(name):
        return HPC
    if publisher.lower() == _DSVM and _DSVM_OFFER.fullmatch(name):
        return DATA_SCIENCE
    return OTHER


def released_at(version: str) -> datetime | None:
    """The day in a version of these families; None when it holds none, as `latest` does."""
    short, long = _SHORT.fullmatch(version), _LONG.fullmatch(version)
    if short:
        year, month, day = 2000 + int(short[1]), int(short[2]), int(short[3])
    elif long:
        year, month, day = int(long[1]), int(long[2]), int(long[3])
    else:
        return None
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
