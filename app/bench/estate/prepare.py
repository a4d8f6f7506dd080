"""Makes a database that knows the organization's accounts; not part of what is timed.

`python -m app.bench.estate.prepare URL` prints the id of the connection, whose sweeps are queued.
"""

import sys
from datetime import timedelta
from uuid import UUID

from app.bench.estate.documents import EXTERNAL_ID, REGIONS, ROLE
from app.domain.access import SYSTEM
from app.kit.clock import utc_now
from app.kit.settings import settings
from app.services import connections, sweeps
from app.services.sweep_run import run_sweep
from app.store import ledger, migrate
from app.store.queries.work import active_sweeps
from app.store.session import transaction


def prepare(url: str) -> str:
    """The id of the connection to the organization at `url`."""
    migrate.upgrade(settings().database)
    config = {
        "endpoint_url": url,
        "home_region": REGIONS[0],
        "regions": list(REGIONS),
        "organization": {"role_name": ROLE, "external_id": EXTERNAL_ID},
        "credentials": {
            "mode": "access_key",
            "access_key_id": "env:AWS_ACCESS_KEY_ID",
            "secret_access_key": "env:AWS_SECRET_ACCESS_KEY",
        },
    }
    with transaction() as session:
        made = connections.create(
            session, access=SYSTEM, name="bench", provider="aws", config=config, now=utc_now()
        )
    _read_accounts(made.id)
    with transaction() as session:
        sweeps.request_sweep(session, access=SYSTEM, connection_id=made.id, now=utc_now())
    return made.id


def _read_accounts(connection_id: str) -> None:
    """Without the accounts, nobody knows which sweeps there are."""
    with transaction() as session:
        queued = active_sweeps(session, access=SYSTEM, connection_id=connection_id)
        (run_id,) = (run.id for run in queued if run.args["collector_id"] == "aws_accounts")
        lease = timedelta(minutes=10)
        claimed = ledger.claim(session, UUID(run_id), now=utc_now(), lease=lease)
    if claimed is None:
        raise RuntimeError("the accounts cannot be read")
    run_sweep(transaction, run=claimed, now=utc_now())


if __name__ == "__main__":
    print(prepare(sys.argv[1]))
