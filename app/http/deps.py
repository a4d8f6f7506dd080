"""What every endpoint may ask for: a session, the instant, and who calls with which scope."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from app.domain.access import Access, Scope
from app.http import csrf
from app.http.callers import Caller, find_caller
from app.kit.clock import utc_now
from app.kit.errors import ForbiddenError, NotSignedInError
from app.kit.settings import Settings, settings
from app.store.session import transaction


def get_session(request: Request) -> Iterator[Session]:
    """One transaction per request; read-only for GET, so that a page never waits for a writer."""
    with transaction(readonly=request.method in csrf.SAFE_METHODS) as session:
        yield session


def get_reader() -> Iterator[Session]:
    """A read-only transaction for POSTs that change nothing, such as a dry run."""
    with transaction(readonly=True) as session:
        yield session


async def get_now() -> datetime:
    """The instant of this request; tests override it."""
    return utc_now()


async def get_settings() -> Settings:
    """The settings of this process."""
    return settings()


# scope="function": committed before the answer leaves, so a 2xx means it is stored.
DbSession = Annotated[Session, Depends(get_session, scope="function")]
ReaderSession = Annotated[Session, Depends(get_reader, scope="function")]
Now = Annotated[datetime, Depends(get_now)]
InForce = Annotated[Settings, Depends(get_settings)]


def current_caller(
    request: Request, now: Now, candidate: Annotated[str, Depends(csrf.sent_token)]
) -> Caller | None:
    """Who calls, None when nobody signed in. Unsafe requests of a session need its CSRF token."""
    caller = find_caller(request, now)
    unsafe = request.method not in csrf.SAFE_METHODS
    if caller is not None and caller.session is not None and unsafe:
        csrf.check_token(candidate, caller.session.csrf_secret)
    request.state.caller = caller
    return caller


CurrentCaller = Annotated[Caller | None, Depends(current_caller)]


# What these do touches every connection, so callers limited to some may not use them.
WHOLE_ESTATE = frozenset({Scope.POLICIES_WRITE, Scope.REPORTS_READ, Scope.REPORTS_WRITE})


class Required:
    """A dependency that lets only callers with `scope` through; a test finds it on every route."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    async def __call__(self, caller: CurrentCaller) -> Access:
        """The caller's access. NotSignedInError or ForbiddenError otherwise."""
        if caller is None:
            raise NotSignedInError("nobody is signed in", mend="sign in, or send an API token")
        caller.access.demand(self.scope)
        if self.scope in WHOLE_ESTATE:
            demand_whole_estate(caller.access)
        return caller.access


def demand_whole_estate(access: Access) -> None:
    """ForbiddenError for callers that are limited to some connections."""
    if access.connection_ids is not None:
        raise ForbiddenError(
            "this touches all connections, and the token is limited to some",
            mend="use a token without a limit to connections",
        )


class OpenToAll:
    """The declaration that a route needs no caller."""

    scope = Scope.PUBLIC

    async def __call__(self) -> None:
        """Lets everybody through."""


async def get_signed_in(caller: CurrentCaller) -> Caller:
    """The caller, for routes that need more of it than its access; beside a scope, not instead."""
    if caller is None:
        raise NotSignedInError("nobody is signed in", mend="sign in, or send an API token")
    return caller


def require(scope: Scope) -> Required:
    """The dependency that demands `scope`."""
    return Required(scope)


SignedInCaller = Annotated[Caller, Depends(get_signed_in)]
Public = Annotated[None, Depends(OpenToAll())]
SignedIn = Annotated[Access, Depends(require(Scope.SELF))]
ResourcesReader = Annotated[Access, Depends(require(Scope.RESOURCES_READ))]
FindingsReader = Annotated[Access, Depends(require(Scope.FINDINGS_READ))]
FindingsWriter = Annotated[Access, Depends(require(Scope.FINDINGS_WRITE))]
PoliciesReader = Annotated[Access, Depends(require(Scope.POLICIES_READ))]
PoliciesWriter = Annotated[Access, Depends(require(Scope.POLICIES_WRITE))]
ConnectionsReader = Annotated[Access, Depends(require(Scope.CONNECTIONS_READ))]
ConnectionsWriter = Annotated[Access, Depends(require(Scope.CONNECTIONS_WRITE))]
SweepsWriter = Annotated[Access, Depends(require(Scope.SWEEPS_WRITE))]
JobsWriter = Annotated[Access, Depends(require(Scope.JOBS_WRITE))]
ReportsReader = Annotated[Access, Depends(require(Scope.REPORTS_READ))]
ReportsWriter = Annotated[Access, Depends(require(Scope.REPORTS_WRITE))]
EvidenceReader = Annotated[Access, Depends(require(Scope.EVIDENCE_READ))]
TokensWriter = Annotated[Access, Depends(require(Scope.TOKENS_WRITE))]
MetricsReader = Annotated[Access, Depends(require(Scope.METRICS_READ))]
