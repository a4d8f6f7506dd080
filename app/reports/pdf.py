"""The weekly report as a tagged A4 PDF (PDF/UA-1), set by typst; equal data give equal bytes."""

from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

import orjson
import typst

from app.domain.reporting import WeeklyReport
from app.kit.i18n import translator
from app.kit.settings import ROOT
from app.reports.view import view_of

MEDIA_TYPE = "application/pdf"
TEMPLATE = ROOT / "templates" / "reports" / "weekly.typ"
FONTS = ROOT / "static" / "vendor"


@lru_cache(maxsize=1)
def _compiler() -> typst.Compiler:
    # Only the wheel's fonts and those made at set-up, so that every machine gives the same bytes.
    fonts: list[Path] = [FONTS] if FONTS.exists() else []
    return typst.Compiler(root=str(TEMPLATE.parent), font_paths=fonts, ignore_system_fonts=True)


def render(report: WeeklyReport, language: str) -> bytes:
    """The PDF; data travel as JSON text and are never read as markup."""
    view = view_of(report, translator(language))
    made = report.made_at.astimezone(ZoneInfo(report.time_zone))
    document = {
        **asdict(view),
        "made": {"year": made.year, "month": made.month, "day": made.day},
    }
    pdf = _compiler().compile(
        input=str(TEMPLATE),
        sys_inputs={"report": orjson.dumps(document).decode()},
        pdf_standards=["ua-1"],
    )
    return b"".join(pdf) if isinstance(pdf, list) else bytes(pdf or b"")
