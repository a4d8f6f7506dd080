"""Is a process of this machine well? Asked by `up`, by `health` and so by containers."""

import http.client
import time
from pathlib import Path

from app.kit.errors import AtalayaError
from app.kit.settings import Settings

TIMEOUT_SECONDS = 5.0
MISSED_BEATS = 10


class UnwellError(AtalayaError):
    """The process does not do its work."""

    title = "Not well"


def ask_web(values: Settings) -> None:
    """UnwellError unless /healthz answers 200."""
    host = values.local_host.strip("[]")
    connection = http.client.HTTPConnection(host, values.port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        body = answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        raise UnwellError(f"web on {host}:{values.port} does not answer: {error}") from None
    finally:
        connection.close()
    if answer.status != http.HTTPStatus.OK:
        raise UnwellError(f"web answers {answer.status}: {body[:300]}")


def ask_beat(values: Settings) -> None:
    """UnwellError when beat has sent nothing for ten of its intervals."""
    try:
        age_seconds = time.time() - beat_file(values).stat().st_mtime
    except OSError:
        raise UnwellError("beat has sent nothing yet") from None
    if age_seconds > MISSED_BEATS * values.dispatch_every_seconds + TIMEOUT_SECONDS:
        raise UnwellError(f"beat has sent nothing for {age_seconds:.0f} s")


def beat_file(values: Settings) -> Path:
    """Touched by beat whenever a message has reached the broker."""
    return values.home / "beat.seen"
