"""Makes a database with a connection to the tenant; not part of what is timed.

`python -m app.bench.tenant.prepare URL` prints the id of the connection, whose sweeps are queued.
"""

import sys

from app.clouds.azure_paces import READS_PER_SECOND
from app.domain.access import SYSTEM
from app.kit.clock import utc_now
from app.kit.settings import settings
from app.services import connections
from app.store import migrate
from app.store.session import transaction


def prepare(url: str) -> str:
    """The id of the connection to the tenant at `url`, paced as Azure itself is."""
    migrate.upgrade(settings().database)
    config = {
        "endpoint_url": url,
        "requests_per_second": READS_PER_SECOND,
        "credentials": {"mode": "static_token", "token": "env:BENCH_TOKEN"},
    }
    with transaction() as session:
        made = connections.create(
            session, access=SYSTEM, name="bench", provider="azure", config=config, now=utc_now()
        )
    return made.id


if __name__ == "__main__":
    print(prepare(sys.argv[1]))
