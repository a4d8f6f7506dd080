"""A database is brought up to date once, by whoever comes first, or left alone with a reason."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect, text

from app.kit.errors import SettingsError
from app.store import migrate
from app.store.base import Base
from app.store.session import make_engine


def url_of(engine: Engine) -> str:
    return engine.url.render_as_string(hide_password=False)


def emptied(engine: Engine) -> str:
    """The test's database without any table."""
    with engine.begin() as connection:
        Base.metadata.drop_all(connection)
        connection.execute(text("drop table alembic_version"))
    return url_of(engine)


def test_the_migrations_make_what_the_models_say(engine: Engine) -> None:
    assert migrate.drift(url_of(engine)) == []
    migrate.check(url_of(engine))


def test_four_at_once_make_one_schema(engine: Engine) -> None:
    url = emptied(engine)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(migrate.upgrade, [url] * 4))
    migrate.check(url)
    assert set(inspect(engine).get_table_names()) == {*Base.metadata.tables, "alembic_version"}


def test_upgrading_again_changes_nothing(engine: Engine) -> None:
    migrate.upgrade(url_of(engine))
    migrate.check(url_of(engine))


def test_an_empty_database_is_not_up_to_date(engine: Engine) -> None:
    with pytest.raises(SettingsError, match="revision none") as caught:
        migrate.check(emptied(engine))
    assert "db upgrade" in caught.value.mend


def test_a_database_of_a_newer_version_is_left_alone(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("update alembic_version set version_num = '2099010101'"))
    for call in (migrate.upgrade, migrate.check):
        with pytest.raises(SettingsError, match=r"2099010101.*newer version") as caught:
            call(url_of(engine))
        assert "install that version" in caught.value.mend


def test_tables_of_others_are_not_taken_for_ours(engine: Engine) -> None:
    url = emptied(engine)
    with engine.begin() as connection:
        connection.execute(text("create table resource (id integer)"))
    with pytest.raises(SettingsError, match="no migration made"):
        migrate.upgrade(url)
    assert inspect(engine).get_table_names() == ["resource"]


def test_tables_of_others_may_stand_beside_ours(engine: Engine) -> None:
    url = emptied(engine)
    with engine.begin() as connection:
        connection.execute(text("create table kombu_queue (id integer)"))
    migrate.upgrade(url)
    migrate.check(url)


def test_a_failing_migration_leaves_nothing_half_done(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = emptied(engine)

    def stumble(*_: object, **__: object) -> None:
        raise RuntimeError("out of disk")

    monkeypatch.setattr("alembic.op.create_index", stumble)
    monkeypatch.setattr("alembic.operations.BatchOperations.create_index", stumble)
    with pytest.raises(RuntimeError, match="out of disk"):
        migrate.upgrade(url)
    assert inspect(engine).get_table_names() == []


def test_every_migration_can_be_taken_back(engine: Engine) -> None:
    migrate.downgrade(url_of(engine), "base")
    assert inspect(engine).get_table_names() == ["alembic_version"]
    migrate.upgrade(url_of(engine))
    migrate.check(url_of(engine))


def test_the_folder_of_a_sqlite_file_is_made(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a folder with 100%/of its own/atalaya.db"
    migrate.upgrade(url)
    migrate.check(url)


def test_a_sqlite_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "of its own" / "atalaya.db"
    migrate.upgrade(f"sqlite:///{path}")
    assert [stat.S_IMODE(place.stat().st_mode) for place in (path.parent, path)] == [0o700, 0o600]


def test_a_place_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="cannot be used"):
        migrate.upgrade(f"sqlite:///{tmp_path}/file/atalaya.db")


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "atalaya.db"
    path.write_text("this is no database" * 1_000)
    for call in (migrate.upgrade, migrate.check):
        with pytest.raises(SettingsError, match="cannot be used") as caught:
            call(f"sqlite:///{path}")
        assert "ATALAYA_DATABASE_URL" in caught.value.mend


def test_a_password_is_never_shown() -> None:
    with pytest.raises(SettingsError) as caught:
        migrate.check("postgresql://ana:hunter2@127.0.0.1:1/atalaya")
    assert "hunter2" not in str(caught.value)


def test_the_engine_reads_while_another_writes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/atalaya.db"
    migrate.upgrade(url)
    engine = make_engine(url)
    with engine.begin() as writer:
        writer.execute(text("insert into evaluation values ('1', '2026-01-01', null, 0, '{}')"))
        with engine.execution_options(readonly=True).begin() as reader:
            assert reader.scalar(text("select count(*) from evaluation")) == 0
    engine.dispose()
