"""Lists that never end: the same page again, with the token that led to it."""

import json
import re
from dataclasses import replace

from app.sandbox.aws import documents, modelled
from app.sandbox.aws.requests import AwsCall
from app.sandbox.wire import Answer, Request

_S3_TOKEN = re.compile(
    rb"<(Next)?ContinuationToken>.*?</(Next)?ContinuationToken>|<IsTruncated>\w+</IsTruncated>"
)
_XML_TOKEN = re.compile(r"<(nextToken|NextToken)>[^<]*</\1>|<(nextToken|NextToken)/>")


def s3(request: Request, answer: Answer) -> Answer:
    """A list of S3."""
    root = re.search(rb"</(\w+)>\s*$", answer.body)
    if root is None:
        return answer
    inner = _S3_TOKEN.sub(b"", answer.body[: root.start()])
    is_bucket_list = root[1] in {b"ListAllMyBucketsResult", b"ListDirectoryBucketsResponse"}
    start = "0" if b"DirectoryBuckets" in root[1] else documents.FROM_START
    token = request.parameter("continuation-token") or start
    name = "ContinuationToken" if is_bucket_list else "NextContinuationToken"
    truncated = "" if is_bucket_list else "<IsTruncated>true</IsTruncated>"
    more = f"{truncated}<{name}>{token}</{name}>".encode()
    return replace(answer, body=inner + more + root[0])


def modelled_list(call: AwsCall, answer: Answer) -> Answer:
    """A list of any other service."""
    member, parameter = modelled.tokens_of(call.service, call.action)
    token = str(call.params.get(parameter) or "0")
    if "json" in modelled.protocol_of(call.service):
        page = json.loads(answer.body)
        page[member] = token
        return replace(answer, body=json.dumps(page).encode())
    written = member[:1].lower() + member[1:] if call.service == "ec2" else member
    text = _XML_TOKEN.sub("", answer.body.decode())
    end = text.rindex("</")
    return replace(answer, body=f"{text[:end]}<{written}>{token}</{written}>{text[end:]}".encode())
