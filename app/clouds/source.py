"""What a client needs to know of a connection; the domain's Connection fits it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class OwnAccount:
    """A source in the account that its credentials belong to."""

    config: Mapping[str, Any]
    secret: Callable[[str], str]
    allow_private_endpoints: bool
    threads: int
    sub_account_id: str = ""


def own_account(source: Source) -> OwnAccount:
    """The same source, whichever of its accounts it names."""
    return OwnAccount(source.config, source.secret, source.allow_private_endpoints, source.threads)
