"""Settings that moto stores incompletely: kept as they were put, and given back whole."""

import re
from dataclasses import dataclass, field

from app.sandbox.aws.requests import AwsCall
from app.sandbox.wire import Answer, Request, xml_answer

SUBRESOURCES = ("lifecycle", "replication", "inventory", "object-lock", "tagging")
MINIMUM_SIZE = "x-amz-transition-default-minimum-object-size"
DEFAULT_MINIMUM = "all_storage_classes_128K"
_DECLARATION = re.compile(rb"^<\?xml[^>]*\?>\s*")
_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/"


@dataclass(slots=True)
class Known:
    """What the layer knows of a bucket beside moto; `kept` holds answers by subresource and id."""

    account_id: str
    region: str
    constraint: str | None
    kept: dict[tuple[str, str], Answer] = field(default_factory=dict)

    def keep(self, call: AwsCall, request: Request, answer: Answer) -> Answer:
        """Follows one successful call: takes what was put, drops what was deleted, or gives it."""
        key = (call.subresource, request.parameter("id") or "")
        if request.method == "PUT":
            self.kept[key] = _as_read(call.subresource, request)
        elif request.method == "DELETE":
            self.kept.pop(key, None)
        elif call.action == "ListBucketInventoryConfigurations":
            return self._inventories()
        else:
            return self.kept.get(key, answer)
        return answer

    def _inventories(self) -> Answer:
        """All inventory configurations in order of their ids."""
        found = sorted((key, kept) for key, kept in self.kept.items() if key[0] == "inventory")
        rows = b"".join(_DECLARATION.sub(b"", kept.body) for _, kept in found).decode()
        return xml_answer(
            f'<ListInventoryConfigurationsResult xmlns="{_NAMESPACE}">{rows}'
            "<IsTruncated>false</IsTruncated></ListInventoryConfigurationsResult>"
        )


def _as_read(subresource: str, request: Request) -> Answer:
    """The answer that a later read gives: the document as it was put, and S3's own header."""
    headers = {"Content-Type": "application/xml"}
    if subresource == "lifecycle":
        headers[MINIMUM_SIZE] = request.headers.get(MINIMUM_SIZE, DEFAULT_MINIMUM)
    return Answer(200, request.body, headers)
