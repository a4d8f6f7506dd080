"""Who asks and what they may: every query takes an `Access` as a required argument."""

from dataclasses import dataclass
from enum import StrEnum

from app.kit.errors import ForbiddenError


class Scope(StrEnum):
    """Permissions of sessions and API tokens; every route declares one.

    `PUBLIC` needs no caller; `SELF` is held by every caller and covers only its own account.
    """

    PUBLIC = "public"
    SELF = "self"
    RESOURCES_READ = "resources:read"
    FINDINGS_READ = "findings:read"
    FINDINGS_WRITE = "findings:write"
    POLICIES_READ = "policies:read"
    POLICIES_WRITE = "policies:write"
    CONNECTIONS_READ = "connections:read"
    CONNECTIONS_WRITE = "connections:write"
    SWEEPS_WRITE = "sweeps:write"
    JOBS_WRITE = "jobs:write"
    REPORTS_READ = "reports:read"
    REPORTS_WRITE = "reports:write"
    EVIDENCE_READ = "evidence:read"
    TOKENS_WRITE = "tokens:write"
    METRICS_READ = "metrics:read"


@dataclass(frozen=True, slots=True)
class Access:
    """The caller: `actor` for the audit trail, its scopes, and the connections it may see.

    `connection_ids` None means all; an empty set means none.
    """

    actor: str
    scopes: frozenset[Scope]
    connection_ids: frozenset[str] | None = None

    def demand(self, scope: Scope, *others: Scope) -> None:
        """Raises ForbiddenError unless the scope, or one of the others, is held."""
        if self.scopes.isdisjoint({scope, *others}):
            raise ForbiddenError(
                f"the scope {scope.value} is missing", mend="ask an administrator for it"
            )


SYSTEM = Access(actor="system", scopes=frozenset(Scope))
