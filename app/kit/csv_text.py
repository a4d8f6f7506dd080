"""CSV for people who open it in a spreadsheet: text never becomes a formula, numbers stay exact."""

import csv
import io
import re
from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal

# Spreadsheets take a cell that begins so for a formula (OWASP, "CSV Injection"); the last four
# are the full-width forms that an East Asian Excel folds onto the first four.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001
# Where commas are decimal points, a spreadsheet ends cells at semicolons, and then a quote in the
# middle of a line holds neither them nor line ends together: what follows begins a cell too.
_INNER_START = re.compile(
    rf"([;\r\n])(?=[{re.escape(''.join(FORMULA_STARTS[:4] + FORMULA_STARTS[-4:]))}])"
)


def cell(value: object) -> str:
    """One value as cell text, not yet quoted.

    Text that would run as a formula gets a leading apostrophe, and so does what would after a
    semicolon or a line end within it. Numbers keep every digit, None is an empty cell, instants
    are ISO 8601, booleans `true` and `false`.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    text = _INNER_START.sub(r"\1'", str(value))
    return "'" + text if text.startswith(FORMULA_STARTS) else text


def row(values: Iterable[object]) -> str:
    """One record with its line end (RFC 4180: comma, double quotes, CRLF)."""
    sink = io.StringIO()
    csv.writer(sink).writerow([cell(value) for value in values])
    return sink.getvalue()
