"""`web`, `worker`, `beat`: one process each, the same commands under `up` and in containers."""

import os

import typer

commands = typer.Typer()

TRUSTED_PROXIES = "FORWARDED_ALLOW_IPS"
GRACE_SECONDS = 5  # for requests under way; live streams end then


@commands.command()
def web() -> None:
    """Serve pages and the API on ATALAYA_HOST:ATALAYA_PORT."""
    import uvicorn

    from app.kit.settings import settings

    _refuse_other_database()
    uvicorn.run(
        "app.main:create_app",
        factory=True,
        host=settings().host,
        port=settings().port,
        access_log=False,
        # Anybody on this machine may write the header: a proxy that is to be believed is named.
        proxy_headers=bool(os.environ.get(TRUSTED_PROXIES)),  # noqa: TID251 - uvicorn's own
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


@commands.command()
def worker() -> None:
    """Do the work that the ledger holds. Runs ATALAYA_WORKER_CONCURRENCY processes."""
    _refuse_other_database()
    # A stop gives the message back at once instead of waiting for the task; celery reads this
    # variable when it is imported.
    os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")  # noqa: TID251 - celery's, not a setting
    from app.kit.settings import settings
    from app.worker import celery_app

    _hush_routine()
    options = ["--without-gossip", "--without-mingle", f"--loglevel={settings().log_level}"]
    concurrency = f"--concurrency={settings().worker_concurrency}"
    celery_app.worker_main(["worker", concurrency, *options])


@commands.command()
def beat() -> None:
    """Look for due work. Every ATALAYA_DISPATCH_EVERY_SECONDS; several of it do no harm."""
    _refuse_other_database()
    from celery.signals import after_task_publish

    from app.kit.liveness import beat_file
    from app.kit.settings import settings
    from app.worker import celery_app

    _hush_routine()
    seen = beat_file(settings())
    seen.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    after_task_publish.connect(lambda **_: seen.touch(), weak=False)
    keeps_no_file = "celery.beat:Scheduler"
    celery_app.Beat(scheduler_cls=keeps_no_file, loglevel=settings().log_level).run()


def _refuse_other_database() -> None:
    from app.kit.settings import settings
    from app.store import migrate

    migrate.refuse_other(settings().database)


def _hush_routine() -> None:
    """Beat's tick every two seconds would fill the log; errors still show."""
    import logging

    for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace"):
        logging.getLogger(name).setLevel(logging.WARNING)
