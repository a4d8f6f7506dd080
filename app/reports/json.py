"""The weekly report as JSON: all findings, full precision, the digest of its content."""

import orjson

from app.domain.reporting import WeeklyReport, report_digest, report_to_json

MEDIA_TYPE = "application/json"


def render(report: WeeklyReport, language: str) -> bytes:
    """The document as stored, with its digest; the same in every language."""
    del language
    document = {"digest": f"sha256:{report_digest(report)}", **report_to_json(report)}
    return orjson.dumps(document, option=orjson.OPT_INDENT_2)
