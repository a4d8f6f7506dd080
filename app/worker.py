"""The Celery application: settings that lose nothing, and the two tasks."""

import gc
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_process_init, worker_process_shutdown

from app.kit import metrics
from app.kit.errors import SettingsError
from app.kit.log import configure
from app.kit.settings import settings

HARD_LIMIT_SECONDS = 600
SOFT_LIMIT_SECONDS = 570
# Longer than any task may run, or the broker would hand its message to a second worker.
VISIBILITY_SECONDS = 900


def make_app() -> Celery:
    """The application for the broker in force; SettingsError when there is none."""
    if not settings().redis_url:
        raise SettingsError(
            "no broker is configured",
            mend="set ATALAYA_REDIS_URL, or start everything by `./atalaya up`",
        )
    app = Celery(
        "atalaya", broker=settings().redis_url, include=["app.tasks.dispatch", "app.tasks.work"]
    )
    every = settings().dispatch_every_seconds
    app.conf.update(
        timezone="UTC",
        task_ignore_result=True,  # results live in the database
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        task_time_limit=HARD_LIMIT_SECONDS,
        task_soft_time_limit=SOFT_LIMIT_SECONDS,
        broker_transport_options={
            "visibility_timeout": VISIBILITY_SECONDS,
            "unacked_restore_interval": 15,
            "unacked_restore_throttle": 1,
            "global_keyprefix": "atalaya:",
        },
        broker_connection_retry_on_startup=True,
        worker_redirect_stdouts=False,
        worker_soft_shutdown_timeout=3,
        beat_schedule={
            "dispatch": {
                "task": "atalaya.dispatch",
                "schedule": every,
                "options": {"expires": every},
            }
        },
    )
    return app


@setup_logging.connect
def _log_as_we_do(**_: Any) -> None:  # noqa: ANN401 - celery's signals are untyped
    configure(settings().log_format, settings().log_level)


@worker_init.connect
def _share_figures(**_: Any) -> None:  # noqa: ANN401 - celery's signals are untyped
    metrics.share()


@worker_init.connect
def _load_collectors(**_: Any) -> None:  # noqa: ANN401 - celery's signals are untyped
    """Once for all: the children that do the work share what their parent has loaded."""
    from app.collectors.registry import collectors  # noqa: PLC0415 - beat needs none

    collectors()


@worker_process_init.connect
def _open_own_connections(**_: Any) -> None:  # noqa: ANN401 - celery's signals are untyped
    """A forked child must not use the connections of its parent."""
    from app.store.session import engine  # noqa: PLC0415 - the parent needs no database

    engine().dispose(close=False)


@worker_process_init.connect
def _keep_what_is_loaded(**_: Any) -> None:  # noqa: ANN401 - celery's signals are untyped
    """Modules never become garbage; walking them at each collection costs a sweep a tenth."""
    gc.freeze()


@worker_process_shutdown.connect
def _forget_figures(pid: int, **_: Any) -> None:  # noqa: ANN401 - celery's signals are untyped
    metrics.forget(pid)


celery_app = make_app()
