"""Whose KMS key it is that encrypts: services name a key of AWS in the same form as one's own."""

from collections.abc import Iterable, Mapping
from typing import Any

from app.collectors.aws_reading import AwsReading, Facts
from app.domain.collecting import Operation
from app.domain.facts import ABSENT, FactDocument

KEYS = "kms:DescribeKey"
_FEEDS = "key_manager"

KEYS_OPERATION = Operation(
    KEYS, KEYS, (_FEEDS,), "Whether the key that encrypts is your own or one of AWS."
)


class Keys:
    """The managers of keys, each asked once; `document` has the fact `key_manager`."""

    def __init__(
        self, reading: AwsReading, document: type[FactDocument], key_ids: Iterable[object]
    ) -> None:
        known = sorted({key for key in key_ids if isinstance(key, str) and key})
        self._facts = {key: reading.learn(document, KEYS, _key_manager, KeyId=key) for key in known}

    def of(self, key_id: object) -> Facts:
        """The fact about one of these keys; absent where there is no key."""
        found = self._facts.get(key_id) if isinstance(key_id, str) else None
        return found or {_FEEDS: ABSENT}


def _key_manager(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    return {_FEEDS: answer["KeyMetadata"]["KeyManager"]}
