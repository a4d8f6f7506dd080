"""`python -m app.sandbox`: both simulated clouds in one process, until told to end."""

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from app.sandbox import ready
from app.sandbox.aws_server import AwsServer
from app.sandbox.azure_server import AzureServer
from app.sandbox.estate import MAX_SIZE, Estate, cases_table

_MAX_PORT = 65_535


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until SIGTERM or SIGINT; 0 on a clean end, 1 when it could not begin."""
    options = _parser().parse_args(arguments)
    estate = Estate(options.buckets, options.accounts)
    if options.cases:
        sys.stdout.write(cases_table(estate))
        return 0
    options.ready_file.unlink(missing_ok=True)  # one left by a dead process would mislead
    try:
        azure = AzureServer(estate.azure, options.azure_port)
    except OSError as error:
        return _taken(error)
    try:
        aws = AwsServer(estate.aws, options.aws_port)
    except OSError as error:
        azure.stop()
        return _taken(error)
    _serve(aws, azure, options.ready_file)
    return 0


def _taken(error: OSError) -> int:
    sys.stderr.write(f"sandbox: a port could not be taken ({error.strerror}); name another\n")
    return 1


def _serve(aws: AwsServer, azure: AzureServer, path: Path) -> None:
    """Starts and seeds both, says so in the ready file, and waits."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    azure.start()
    aws.start()
    try:
        aws.seed()
        ready.write(path, aws, azure)
        ended.wait()
    finally:
        aws.stop()
        azure.stop()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m app.sandbox", description=__doc__)
    parser.add_argument("--aws-port", type=_port, default=0, help="0 takes a free port")
    parser.add_argument("--azure-port", type=_port, default=0, help="0 takes a free port")
    parser.add_argument("--ready-file", type=Path, default=Path("sandbox.json"))
    parser.add_argument("--buckets", type=_size, default=0, help="S3 buckets in all")
    parser.add_argument("--accounts", type=_size, default=0, help="storage accounts in all")
    parser.add_argument("--cases", action="store_true", help="print the table of cases and end")
    return parser


def _port(text: str) -> int:
    return _number(text, _MAX_PORT)


def _size(text: str) -> int:
    return _number(text, MAX_SIZE)


def _number(text: str, highest: int) -> int:
    if not text.isdigit() or int(text) > highest:
        raise argparse.ArgumentTypeError(f"a number from 0 to {highest} is wanted, not {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
