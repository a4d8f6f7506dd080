"""The errors of the simulated AWS in the form of each protocol."""

import json
from collections.abc import Mapping
from xml.sax.saxutils import escape

from app.sandbox.aws import modelled
from app.sandbox.aws.requests import AwsCall
from app.sandbox.wire import Answer, xml_answer

REQUEST_ID = "SANDBOX000000000"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


class AwsRefusal(Exception):  # noqa: N818 - not a failure of ours: the cloud says no
    """An answer other than the one that was asked for."""

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}

    def answer(self, call: AwsCall) -> Answer:
        """The error in the words of the call's own protocol."""
        if call.service == "s3":
            return self._s3(call)
        protocol = modelled.protocol_of(call.service)
        if "json" in protocol:
            return self._json()
        return self._ec2() if protocol == "ec2" else self._query()

    def _s3(self, call: AwsCall) -> Answer:
        bucket = f"<BucketName>{escape(call.bucket)}</BucketName>" if call.bucket else ""
        text = (
            f"{_HEAD}<Error><Code>{escape(self.code)}</Code>"
            f"<Message>{escape(self.message)}</Message>{bucket}"
            f"<RequestId>{REQUEST_ID}</RequestId><HostId>sandbox</HostId></Error>"
        )
        return xml_answer(text, self.status, {"x-amz-request-id": REQUEST_ID, **self.headers})

    def _query(self) -> Answer:
        side = "Sender" if self.status < 500 else "Receiver"  # noqa: PLR2004 - HTTP's own classes
        text = (
            '<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error>'
            f"<Type>{side}</Type><Code>{escape(self.code)}</Code>"
            f"<Message>{escape(self.message)}</Message></Error>"
            f"<RequestId>{REQUEST_ID}</RequestId></ErrorResponse>"
        )
        return xml_answer(text, self.status, {"Content-Type": "text/xml"})

    def _ec2(self) -> Answer:
        text = (
            f"{_HEAD}<Response><Errors><Error><Code>{escape(self.code)}</Code>"
            f"<Message>{escape(self.message)}</Message></Error></Errors>"
            f"<RequestID>{REQUEST_ID}</RequestID></Response>"
        )
        return xml_answer(text, self.status, {"Content-Type": "text/xml;charset=UTF-8"})

    def _json(self) -> Answer:
        body = json.dumps({"__type": self.code, "message": self.message, "Message": self.message})
        headers = {"Content-Type": "application/x-amz-json-1.1", "x-amzn-ErrorType": self.code}
        return Answer(self.status, body.encode(), headers)


def access_denied(what: str, region: str = "") -> AwsRefusal:
    """The caller may not do this; HeadBucket tells the region even so (Amazon S3 API)."""
    headers = {"x-amz-bucket-region": region} if region else {}
    return AwsRefusal(403, "AccessDenied", f"Access Denied: {what}", headers)
