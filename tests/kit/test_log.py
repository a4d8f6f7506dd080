"""Log lines hold texts of strangers, and must stay lines."""

import pytest
import structlog

from app.kit import log


@pytest.mark.parametrize("log_format", ["console", "json"])
def test_no_text_steers_a_terminal_or_begins_a_line(
    log_format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log.configure("json" if log_format == "json" else "console", "INFO")
    structlog.get_logger().info("http.request", path="/zz\x1b[31m\x9b\nhttp.request")
    written = capsys.readouterr().err
    assert written.count("\n") == 1
    assert written.strip("\n").isprintable()


@pytest.mark.parametrize("log_format", ["console", "json"])
def test_the_message_of_an_exception_does_not_either(
    log_format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log.configure("json" if log_format == "json" else "console", "INFO")
    error = ValueError("zz\x1b[31m\x9b")
    structlog.get_logger().error("http.failed", exc_info=error)
    written = capsys.readouterr().err
    assert "ValueError" in written
    assert "\x1b" not in written
    assert "\x9b" not in written
