"""One failed remote call in words that do not depend on whose client made it."""

import re
from collections.abc import Mapping

from app.kit.errors import CollectorError

_LONGEST_MESSAGE = 500
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]+")


class CallFailedError(CollectorError):
    """A remote call without an answer.

    `code` is the provider's own error code where it gave one, else one of ours (Timeout,
    EndpointUnreachable, MalformedAnswer, …). `denied`: a right is missing, as opposed to a fault.
    `http_status` is 0 without an answer, `headers` are those of the answer (names in lower case);
    `throttled`: the last answer was "too many requests". `operation` names the call that failed
    where it was another than the one asked for, such as sts:AssumeRole before it.
    """

    def __init__(
        self,
        detail: str,
        *,
        code: str,
        status: int = 0,
        denied: bool = False,
        throttled: bool = False,
        permanent: bool = False,
    ) -> None:
        super().__init__(readable(detail), code=readable(code)[:100], permanent=permanent)
        self.http_status, self.denied, self.throttled = status, denied, throttled
        self.headers: Mapping[str, str] = {}
        self.operation = ""


def readable(text: str) -> str:
    """A provider's message on one line, without control characters, cut to a sane length."""
    return _UNPRINTABLE.sub(" ", text).strip()[:_LONGEST_MESSAGE]
