"""Makes what pages and PDFs need of a variable font: Latin WOFF2, and files of one weight."""

import io
from pathlib import Path

from fontTools import subset as font_subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

# Latin and the punctuation of English and Spanish; arrows and other signs are drawn as icons.
LATIN = (
    *range(0x0100),
    0x0131,
    *range(0x0152, 0x0154),
    *range(0x02BB, 0x02BD),
    0x02C6,
    0x02DA,
    0x02DC,
    *range(0x2000, 0x2070),
    0x20AC,
    0x2122,
    0x2191,
    0x2193,
    0x2212,
    0x2215,
    0xFEFF,
    0xFFFD,
)
FEATURES = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "tnum", "zero", "case"]


def subset(source: Path) -> bytes:
    """The WOFF2 bytes; the same for the same font and versions of fontTools and brotli."""
    options = font_subset.Options()
    options.flavor = "woff2"
    options.layout_features = FEATURES
    options.drop_tables += ["meta"]
    cutter = font_subset.Subsetter(options)
    cutter.populate(unicodes=LATIN)
    result = io.BytesIO()
    with font_subset.load_font(str(source), options) as font:
        cutter.subset(font)
        font_subset.save_font(font, result, options)
    return result.getvalue()


def instance(source: Path, weight: int) -> bytes:
    """A TrueType file of one weight with all its letters: typst reads no variable fonts."""
    result = io.BytesIO()
    # The stamp of the source is kept, so that equal inputs give equal bytes.
    with TTFont(source, recalcTimestamp=False) as variable:
        fixed = instancer.instantiateVariableFont(variable, {"wght": weight}, updateFontNames=True)
        fixed.save(result)
    return result.getvalue()
