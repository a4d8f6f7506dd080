"""Families of Azure's images and the day in their versions."""

from datetime import UTC, datetime

import pytest

from app.domain.azure_images import marketplace_family, released_at


@pytest.mark.parametrize(
    ("version", "day"),
    [
        ("24.05.24", datetime(2024, 5, 24, tzinfo=UTC)),
        ("18.04.2021120101", datetime(2021, 12, 1, tzinfo=UTC)),
        ("22.04.20240708", datetime(2024, 7, 8, tzinfo=UTC)),
        ("24.13.01", None),
        ("22.04.2024023001", None),
        ("1.4.0", None),
        ("latest", None),
        ("", None),
        ("16.04.201906280", datetime(2019, 6, 28, tzinfo=UTC)),
    ],
)
def test_a_version_tells_its_day_or_none(version: str, day: datetime | None) -> None:
    assert released_at(version) == day


@pytest.mark.parametrize(
    ("publisher", "offer", "family"),
    [
        ("microsoft-dsvm", "ubuntu-hpc", "hpc"),
        ("MICROSOFT-DSVM", "Ubuntu-HPC", "hpc"),
        ("microsoft-dsvm", "aml-workstation", "hpc"),
        ("openlogic", "centos-hpc", "hpc"),
        ("microsoft-dsvm", "ubuntu-1804", "data_science"),
        ("microsoft-dsvm", "dsvm-win-2019", "data_science"),
        ("microsoft-dsvm", "linux-data-science-vm-ubuntu", "data_science"),
        ("microsoft-dsvm", "something-new", "other"),
        ("canonical", "ubuntu-1804", "other"),
        ("nvidia", "ngc_azure_17_11", "other"),
    ],
)
def test_the_offer_tells_the_family_and_the_publisher_never_alone(
    publisher: str, offer: str, family: str
) -> None:
    assert marketplace_family(publisher, offer) == family
