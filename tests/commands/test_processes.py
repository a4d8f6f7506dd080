"""How the web process is started."""

from typing import Any

import pytest
import uvicorn

from app.commands.processes import web


@pytest.mark.parametrize(
    ("named", "believed"), [(None, False), ("", False), ("127.0.0.1", True), ("10.0.0.0/8", True)]
)
@pytest.mark.usefixtures("installation")
def test_only_a_named_proxy_is_believed_about_addresses(
    monkeypatch: pytest.MonkeyPatch, named: str | None, believed: bool
) -> None:
    started: dict[str, Any] = {}
    monkeypatch.setattr(uvicorn, "run", lambda *_, **options: started.update(options))
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    if named is not None:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", named)
    web()
    assert started["proxy_headers"] is believed
