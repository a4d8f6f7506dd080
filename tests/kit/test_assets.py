import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from fontTools.ttLib import TTFont

from app.kit import assets
from app.kit.errors import SettingsError

OWN = (
    '<svg xmlns="x">\n  <symbol id="st-pass" viewBox="0 0 16 16">\n <path d="M1 1"/></symbol></svg>'
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """static/vendor after a first build; fonts take a few seconds, so tests copy it."""
    static = tmp_path_factory.mktemp("static")
    (static / "icons.txt").write_text("server\n")
    assets.build(static)
    return static / "vendor"


@pytest.fixture
def static(built: Path, tmp_path: Path) -> Path:
    shutil.copytree(built, tmp_path / "vendor")
    (tmp_path / "icons.txt").write_text("server\nhouse  # the overview\n\n# a comment\n")
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons" / "own.svg").write_text(OWN)
    return tmp_path


def symbols(path: Path) -> list[str | None]:
    root = ET.fromstring(path.read_text())  # noqa: S314 - our own file
    return [symbol.get("id") for symbol in root]


def test_the_manifest_tells_where_each_file_comes_from(built: Path) -> None:
    found = {asset["file"]: asset for asset in assets.manifest(built.parent)}
    browsers = {"htmx.min.js", "htmx-sse.min.js", "geist.woff2", "geist-mono.woff2", "icons.svg"}
    assert browsers <= set(found)
    assert found["htmx.min.js"]["version"] == "2.0.10"
    assert found["htmx.min.js"]["package"] == "django-htmx"
    assert all((built / file).exists() for file in found)


def test_fonts_carry_their_licence_and_stay_small(built: Path) -> None:
    assert "SIL OPEN FONT LICENSE" in (built / "geist.licence.txt").read_text()
    total = sum((built / name).stat().st_size for name in ("geist.woff2", "geist-mono.woff2"))
    assert total <= 56_000


def test_fonts_keep_spanish_letters_weights_and_tabular_figures(built: Path) -> None:
    with TTFont(built / "geist.woff2") as font:
        letters = set(font.getBestCmap())
        features = font["GSUB"].table.FeatureList.FeatureRecord
        axes = [axis.axisTag for axis in font["fvar"].axes]
    assert {ord(letter) for letter in "ñÑáéíóúü¿¡€"} <= letters
    assert "tnum" in {feature.FeatureTag for feature in features}
    assert axes == ["wght"]


def test_the_sprite_holds_the_icons_in_use_and_our_own(static: Path) -> None:
    assert assets.build(static)
    sprite = static / "vendor" / "icons.svg"
    assert symbols(sprite) == ["lucide-house", "lucide-server", "st-pass"]
    assert 'stroke="currentColor"' in sprite.read_text()
    assert "<!--" not in sprite.read_text()


def test_a_second_build_does_nothing(static: Path) -> None:
    assert assets.build(static)
    before = (static / "vendor" / "manifest.json").read_bytes()
    assert not assets.build(static)
    assert (static / "vendor" / "manifest.json").read_bytes() == before


def test_a_new_icon_or_a_changed_file_builds_again_to_the_same_bytes(static: Path) -> None:
    assets.build(static)
    before = json.loads((static / "vendor" / "manifest.json").read_text())
    (static / "vendor" / "htmx.min.js").write_text("tampered")
    assert assets.build(static)
    assert json.loads((static / "vendor" / "manifest.json").read_text()) == before
    (static / "icons.txt").write_text("house\n")
    assert assets.build(static)
    assert symbols(static / "vendor" / "icons.svg") == ["lucide-house", "st-pass"]


@pytest.mark.parametrize("name", ["no-such-icon", "../../LUCIDE-LICENSE"])
def test_an_unknown_icon_is_named(static: Path, name: str) -> None:
    (static / "icons.txt").write_text(name)
    with pytest.raises(SettingsError, match="no icon is called"):
        assets.build(static)


def test_a_missing_package_says_how_to_get_it(
    static: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(SettingsError) as caught:
        assets.build(static)
    assert "django-htmx" in caught.value.detail
    assert "requirements-assets.lock" in caught.value.mend


def test_before_the_first_build_there_is_nothing(tmp_path: Path) -> None:
    assert assets.manifest(tmp_path) == []


def test_a_line_of_another_form_is_made_anew(static: Path) -> None:
    assets.build(static)
    manifest = static / "vendor" / "manifest.json"
    wanted = manifest.read_bytes()
    lines = json.loads(wanted)
    del lines[0]["stamp"]
    manifest.write_text(json.dumps(lines))
    assert assets.build(static)
    assert manifest.read_bytes() == wanted


def test_a_file_that_is_no_manifest_is_taken_as_none(tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor" / "manifest.json").write_text("{")
    assert assets.manifest(tmp_path) == []
