"""Makes an empty database with one connection to the replayed cloud; not part of what is timed.

`python -m app.bench.s3.prepare URL` prints the id of the queued sweep.
"""

import sys

from app.domain.access import SYSTEM
from app.kit.clock import utc_now
from app.kit.settings import settings
from app.services import connections
from app.store import migrate
from app.store.queries.work import active_sweeps
from app.store.session import transaction

OPERATIONS = (
    "s3:GetBucketLocation",
    "s3:GetBucketVersioning",
    "s3:GetBucketLifecycleConfiguration",
    "s3:GetBucketReplication",
    "s3:GetBucketEncryption",
    "s3:GetBucketTagging",
)


def prepare(url: str) -> str:
    """The id of the run that will sweep the cloud at `url`."""
    migrate.upgrade(settings().database)
    config = {
        "endpoint_url": url,
        "home_region": "us-west-2",
        "operations": list(OPERATIONS),
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
        queued = active_sweeps(session, access=SYSTEM, connection_id=made.id)
    (run_id,) = (run.id for run in queued if run.args["collector_id"] == "aws_s3")
    return run_id


if __name__ == "__main__":
    print(prepare(sys.argv[1]))
