"""`up --sandbox`: a live estate by one command, also after the sandbox was killed."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import run_cli, wait_until
from tests.support.product import Product

pytestmark = pytest.mark.slow


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    product = Product(tmp_path / "home", "--sandbox", "--buckets", "40")
    product.until_up()
    yield product
    product.clean()


def test_the_estate_is_read_and_a_killed_sandbox_is_connected_again(product: Product) -> None:
    read = product.until_said(r"The sandbox was read and judged: (\d+) resources of 2 connections")
    assert int(read) > 150, "what lies behind the list of accounts was not waited for"
    ready = product.home / "sandbox.json"
    before = ready.stat().st_mtime_ns
    os.kill(product.pid("sandbox"), signal.SIGKILL)
    wait_until(lambda: ready.exists() and ready.stat().st_mtime_ns != before)

    def asks_well() -> bool:
        private = {**product.settings, "allow_private_endpoints": True}
        done = run_cli("connection", "test", "AWS sandbox", **private)
        return done.returncode == 0 and "signed in as" in done.stdout

    wait_until(asks_well)
    assert product.stop() == 0
    wait_until(lambda: product.leftovers() == [])
