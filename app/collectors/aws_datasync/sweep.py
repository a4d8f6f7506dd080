"""One sweep of a region: list, describe in parallel, then look up where the ends of each lie."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.clouds.parallel import stream
from app.collectors.aws_datasync import mapping
from app.collectors.aws_datasync.operations import (
    BUCKET,
    LOCATION_LIST,
    RUN,
    RUN_FEEDS,
    TAG_LIST,
    TASK,
    TASK_LIST,
    TASKS,
)
from app.collectors.aws_reading import AwsReading, Facts, Row
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.datasync import DatasyncTaskFacts
from app.domain.facts import ABSENT, Fact, Present, Unreadable
from app.domain.regions import s3_region_id
from app.domain.replies import UNEXPECTED, Reply, understood
from app.domain.transfer_datasync import S3, parts_of

Ends = Mapping[str, Fact[str]]
_ENDS = ("source", "destination")
NOT_LISTED = "LocationNotListed"


@dataclass(frozen=True, slots=True)
class _Task:
    """One task as it was described."""

    arn: str
    name: str
    created_at: datetime | None
    tags: dict[str, str] | None
    facts: Facts


class Sweep:
    """Reads one region once."""

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading

    def observations(self) -> Iterator[Observation]:
        """Tasks, whether their list was whole, then the coverage."""
        rows = self._reading.rows(TASK_LIST)
        found = list(rows)
        named = [row for row in found if _has_an_arn(row)]
        tasks = list(stream(self._task, named, threads=self._reading.threads))
        locations = self._locations(tasks)
        uris = {task.arn: self._uris(task, locations) for task in tasks}
        regions = self._bucket_regions(uris.values())
        for task in tasks:
            yield self._seen(task, uris[task.arn], regions)
        odd = self._odd() if len(named) < len(found) else ""
        yield self._reading.listed(DatasyncTaskFacts, rows.cut or odd)
        yield from self._reading.reports()

    def _odd(self) -> str:
        """The code of a list with entries that cannot be told apart."""
        self._reading.count(TASKS, Reply(Outcome.FAILED, {}, UNEXPECTED, "a task without its ARN"))
        return UNEXPECTED

    def _task(self, row: Row) -> _Task:
        arn = row["TaskArn"]
        reply = self._reading.ask(TASK, TaskArn=arn)
        facts = self._reading.understood(DatasyncTaskFacts, TASK, reply, mapping.task)
        created_at = reply.answer.get("CreationTime")
        return _Task(
            arn=arn,
            name=str(row.get("Name") or arn.rpartition("/")[2]),
            created_at=created_at if isinstance(created_at, datetime) else None,
            tags=self._tags(arn),
            facts={**facts, **self._run(facts["last_execution_arn"])},
        )

    def _run(self, execution: Fact[str]) -> Facts:
        """The newest run; a task that never ran has none, which is known."""
        if isinstance(execution, Present):
            params = {"TaskExecutionArn": execution.value}
            return self._reading.learn(DatasyncTaskFacts, RUN, mapping.run, **params)
        return dict.fromkeys(RUN_FEEDS, execution)

    def _tags(self, arn: str) -> dict[str, str] | None:
        reply = self._reading.whole(TAG_LIST, ResourceArn=arn)
        if reply.outcome is not Outcome.ANSWERED:
            return None
        try:
            return {row["Key"]: row.get("Value", "") for row in reply.answer[TAG_LIST.member]}
        except (LookupError, TypeError, AttributeError):
            return None

    def _locations(self, tasks: Sequence[_Task]) -> Reply:
        if not tasks:
            return Reply(Outcome.ANSWERED, {LOCATION_LIST.member: []})
        return self._reading.whole(LOCATION_LIST)

    def _uris(self, task: _Task, locations: Reply) -> Ends:
        """The URI of each end; a location of another account or region is not in the list."""
        if locations.outcome is not Outcome.ANSWERED:
            return dict.fromkeys(_ENDS, Unreadable(locations.code))
        known = _known(locations.answer[LOCATION_LIST.member])
        return {end: _uri(task.facts[f"{end}_location_arn"], known) for end in _ENDS}

    def _bucket_regions(self, ends: Iterable[Ends]) -> Ends:
        """The region of each bucket that a task reads or writes, asked once."""
        found = {_bucket(uri) for uris in ends for uri in uris.values()} - {""}
        return {bucket: self._bucket_region(bucket) for bucket in sorted(found)}

    def _bucket_region(self, bucket: str) -> Fact[str]:
        """S3 leads a call to the right region; the bucket of another account mostly refuses."""
        reply = self._reading.ask(BUCKET, self._reading.home_region, Bucket=bucket)
        reply, facts = understood(reply, ("region",), _location)
        self._reading.count(BUCKET, reply)
        return facts["region"]

    def _seen(self, task: _Task, uris: Ends, regions: Ends) -> ResourceSeen:
        """DataSync never gives the ARN of a task twice."""
        ends: dict[str, Any] = {}
        for end in _ENDS:
            ends[f"{end}_uri"] = uris[end]
            ends[f"{end}_bucket_region"] = _region(uris[end], regions)
        return self._reading.seen(
            DatasyncTaskFacts(**task.facts, **ends),
            native_id=task.arn,
            name=task.name,
            created_at=task.created_at,
            tags=task.tags,
        )


def _has_an_arn(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("TaskArn"), str)


def _known(rows: Iterable[Row]) -> dict[str, str]:
    """URI by ARN of the locations that are understood."""
    pairs = [(row.get("LocationArn"), row.get("LocationUri")) for row in rows]
    return {arn: uri for arn, uri in pairs if isinstance(arn, str) and isinstance(uri, str)}


def _uri(arn: Fact[str], known: Mapping[str, str]) -> Fact[str]:
    if not isinstance(arn, Present):
        return arn
    uri = known.get(arn.value)
    return Present(uri) if uri else Unreadable(NOT_LISTED)


def _bucket(uri: Fact[str]) -> str:
    """The bucket of an S3 location; '' for any other."""
    if not isinstance(uri, Present):
        return ""
    system, _, store, _ = parts_of(uri.value)
    return store if system == S3 else ""


def _region(uri: Fact[str], regions: Ends) -> Fact[str]:
    if isinstance(uri, Unreadable):
        return uri
    return regions.get(_bucket(uri), ABSENT)


def _location(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"region": s3_region_id(answer["LocationConstraint"])}
