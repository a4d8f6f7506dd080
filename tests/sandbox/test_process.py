"""`python -m app.sandbox` as a process of its own: ready file, end, and what it refuses."""

import json
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import httpx2
import pytest

from app.sandbox.__main__ import main
from app.sandbox.estate import Estate, cases_table
from app.sandbox.wire import LoopbackServer, json_answer

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "app.sandbox"]


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """The ready file, once it is there; fails when the process ends before."""
    while not path.exists():
        assert process.poll() is None, "the sandbox ended before it was ready"
        time.sleep(0.05)
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


@pytest.fixture
def started(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    ready = tmp_path / "ready.json"
    ready.write_text("left by a dead process")
    process = subprocess.Popen(
        [*COMMAND, "--ready-file", str(ready), "--buckets", "100", "--accounts", "100"], cwd=ROOT
    )
    while ready.exists() and ready.read_text().startswith("left"):
        assert process.poll() is None
        time.sleep(0.05)
    yield process, ready
    process.kill()
    process.wait()


@pytest.mark.slow
def test_a_process_says_how_to_reach_it_and_ends_when_told(
    started: tuple[subprocess.Popen[bytes], Path],
) -> None:
    process, path = started
    ready = wait_for(path, process)
    assert ready["pid"] == process.pid
    assert (ready["buckets"], ready["storage_accounts"]) == (100, 100)
    secrets = [
        Path(ready["credentials"]["aws"]["secret_access_key_file"]),
        Path(ready["credentials"]["azure"]["token_file"]),
    ]
    for file in (path, *secrets):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert secrets[1].read_text() == ready["token"]
    read_azure(ready)
    read_aws(ready)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 0


def read_azure(ready: dict[str, Any]) -> None:
    """The subscriptions of the ready file are those of the wire."""
    answer = httpx2.get(
        f"{ready['azure_endpoint']}/subscriptions?api-version=2022-12-01",
        headers={"Authorization": f"Bearer {ready['token']}"},
    )
    found = [row["subscriptionId"] for row in answer.json()["value"]]
    assert found == [row["subscription_id"] for row in ready["subscriptions"]]


def read_aws(ready: dict[str, Any]) -> None:
    """Each account of the ready file can be entered by its role and has buckets."""
    keys = ready["credentials"]["aws"]
    own = {
        "aws_access_key_id": keys["access_key_id"],
        "aws_secret_access_key": keys["secret_access_key"],
        "region_name": "eu-central-1",
        "endpoint_url": ready["aws_endpoint"],
    }
    for account in ready["aws_accounts"]:
        issued = boto3.client("sts", **own).assume_role(
            RoleArn=account["role_arn"],
            RoleSessionName="test",
            ExternalId=account["external_id"],
        )["Credentials"]
        s3 = boto3.client(
            "s3",
            aws_access_key_id=issued["AccessKeyId"],
            aws_secret_access_key=issued["SecretAccessKey"],
            aws_session_token=issued["SessionToken"],
            region_name="eu-central-1",
            endpoint_url=ready["aws_endpoint"],
        )
        assert s3.list_buckets()["Buckets"]


@pytest.mark.parametrize(
    "arguments", [["--aws-port", "x"], ["--azure-port", "70000"], ["--buckets", "-5"]]
)
def test_wrong_arguments_are_told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "a number from 0 to" in capsys.readouterr().err


def test_a_taken_port_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = LoopbackServer(lambda _: json_answer({}))
    other.start()
    port, ready = str(other.server_port), tmp_path / "ready.json"
    assert main(["--azure-port", port, "--ready-file", str(ready)]) == 1
    assert main(["--aws-port", port, "--ready-file", str(ready)]) == 1
    other.stop()
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(" (")[0] for line in said] == ["sandbox: a port could not be taken"] * 2
    assert list(tmp_path.iterdir()) == []


def test_the_cases_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases"]) == 0
    assert capsys.readouterr().out == cases_table(Estate())
