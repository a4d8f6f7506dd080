"""The two tasks and the settings under which no message is lost and none is worked twice."""

import pytest
import redis
from celery import Celery
from sqlalchemy import Engine, func, select

from app.kit.errors import SettingsError
from app.kit.settings import settings
from app.store.models.work import RunRow
from app.store.session import transaction
from app.tasks.dispatch import dispatch
from app.tasks.work import work
from tests import build
from tests.build import Cloud

QUEUE = "atalaya:celery"


@pytest.fixture
def app(installation: Engine, valkey: str, monkeypatch: pytest.MonkeyPatch) -> Celery:
    """The application on this test's database and an empty broker."""
    del installation
    monkeypatch.setenv("ATALAYA_REDIS_URL", valkey)
    settings.cache_clear()
    from app.worker import make_app  # noqa: PLC0415 - the module needs a broker to be imported

    made = make_app()
    made.set_current()
    made.set_default()
    return made


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Cloud:
    found = Cloud([build.seen("a")])
    build.play(monkeypatch, build.collector(found))
    build.only(monkeypatch, "versioning-on")
    return found


def messages(url: str) -> int:
    path = url.removeprefix("redis+socket://").split("?")[0]
    with redis.Redis(unix_socket_path=path) as client:
        return int(client.llen(QUEUE))


def test_the_broker_never_hands_out_what_is_still_worked_on(app: Celery) -> None:
    visible = app.conf.broker_transport_options["visibility_timeout"]
    assert visible > app.conf.task_time_limit > app.conf.task_soft_time_limit
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1


def test_both_tasks_have_their_names_and_beat_calls_one(app: Celery) -> None:
    app.loader.import_default_modules()
    assert {"atalaya.dispatch", "atalaya.work"} <= set(app.tasks)
    (entry,) = app.conf.beat_schedule.values()
    assert entry["task"] == "atalaya.dispatch"
    assert entry["options"]["expires"] == entry["schedule"] == settings().dispatch_every_seconds


def test_without_a_broker_nothing_starts(app: Celery, monkeypatch: pytest.MonkeyPatch) -> None:
    del app
    from app.worker import make_app  # noqa: PLC0415 - see above

    monkeypatch.setenv("ATALAYA_REDIS_URL", "")
    settings.cache_clear()
    with pytest.raises(SettingsError, match="no broker") as caught:
        make_app()
    assert "ATALAYA_REDIS_URL" in caught.value.mend


def test_what_is_due_is_sent_once_and_done(app: Celery, valkey: str, cloud: Cloud) -> None:
    del app
    with transaction() as session:
        build.connection(session)
    dispatch()
    with transaction() as session:
        ids = list(session.scalars(select(RunRow.id)))
    assert messages(valkey) == len(ids) >= 3
    dispatch()
    assert messages(valkey) == len(ids)
    for run_id in ids * 2:
        work(str(run_id))
    assert cloud.reads == 1
    with transaction() as session:
        waiting = select(func.count()).select_from(RunRow).where(RunRow.state != "done")
        # Only the evaluation that the sweep asked for is left, and it is not sent yet.
        assert session.scalar(waiting) == 1
    dispatch()
    assert messages(valkey) == len(ids) + 1
