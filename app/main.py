"""The HTTP door: `uvicorn app.main:create_app --factory`. Builds and wires, nothing else."""

from functools import partial
from types import FunctionType

from fastapi import APIRouter, Depends, FastAPI
from starlette.middleware.gzip import GZipMiddleware

from app import api, web
from app.api import health
from app.http import idempotency, paths, problems
from app.http.heads import HeadAsGet
from app.http.security import Gatekeeper, SecureHeaders
from app.http.static import CachedStatic
from app.http.strict_body import strict_body
from app.http.strict_query import strict_query
from app.http.telemetry import Telemetry
from app.kit import log
from app.kit.discover import plugins
from app.kit.settings import ROOT, settings

# Level 9 takes three times as long for a few percent.
Compression = partial(GZipMiddleware, compresslevel=5)
# Innermost first: each wraps those before it.
LAYERS = (Gatekeeper, Compression, Telemetry, SecureHeaders, HeadAsGet)


def create_app() -> FastAPI:
    """The whole application; routers are found in `app.api` and `app.web`."""
    log.configure(settings().log_format, settings().log_level)
    app = FastAPI(
        title="Atalaya",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    renderers = plugins(web, "render_error", FunctionType)
    problems.register(app, next(iter(renderers.values()), None))
    app.include_router(_api())
    app.include_router(health.router, include_in_schema=False)
    idempotency.register(app)
    for router in plugins(web, "router", APIRouter).values():
        app.include_router(router, include_in_schema=False)
    app.mount(paths.STATIC, CachedStatic(directory=ROOT / "static", check_dir=False), "static")
    for layer in LAYERS:
        app.add_middleware(layer)
    return app


def _api() -> APIRouter:
    strict = [Depends(strict_query), Depends(strict_body)]
    router = APIRouter(prefix=paths.API, dependencies=strict)
    for found in plugins(api, "router", APIRouter).values():
        router.include_router(found)
    return router
