"""Failures that only exist on the wire; raised like every `AtalayaError`."""

from app.kit.errors import AtalayaError


class MalformedRequestError(AtalayaError):
    """The request cannot be read at all: not JSON, not UTF-8, control characters in its target."""

    status = 400
    title = "Malformed request"


class MethodNotAllowedError(AtalayaError):
    """This address exists, but not with this method."""

    status = 405
    title = "Method not allowed"


class PreconditionFailedError(AtalayaError):
    """The thing changed since the caller read it; nothing was written."""

    status = 412
    title = "Changed in the meantime"


class TooLargeError(AtalayaError):
    """The body is over the limit."""

    status = 413
    title = "Too large"


class UnsupportedMediaTypeError(AtalayaError):
    """The body is in a form that this address does not read."""

    status = 415
    title = "Unsupported media type"


class WrongHostError(AtalayaError):
    """The Host header names somebody else (RFC 9110, 421 Misdirected Request)."""

    status = 421
    title = "Wrong host"


class PreconditionRequiredError(AtalayaError):
    """This change must say which version it is meant for (RFC 6585)."""

    status = 428
    title = "Say which version"


class UnexpectedError(AtalayaError):
    """A defect of ours: the log has the cause under the request id."""

    status = 500
    title = "Something failed here"


class BusyError(AtalayaError):
    """The database did not answer in time; trying again helps."""

    status = 503
    title = "Busy"
