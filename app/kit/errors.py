"""Every error the product raises on purpose. One handler turns them into problem+json or a page."""

from typing import ClassVar


class AtalayaError(Exception):
    """An expected failure: what went wrong, where, and how to mend it.

    `status` is the HTTP status, `title` the short name; `detail` says what and where, `mend` what
    to do about it; `errors` lists single faults of an input as {"where", "what"}.
    """

    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something failed"

    def __init__(
        self, detail: str, *, mend: str = "", errors: tuple[dict[str, str], ...] = ()
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.mend = mend
        self.errors = errors


class InvalidInputError(AtalayaError):
    """The caller's input is malformed; nothing was changed."""

    status = 422
    title = "Invalid input"


class NotSignedInError(AtalayaError):
    """No session and no valid token."""

    status = 401
    title = "Sign in first"


class ForbiddenError(AtalayaError):
    """Signed in, but the scope is missing."""

    status = 403
    title = "Not allowed"


class NotFoundError(AtalayaError):
    """No such thing, or none that this caller may see."""

    status = 404
    title = "Not found"


class ConflictError(AtalayaError):
    """The thing is in a state that does not admit this."""

    status = 409
    title = "Conflict"


class TooManyRequestsError(AtalayaError):
    """Slow down."""

    status = 429
    title = "Too many requests"


class SettingsError(AtalayaError):
    """The installation is configured wrongly; the process must not start."""

    title = "Wrong settings"


class CollectorError(AtalayaError):
    """A source could not be read at all.

    `code` is the provider's error code; `permanent` is False when trying again may help.
    """

    status = 502
    title = "The source could not be read"

    def __init__(self, detail: str, *, code: str, permanent: bool, mend: str = "") -> None:
        super().__init__(detail, mend=mend)
        self.code = code
        self.permanent = permanent
