"""Pages stay light: what a first view costs, compressed as it is sent."""

import gzip
import re

import pytest

from app.kit.settings import ROOT
from tests.support.site import ADDRESSES, Site

KIB = 1024
SPACE = re.compile(rb"/\*.*?\*/|\s+", re.DOTALL)


def minified(path: str) -> bytes:
    content = (ROOT / "static" / path).read_bytes()
    return SPACE.sub(lambda found: b"" if found[0].startswith(b"/*") else b" ", content)


@pytest.mark.parametrize(
    ("path", "plain_kib", "compressed_kib"),
    [("css/atalaya.css", 68, 15), ("js/atalaya.js", 12, 4.5)],
)
def test_our_own_style_and_script_are_small(
    path: str, plain_kib: float, compressed_kib: float
) -> None:
    content = minified(path)
    assert len(content) <= plain_kib * KIB
    assert len(gzip.compress(content)) <= compressed_kib * KIB


def test_two_fonts_are_enough(site: Site) -> None:
    del site  # whose making has built the assets
    fonts = sorted((ROOT / "static" / "vendor").glob("*.woff2"))
    assert [font.name for font in fonts] == ["geist-mono.woff2", "geist.woff2"]
    assert sum(font.stat().st_size for font in fonts) <= 56 * KIB


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_page_is_at_most_24_kib_as_sent(site: Site, name: str) -> None:
    text = site.client().get(site.address(name)).text
    assert len(gzip.compress(text.encode())) <= 24 * KIB
