"""Style sheets, scripts, fonts: kept for ever when the address names the content, else checked."""

import os
import re

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope
from typing_extensions import override

FOR_EVER = "public, max-age=31536000, immutable"
CHECKED = "public, no-cache"
# `app.css?v=4be1…` or `app.4be1….css`: another content has another address.
VERSION_QUERY = re.compile(rb"(?:^|&)v=[0-9a-f]{8,64}(?:&|$)")
VERSION_NAME = re.compile(r"\.[0-9a-f]{8,64}\.[a-z0-9]+$")


class CachedStatic(StaticFiles):
    """Adds Cache-Control; ETag and 304 come from the base class."""

    @override
    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, with how long it may be kept."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        versioned = VERSION_QUERY.search(scope["query_string"]) or VERSION_NAME.search(
            os.fspath(full_path)
        )
        response.headers["Cache-Control"] = FOR_EVER if versioned else CHECKED
        return response
