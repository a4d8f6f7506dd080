"""What follows from the facts of a DataSync task, in the words of any transfer."""

from app.domain.collecting import Provider
from app.domain.datasync import DatasyncTaskFacts
from app.domain.fact_sums import mapped, value_or
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.regions import region
from app.domain.transfer import FAILED, NEVER, STILL_RUNNING, SUCCEEDED, TransferEnd, TransferFacts

S3 = "s3"
# DataSync API: TaskExecutionStatus.
_ENDS = {"SUCCESS": SUCCEEDED, "ERROR": FAILED}
_RUNNING = frozenset(
    {"QUEUED", "LAUNCHING", "PREPARING", "TRANSFERRING", "VERIFYING", "CANCELLING"}
)
# DataSync's word for each kind of location in its URIs, where ours is clearer.
_SYSTEMS = {
    "fsxl": "fsx-lustre",
    "fsxn-nfs": "fsx-ontap",
    "fsxn-smb": "fsx-ontap",
    "fsxz": "fsx-openzfs",
    "fsxw": "fsx-windows",
}


def datasync_transfer(task: DatasyncTaskFacts) -> TransferFacts:
    """The derived facts of one task."""
    source_region = _region(task.source_uri, task.source_bucket_region)
    destination_region = _region(task.destination_uri, task.destination_bucket_region)
    return TransferFacts(
        source=_end(task.source_uri, source_region),
        destination=_end(task.destination_uri, destination_region),
        source_region=source_region,
        source_zone=_zone(source_region),
        destination_region=destination_region,
        destination_zone=_zone(destination_region),
        runs_by_itself=mapped(
            value_or(task.schedule_status, ""), lambda status: status == "ENABLED"
        ),
        schedule_given_up=mapped(
            value_or(task.schedule_disabled_by, ""), lambda who: who == "SERVICE"
        ),
        last_run=_last_run(task),
        last_run_at=task.last_started_at,
        last_run_bytes=task.last_bytes_written,
    )


def parts_of(uri: str) -> tuple[str, str, str, str]:
    """System, region ('' when it names none), store and path of a location's URI.

    Locations in AWS carry it: efs://us-east-2.fs-abcd1234/dir. Buckets do not, and their names may
    have dots (DataSync API: LocationListEntry).
    """
    scheme, _, rest = uri.partition("://")
    store, _, path = rest.partition("/")
    named, _, inner = store.partition(".")
    if inner and scheme != S3 and region(Provider.AWS.value, named):
        return _SYSTEMS.get(scheme, scheme), named, inner, path
    return _SYSTEMS.get(scheme, scheme), "", store, path


def _region(uri: Fact[str], of_bucket: Fact[str]) -> Fact[str]:
    """The region of a location: told by its URI, or by its bucket; absent outside of AWS."""
    if not isinstance(uri, Present):
        return uri
    system, named, _, _ = parts_of(uri.value)
    if named:
        return Present(named)
    return of_bucket if system == S3 else ABSENT


def _zone(code: Fact[str]) -> Fact[str]:
    if not isinstance(code, Present):
        return code
    found = region(Provider.AWS.value, code.value)
    return Present(found.zone) if found else Unreadable(f"UnknownRegion {code.value}")


def _end(uri: Fact[str], code: Fact[str]) -> Fact[TransferEnd]:
    def end(text: str) -> TransferEnd:
        system, _, store, path = parts_of(text)
        zone = _zone(code)
        return TransferEnd(
            system=system,
            store=store,
            path=path,
            region_id=code.value if isinstance(code, Present) else None,
            zone=zone.value if isinstance(zone, Present) else None,
        )

    return mapped(uri, end)


def _last_run(task: DatasyncTaskFacts) -> Fact[str]:
    if not isinstance(task.last_execution_arn, Present):
        return mapped(value_or(task.last_execution_arn, ""), lambda _: NEVER)
    status = task.last_execution_status
    if isinstance(status, Present):
        return _outcome(status.value)
    return status if isinstance(status, Unreadable) else Unreadable("NotReported")


def _outcome(status: str) -> Fact[str]:
    if status in _RUNNING:
        return Unreadable(STILL_RUNNING)
    known = _ENDS.get(status)
    return Present(known) if known else Unreadable(f"UnknownStatus {status}")
