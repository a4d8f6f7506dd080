"""What a client needs to know of a connection; the domain's Connection fits it."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol


class Source(Protocol):
    """Plain settings, a resolver for the secrets they refer to, and the SSRF guard's switch."""

    @property
    def config(self) -> Mapping[str, Any]: ...
    @property
    def secret(self) -> Callable[[str], str]: ...
    @property
    def allow_private_endpoints(self) -> bool: ...
    @property
    def threads(self) -> int: ...
    @property
    def sub_account_id(self) -> str:
        """The member account to read; '' for the one that the credentials belong to."""
        ...
