"""The rule of field case F30 for cells, and what CSV must keep exact."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from app.kit.csv_text import cell, row


@pytest.mark.parametrize(
    "text", ["=2+5", "+34 demo", "-lead", "@sum(a1)", "\tindent", "\rreturn", "\nline", "\uff1d1"]
)
def test_text_that_would_run_gets_an_apostrophe(text: str) -> None:
    assert cell(text) == "'" + text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a;=2+5", "a;'=2+5"),
        ("a;@sum(a1);-1", "a;'@sum(a1);'-1"),
        ("two\r\n+lines", "two\r\n'+lines"),
        ("wide;\uff1d1", "wide;'\uff1d1"),
        ("=1;=2", "'=1;'=2"),
    ],
)
def test_text_that_would_run_where_semicolons_end_cells_gets_one_within(
    text: str, shown: str
) -> None:
    assert cell(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "a;b",
        "a;b=c",
        "one\ntwo",
        "k=v;x=y",
        "a; =1",
        "x\n  --flag",
        "a=b",
        "",
        "name",
        " =1",
        "'=1",
        "1-2",
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Decimal("-250.00"), "-250.00"),
        (Decimal("1E+3"), "1000"),
        (-3, "-3"),
        (9007199254740993, "9007199254740993"),
        (2**70, str(2**70)),
        (True, "true"),
        (False, "false"),
        (None, ""),
        (datetime(2026, 11, 30, 9, 38, tzinfo=UTC), "2026-11-30T09:38:00+00:00"),
    ],
)
def test_numbers_and_instants_keep_their_value(value: object, shown: str) -> None:
    assert cell(value) == shown


def test_a_record_is_quoted_and_ends_as_rfc_4180_says() -> None:
    assert row(['say "hi", then go', 3, "=1"]) == '"say ""hi"", then go",3,\'=1\r\n'
