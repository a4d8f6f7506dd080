"""What is written about the code is what the code says."""

import re
from pathlib import Path

from app import handbook
from app.kit.settings import ROOT, Settings


def test_reference_pages_and_the_settings_table_are_up_to_date() -> None:
    stale = [str(path.relative_to(ROOT)) for path in handbook.stale()]
    assert stale == [], "run ./atalaya docs build"


def test_the_readme_names_every_setting() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "<!-- settings -->" in readme
    named = set(re.findall(r"ATALAYA_[A-Z_]+", readme))
    assert {f"ATALAYA_{name.upper()}" for name in Settings.model_fields} <= named


def test_every_setting_says_what_it_is_for() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_a_stale_table_is_seen_and_mended(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- settings -->\noutdated\n<!-- /settings -->\nafter\n")
    assert readme in handbook.stale(tmp_path)
    assert readme in handbook.write(tmp_path)
    text = readme.read_text()
    assert "outdated" not in text
    assert "| `ATALAYA_HOME` |" in text
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert handbook.stale(tmp_path) == {}
