import tomllib

from app.kit.settings import ROOT
from app.kit.version import VERSION


def test_the_version_shown_is_the_version_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == VERSION
