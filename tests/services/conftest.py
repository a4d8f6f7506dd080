"""Services under test log into a list: rendering a traceback for a terminal takes seconds."""

from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
from structlog.testing import capture_logs


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[MutableMapping[str, Any]]]:
    """What was logged during the test."""
    with capture_logs() as entries:
        yield entries
