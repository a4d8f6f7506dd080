"""Where Chromium is, and how to start it so that it talks to nobody."""

import os
import shutil

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find() -> str | None:
    """$ATALAYA_TEST_CHROMIUM, else the first browser on PATH that playwright can drive."""
    if chosen := os.environ.get("ATALAYA_TEST_CHROMIUM"):
        return chosen
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)
