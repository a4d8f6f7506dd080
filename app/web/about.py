"""What this installation is made of: its version, and what others made, with licences."""

import sys
from dataclasses import dataclass
from typing import ClassVar

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.http.deps import SignedIn
from app.kit import assets
from app.kit.version import VERSION
from app.web.pages import Page
from app.web.render import render
from app.web.shell import FullShell

router = APIRouter()


@dataclass(frozen=True, slots=True)
class AssetLine:
    """One file made by others."""

    name: str
    version: str
    file: str
    sha256: str
    licence: str
    package: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutPage(Page):
    """Version and parts."""

    TEMPLATE: ClassVar[str] = "about/page.html"

    version: str
    python: str
    assets: tuple[AssetLine, ...]


@router.get("/about", response_class=HTMLResponse)
def about(request: Request, shell: FullShell, _scope: SignedIn) -> HTMLResponse:
    """Version and parts."""
    page = AboutPage(
        title=shell.t.gettext("About Atalaya"),
        version=VERSION,
        python=sys.version.split()[0],
        assets=tuple(
            AssetLine(
                name=line["name"],
                version=line["version"],
                file=line["file"],
                sha256=line["sha256"],
                licence=line["licence"],
                package=line["package"],
            )
            for line in assets.manifest()
        ),
    )
    return render(request, shell, page)
