"""Structured logs: a constant event name, data as keywords, ids rather than objects."""

import logging
import sys
from io import StringIO
from typing import Literal, TextIO

import structlog
from structlog.typing import EventDict, ExcInfo, WrappedLogger

from app.kit.clean import printable, without_controls


def configure(log_format: Literal["console", "json"], level: str) -> None:
    """Sets up structlog once per process; JSON for machines, aligned text for people."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            exception_formatter=_traceback,
        )
    )
    logging.basicConfig(stream=sys.stderr, level=level, format="%(levelname)s %(name)s %(message)s")
    for chatty in ("httpx2", "httpcore2"):  # a line per remote call says nothing that we keep
        logging.getLogger(chatty).setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info if log_format == "json" else _visible,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )


def _visible(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Texts of strangers that neither steer a terminal nor look like a line of their own.

    JSON escapes them by itself.
    """
    return {
        key: printable(value) if isinstance(value, str) else value for key, value in event.items()
    }


def _traceback(out: TextIO, found: ExcInfo) -> None:
    """Never the values of variables: passwords and secrets are among them."""
    lines = StringIO()
    structlog.dev.plain_traceback(lines, found)
    out.write(without_controls(lines.getvalue()))
