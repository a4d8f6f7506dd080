"""`/healthz`, `/readyz`, `/metrics`: for probes and Prometheus, at the root and in the API."""

from datetime import datetime

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge
from prometheus_client.exposition import generate_latest
from pydantic import Field
from sqlalchemy.orm import Session
from starlette.responses import Response

from app.api.shapes import Out
from app.domain.access import Access
from app.domain.compliance import Severity
from app.domain.paging import PageRequest
from app.http import paths
from app.http.deps import DbSession, MetricsReader, Now, Public
from app.kit import metrics
from app.services import health
from app.services.health import Readiness
from app.store.queries import compliance, inventory, work

router = APIRouter(tags=["Health"])
RUN_STATES = ("queued", "running", "failed")


class LiveOut(Out):
    """The process answers."""

    status: str = Field(description="Always ok.", examples=["ok"])


class ReadyOut(Out):
    """Whether pages can be served and work can be queued."""

    status: str = Field(description="ready or not_ready.", examples=["ready"])
    checks: dict[str, str] = Field(
        description="database, schema, broker: ok, or what is wrong.",
        examples=[{"database": "ok", "schema": "ok", "broker": "ok"}],
    )
    dispatch_age_seconds: float | None = Field(
        description="Since beat last looked for due work; null when it was never seen.",
        examples=[1.4],
    )


@router.get(paths.LIVE, operation_id="get_liveness", summary="Is it alive")
async def get_liveness(_: Public) -> LiveOut:
    """200 as long as the process answers."""
    return LiveOut(status="ok")


@router.get(
    paths.READY,
    operation_id="get_readiness",
    summary="Is it ready",
    response_model=ReadyOut,
    responses={503: {"model": ReadyOut, "description": "Not ready; `checks` says why."}},
)
def get_readiness(session: DbSession, now: Now, _: Public) -> Response:
    """Whether database, schema and broker are in order."""
    found = health.readiness(session)
    out = ReadyOut(
        status="ready" if found.is_ready else "not_ready",
        checks=found.checks,
        dispatch_age_seconds=_age_seconds(found, now),
    )
    status = 200 if found.is_ready else 503
    return Response(out.model_dump_json(), status, media_type="application/json")


def _age_seconds(found: Readiness, now: datetime) -> float | None:
    if found.dispatched_at is None:
        return None
    return round(max(0.0, (now - found.dispatched_at).total_seconds()), 1)


@router.get(
    paths.METRICS,
    operation_id="get_metrics",
    summary="Read metrics",
    response_class=Response,
    responses={
        200: {
            "description": "Prometheus text format.",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    },
)
def get_metrics(session: DbSession, access: MetricsReader, now: Now) -> Response:
    """Requests of this process, runs of the workers here, and the state of estate and work."""
    registry = CollectorRegistry()
    _estate(registry, session, access)
    _work(registry, session, access, now)
    content = metrics.exposition() + generate_latest(registry)
    return Response(content, media_type=CONTENT_TYPE_LATEST)


def _estate(registry: CollectorRegistry, session: Session, access: Access) -> None:
    resources = Gauge("atalaya_resources", "Live resources.", registry=registry)
    resources.set(inventory.count_resources(session, access=access))
    findings = Gauge("atalaya_findings_open", "Open findings.", ["severity"], registry=registry)
    counts = compliance.finding_counts(session, access=access)
    for severity in Severity:
        findings.labels(severity.value).set(counts[severity.value])


def _work(registry: CollectorRegistry, session: Session, access: Access, now: datetime) -> None:
    runs = Gauge("atalaya_runs_by_state", "Runs of the ledger.", ["state"], registry=registry)
    for state in RUN_STATES:
        page = work.list_runs(session, access=access, state=state, page=PageRequest(limit=1))
        if page.total is not None:
            runs.labels(state).set(page.total)
    age_seconds = _age_seconds(health.readiness(session), now)
    if age_seconds is not None:
        name, doc = "atalaya_dispatch_age_seconds", "Since beat last looked for due work."
        Gauge(name, doc, registry=registry).set(age_seconds)
