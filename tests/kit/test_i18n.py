"""Numbers, sizes and moments as CLDR and the house rules write them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from app.kit.i18n import translator


@pytest.mark.parametrize(
    ("language", "value", "digits", "text"),
    [
        ("en", 1204, 0, "1,204"),
        ("en", 103703, 0, "103,703"),
        ("es", 9140, 0, "9140"),
        ("es", 9999.6, 0, "10.000"),
        ("es", 103703, 0, "103.703"),
        ("es", 29.64, 1, "29,6"),
        ("en", -4, 0, "\N{MINUS SIGN}4"),
    ],
)
def test_numbers_follow_the_language(language: str, value: float, digits: int, text: str) -> None:
    assert translator(language).number(value, digits) == text


def test_a_percent_sign_stands_apart_in_spanish() -> None:
    assert translator("en").percent(29.6, 1) == "29.6%"
    assert translator("es").percent(29.6, 1) == "29,6\N{NO-BREAK SPACE}%"


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (0, "0 B"),
        (1023, "1,023 B"),
        (131_072, "128 KiB"),
        (1_319_413_953_331, "1.2 TiB"),
        (2**60, "1,024 PiB"),
        (2**90, "1,099,511,627,776 PiB"),
    ],
)
def test_sizes_are_binary_and_have_no_largest(size_bytes: int, text: str) -> None:
    shown = translator("en").size(size_bytes).replace("\N{NO-BREAK SPACE}", " ")
    assert shown == text


def test_moments_name_their_zone() -> None:
    at = datetime(2026, 11, 27, 3, 14, tzinfo=UTC)
    pattern = "d MMM HH:mm z"
    assert translator("es").when(at, ZoneInfo("Europe/Madrid"), pattern) == "27 nov 04:14 CET"
    assert translator("en").when(at, ZoneInfo("UTC"), pattern) == "27 Nov 03:14 UTC"


def test_an_unknown_language_is_english() -> None:
    assert translator("xx").language == "en"


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_number_of_any_size_is_written(language: str) -> None:
    found = translator(language)
    assert found.number(8.5e37, 3).startswith("85")
    assert len(found.number(1.7e308, 3)) > 300
