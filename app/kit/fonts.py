"""Cuts a variable font down to the Latin letters that pages use, as WOFF2."""

import io
from pathlib import Path

from fontTools import subset as font_subset

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
