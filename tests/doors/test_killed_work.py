"""Work that runs when its worker is killed is finished once, by the next worker."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Row, connect

import pytest

from tests.support.processes import run_cli, wait_until
from tests.support.product import Product
from tests.support.slow_cloud import SlowCloud

pytestmark = pytest.mark.slow


@pytest.fixture
def cloud() -> Iterator[SlowCloud]:
    cloud = SlowCloud()
    yield cloud
    cloud.stop()


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    product = Product(tmp_path / "home", allow_private_endpoints=True)
    product.until_up()
    yield product
    product.clean()


def the_sweep(product: Product) -> Row:
    """The one sweep of the buckets, as the ledger has it now."""
    (row,) = (row for row in sweeps(product) if row["subject"].endswith("/aws_s3"))
    return row


def sweeps(product: Product) -> list[Row]:
    """The sweeps of the buckets and of the account that they lie in."""
    with closing(connect(f"file:{product.home}/atalaya.db?mode=ro", uri=True)) as database:
        database.row_factory = Row
        rows: list[Row] = database.execute("select * from run where kind = 'sweep'").fetchall()
    found = [row for row in rows if row["subject"].endswith(("/aws_s3", "/aws_accounts"))]
    assert len(found) == 2
    return found


def test_a_sweep_whose_worker_was_killed_is_finished_once(
    product: Product, cloud: SlowCloud
) -> None:
    secret = product.home / "secret"
    secret.write_text("example")
    settings = (f"endpoint_url={cloud.url}", "credentials.mode=access_key")
    keys = ("credentials.access_key_id=AKIDEXAMPLE", f"credentials.secret_access_key=file:{secret}")
    words = [word for setting in (*settings, *keys) for word in ("--set", setting)]
    added = run_cli("connection", "add", "Slow", "aws", *words, **product.settings)
    assert added.returncode == 0, added.stderr
    wait_until(lambda: cloud.asked.is_set() and the_sweep(product)["state"] != "queued")
    assert the_sweep(product)["state"] == "running"

    worker = product.pid("worker")
    os.killpg(worker, signal.SIGKILL)
    wait_until(lambda: product.pid("worker") not in (0, worker))
    assert the_sweep(product)["ended_at"] is None
    cloud.release.set()

    wait_until(lambda: all(sweep["ended_at"] is not None for sweep in sweeps(product)))
    ended = the_sweep(product)
    assert (ended["state"], ended["starts"], ended["fence"]) == ("done", 2, 2)
    assert "Slow  aws  1 resources" in run_cli("connection", "list", **product.settings).stdout
