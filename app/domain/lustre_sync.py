"""How far the files of a Managed Lustre file system have got to its Blob container.

The point up to which a checkpoint can be brought back is the end of the last pass of the automatic
export that had no error. A pass takes what changed; what is deleted, renamed or given other rights
on Lustre stays as it was in Blob (Azure Managed Lustre documentation: auto export, tiered
checkpoints).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, TypeVar

from app.domain.azure_lustre import (
    ENABLE,
    AzureLustreFileSystemFacts,
    LustreAutoExport,
    LustreExpansion,
)
from app.domain.fact_sums import mapped, present_or_absent
from app.domain.facts import ABSENT, Absent, Fact, FactDocument, Present, Unreadable, fact
from app.domain.storage_places import NOT_REPORTED

T = TypeVar("T")
# What the mover of Managed Lustre copies to Blob by default (tiered checkpoints, 2026-06).
MOVER_BYTES_PER_SECOND = 7.5e9
EVERYTHING = "/"
NONE, RUNNING, SUCCEEDED, FAILED = "none", "running", "succeeded", "failed"
_EXPANSIONS = {
    "inprogress": RUNNING,
    "rebalancing": RUNNING,
    "deleting": RUNNING,
    "rollback": RUNNING,
    "completed": SUCCEEDED,
    "failed": FAILED,
}


@dataclass(frozen=True, slots=True)
class LustreSyncFacts(FactDocument):
    """Derived facts of a Managed Lustre file system: its exports and its growth."""

    KIND: ClassVar[str] = "lustre_sync"

    exported_paths: Fact[tuple[str, ...]] = fact(
        "Directories whose new and changed files go to Blob by themselves; / is everything.",
        "derived",
    )
    exported_until: Fact[datetime] = fact(
        "End of the last export pass without an error: what changed since may be on Lustre alone. "
        "Deletions, new names and new rights never get to Blob. Absent when no pass ended so.",
        "derived",
    )
    export_failed_files: Fact[int] = fact(
        "Files that could not be exported since the job began; absent without a job.", "derived"
    )
    export_backlog_bytes: Fact[int] = fact(
        "Bytes that the running pass has found and not yet copied; absent without a job.",
        "derived",
    )
    export_backlog_seconds: Fact[float] = fact(
        "Time that copying these takes at 7.5 GB/s, the default of the mover.", "derived"
    )
    logs_beside_container: Fact[bool] = fact(
        "The container and the one of its logs lie in one storage account, as they must; absent "
        "without a container.",
        "derived",
    )
    expansion: Fact[str] = fact(
        "The newest expansion: none, running, succeeded or failed.", "derived"
    )
    expansion_started_at: Fact[datetime] = fact("When it began.", "derived")
    expansion_message: Fact[str] = fact("What Azure says about it.", "derived")


def lustre_sync(found: AzureLustreFileSystemFacts) -> LustreSyncFacts:
    """The derived facts of one file system."""
    jobs = enabled_exports(found)
    backlog = _backlog(jobs)
    newest = _newest(found.expansion_jobs)
    return LustreSyncFacts(
        exported_paths=mapped(jobs, _paths),
        exported_until=_exported_until(jobs),
        export_failed_files=_failed_files(jobs),
        export_backlog_bytes=backlog,
        export_backlog_seconds=mapped(backlog, _moving_seconds),
        logs_beside_container=_beside(found),
        expansion=_expansion(newest),
        expansion_started_at=_told(newest, lambda one: one.started_at),
        expansion_message=_told(newest, lambda one: one.message or one.code or None),
    )


def enabled_exports(found: AzureLustreFileSystemFacts) -> Fact[tuple[LustreAutoExport, ...]]:
    """The export jobs that are meant to run; none without a container to export to."""
    container, jobs = found.hsm_container_id, found.auto_export_jobs
    if not isinstance(container, Present):
        return Present(()) if isinstance(container, Absent) else container
    return mapped(jobs, lambda all_: tuple(filter(is_enabled, all_)))


def is_enabled(job: LustreAutoExport) -> bool:
    """Whether somebody wants it to run, whatever it does."""
    return job.admin_status.lower() == ENABLE


def _paths(jobs: Iterable[LustreAutoExport]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for job in jobs for path in job.prefixes))


def _exported_until(jobs: Fact[tuple[LustreAutoExport, ...]]) -> Fact[datetime]:
    """The oldest of their ends: each job has directories of its own."""
    if not isinstance(jobs, Present):
        return jobs
    ends = [job.last_success_at for job in jobs.value]
    known = [end for end in ends if end is not None]
    return Present(min(known)) if known and len(known) == len(ends) else ABSENT


def _failed_files(jobs: Fact[tuple[LustreAutoExport, ...]]) -> Fact[int]:
    return _summed(jobs, lambda job: job.failed_files)


def _backlog(jobs: Fact[tuple[LustreAutoExport, ...]]) -> Fact[int]:
    def left(job: LustreAutoExport) -> int | None:
        if job.found_bytes is None or job.moved_bytes is None:
            return None
        return max(0, job.found_bytes - job.moved_bytes)

    return _summed(jobs, left)


def _moving_seconds(size_bytes: int) -> float:
    return round(size_bytes / MOVER_BYTES_PER_SECOND, 1)


def _summed(
    jobs: Fact[tuple[LustreAutoExport, ...]], figure: Callable[[LustreAutoExport], int | None]
) -> Fact[int]:
    """The sum over all jobs; unreadable when Azure leaves it out for one, absent without a job."""
    if not isinstance(jobs, Present):
        return jobs
    figures = [figure(job) for job in jobs.value]
    known = [one for one in figures if one is not None]
    if len(known) < len(figures):
        return Unreadable(NOT_REPORTED)
    return Present(sum(known)) if known else ABSENT


def _beside(found: AzureLustreFileSystemFacts) -> Fact[bool]:
    container, logs = found.hsm_container_id, found.hsm_logging_container_id
    if not isinstance(container, Present):
        return container
    if isinstance(logs, Unreadable):
        return logs
    own = account_of(container.value)
    return Present(isinstance(logs, Present) and bool(own) and account_of(logs.value) == own)


def account_of(container_id: str) -> str:
    """The id, in lower case, of the storage account in the id of a container; '' without one."""
    head, mark, _ = container_id.lower().partition("/blobservices/")
    return head.rstrip("/") if mark else ""


def _newest(jobs: Fact[tuple[LustreExpansion, ...]]) -> Fact[LustreExpansion]:
    """The expansion that began last; one that has not begun yet is newer than any that has."""
    if not isinstance(jobs, Present):
        return jobs
    waiting = [job for job in jobs.value if job.started_at is None]
    begun = [(job.started_at, number) for number, job in enumerate(jobs.value) if job.started_at]
    if waiting:
        return Present(waiting[-1])
    return Present(jobs.value[max(begun)[1]]) if begun else ABSENT


def _expansion(newest: Fact[LustreExpansion]) -> Fact[str]:
    if not isinstance(newest, Present):
        return Present(NONE) if isinstance(newest, Absent) else newest
    known = _EXPANSIONS.get(newest.value.state.lower())
    return Present(known) if known else Unreadable(f"UnknownState {newest.value.state}")


def _told(newest: Fact[LustreExpansion], what: Callable[[LustreExpansion], T | None]) -> Fact[T]:
    return present_or_absent(what(newest.value)) if isinstance(newest, Present) else newest
