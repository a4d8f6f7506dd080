"""The errors of the simulated Azure, in the JSON of ARM and the XML of Blob storage."""

from collections.abc import Mapping
from xml.sax.saxutils import escape

from app.sandbox.wire import Answer, json_answer, xml_answer


class Refusal(Exception):  # noqa: N818 - not a failure of ours: the cloud says no
    """An answer other than the one that was asked for."""

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = dict(headers or {})
        self.details: list[dict[str, str]] = []

    def as_json(self) -> Answer:
        """`{"error": {"code", "message"}}` as ARM writes it."""
        error: dict[str, object] = {"code": self.code, "message": self.message}
        if self.details:
            error["details"] = self.details
        return json_answer({"error": error}, self.status, self.headers)

    def as_xml(self) -> Answer:
        """`<Error>` as Blob storage writes it, with the code in a header too."""
        text = (
            '<?xml version="1.0" encoding="utf-8"?><Error>'
            f"<Code>{escape(self.code)}</Code><Message>{escape(self.message)}</Message></Error>"
        )
        return xml_answer(text, self.status, {"x-ms-error-code": self.code, **self.headers})


def not_found(account: str, group: str) -> Refusal:
    """There is no such storage account."""
    resource = f"Microsoft.Storage/storageAccounts/{account}"
    message = f"The Resource '{resource}' under resource group '{group}' was not found."
    return Refusal(404, "ResourceNotFound", message)


def not_authorised(action: str, scope: str) -> Refusal:
    """The identity lacks the role for this action on this scope."""
    message = (
        "The client 'sandbox' does not have authorization to perform action "
        f"'{action}' over scope '{scope}'."
    )
    return Refusal(403, "AuthorizationFailed", message)
