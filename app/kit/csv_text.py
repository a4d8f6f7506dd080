"""Text cells of CSV files that no spreadsheet takes for a formula (OWASP: CSV injection)."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def cell(text: str) -> str:
    """The text with a leading apostrophe where a spreadsheet would run it as a formula.

    For text only: write numbers as numbers, so that -250.00 stays one.
    """
    return "'" + text if text.startswith(_FORMULA_STARTS) else text
