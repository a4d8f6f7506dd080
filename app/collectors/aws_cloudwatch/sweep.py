"""One sweep of a region: find what is measured, read the last three hours, stream the samples.

Three hours at every sweep: what came late, or was cut short then, is laid over what is stored.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from app.clouds.parallel import stream
from app.collectors.aws_cloudwatch import mapping
from app.collectors.aws_cloudwatch.operations import JOB
from app.collectors.aws_machine_types import machine_types
from app.collectors.aws_metrics import GET, Metric, Query, find_metrics, read_samples
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import ListingDone, Observation, Outcome
from app.domain.replies import UNEXPECTED, Reply
from app.domain.samples import SERIES, window

LOOK_BACK = timedelta(hours=3)
_RECENT = "PT3H"  # the one span that ListMetrics knows
UNKNOWN_GPUS = "UnknownGpuCount"


class Sweep:
    """Reads one cell once."""

    def __init__(self, reading: AwsReading, now: datetime) -> None:
        self._reading, self._now = reading, now
        self._place = mapping.Place(reading.account_id, reading.region_id, reading.partition)
        self._cut = ""

    def observations(self) -> Iterator[Observation]:
        """Samples, then whether all that is measured was found, then the coverage."""
        spans = lambda period: window(self._now, LOOK_BACK, period)  # noqa: E731
        yield from read_samples(self._reading, self._queries(), spans)
        yield ListingDone(SERIES, self._reading.scope, complete=not self._cut, code=self._cut)
        yield from self._reading.reports()

    def _queries(self) -> Iterator[Query]:
        for name in mapping.NODE_METRICS:
            of_instances = [{"Name": "InstanceId"}]  # leaves out the sums over a cluster
            found, cut = self._found(mapping.NODES, name, Dimensions=of_instances)
            yield from mapping.node_queries(found, self._place, whole=not cut)
        found, _ = self._found(mapping.AGENT, mapping.AGENT_METRIC)
        yield from mapping.agent_queries(found, self._place)
        found, _ = self._found(mapping.JOBS, mapping.JOB_METRIC)
        yield from mapping.job_queries(found, self._gpus(found), self._place)
        found, _ = self._found(mapping.FILES, mapping.FILES_METRIC)
        yield from mapping.file_queries(found, self._place)

    def _found(self, namespace: str, name: str, **more: object) -> tuple[list[Metric], str]:
        found, cut = find_metrics(
            self._reading, Namespace=namespace, MetricName=name, RecentlyActive=_RECENT, **more
        )
        self._cut = self._cut or cut
        return found, cut

    def _gpus(self, metrics: Iterable[Metric]) -> Mapping[str, float]:
        """GPUs of one machine of each job; what is not known is said, and not read."""
        jobs = sorted({mapping.job_of(metric) for metric in metrics} - {""})
        machines = dict(stream(self._machine, jobs, threads=self._reading.threads))
        types = machine_types(self._reading, filter(None, machines.values()))
        counts = {
            job: types[name].accelerator_count for job, name in machines.items() if name in types
        }
        for job in jobs:
            if machines[job] is not None and not counts.get(job):
                self._say_unknown(job, machines[job] or "of several types")
        return {job: count for job, count in counts.items() if count}

    def _machine(self, job: str) -> tuple[str, str | None]:
        """The type of a job's machines, '' of several; None when it was not read."""
        reply = self._reading.ask(JOB, TrainingJobName=job)
        found = None
        if reply.outcome is Outcome.ANSWERED:
            try:
                found = mapping.machine_of_job(reply.answer)
            except (LookupError, TypeError, AttributeError) as error:
                text = f"{type(error).__name__}: {error}"[:200]
                reply = Reply(Outcome.FAILED, {}, UNEXPECTED, text)
        self._reading.count(JOB, reply)
        return job, found

    def _say_unknown(self, job: str, machine: str) -> None:
        text = f"{job} runs on machines {machine}; its sum over GPUs cannot be divided."
        self._reading.count(GET, Reply(Outcome.SKIPPED, {}, UNKNOWN_GPUS, text))
