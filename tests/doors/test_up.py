"""`up`: one command starts everything, keeps it going and leaves nothing behind."""

import os
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from app.store.migrate import upgrade
from tests.support.processes import free_port, run_cli, wait_until
from tests.support.product import WORDS, Product

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """One product for all tests that leave it running."""
    product = Product(tmp_path_factory.mktemp("up") / "a home")
    product.until_up()
    yield product
    product.clean()


def only_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a refusal says."""
    lines = (done.stdout + done.stderr).strip().splitlines()
    assert len(lines) == 1, lines
    assert done.returncode == 2
    return lines[0]


def test_it_prints_the_address_and_a_link_that_signs_in(running: Product) -> None:
    assert running.address in running.until_said(r"Atalaya is up at \S+ after [\d.]+ s")
    link = running.until_said(r"Sign in once with this link: (\S+)")
    with urllib.request.urlopen(link) as answer:  # noqa: S310 - our own address
        assert answer.status == 200


def test_the_home_is_private_and_the_broker_listens_on_no_port(running: Product) -> None:
    assert running.home.stat().st_mode & 0o777 == 0o700
    assert (running.home / "valkey.sock").stat().st_mode & 0o777 == 0o700
    assert (running.home / "atalaya.db").exists()


@pytest.mark.parametrize("name", ["web", "worker", "beat"])
def test_processes_say_that_they_are_well(running: Product, name: str) -> None:
    wait_until(lambda: running.health(name))


@pytest.mark.parametrize("name", ["valkey", "web", "worker", "beat"])
def test_a_killed_process_comes_back(running: Product, name: str) -> None:
    before = running.pid(name)
    os.kill(before, signal.SIGKILL)
    running.until_said(rf"{name} was ended by signal 9; starting it again")
    wait_until(lambda: running.pid(name) not in (0, before))
    for process in ("web", "worker", "beat"):
        wait_until(lambda process=process: running.health(process))  # type: ignore[misc]


def test_a_second_instance_is_refused(running: Product) -> None:
    done = run_cli("up", home=running.home, port=free_port())
    assert "already running in" in only_line(done)


def test_nothing_outlives_a_killed_supervisor_and_its_home_serves_again(tmp_path: Path) -> None:
    killed = Product(tmp_path / "home")
    again = None
    try:
        killed.until_up()
        assert len(killed.seen) >= len(WORDS) - 1
        killed.process.kill()
        killed.process.wait()
        wait_until(lambda: killed.leftovers() == [])
        again = Product(killed.home)
        again.until_up()
        assert again.stop() == 0
    finally:
        killed.clean()
        if again is not None:
            again.clean()


def test_a_home_with_a_long_odd_path_works_and_its_stop_is_complete(tmp_path: Path) -> None:
    parent = tmp_path / ("año 100% #1 " * 8).strip()
    parent.mkdir()
    product = Product(parent / "home")
    try:
        product.until_up()
        assert product.stop() == 0
        assert product.said.endswith("stopped\n")
        wait_until(lambda: product.leftovers() == [])
    finally:
        product.clean()


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        line = only_line(run_cli("up", home=tmp_path / "home", port=port))
    assert f"cannot listen on 127.0.0.1:{port}" in line
    assert "ATALAYA_PORT" in line


def test_a_home_that_cannot_be_used_is_named() -> None:
    line = only_line(run_cli("up", home="/dev/null/home", port=free_port()))
    assert "cannot use the home folder /dev/null/home" in line


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    url = f"sqlite:///{home}/atalaya.db"
    upgrade(url)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("update alembic_version set version_num = 'from_the_future'"))
    engine.dispose()
    line = only_line(run_cli("up", home=home, port=free_port()))
    assert "from_the_future" in line
    assert "a newer version of Atalaya made it" in line


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    line = only_line(run_cli("up", home=tmp_path, time_zone="Mars/Olympus"))
    assert line.startswith("atalaya: ATALAYA_TIME_ZONE: unknown time zone 'Mars/Olympus'")
