"""The DataSync tasks of the story: one that works, and what goes wrong with others."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.sandbox.story import (
    AWS_RESEARCH,
    AWS_TRAINING,
    CLINICAL_NOTES,
    CT_THORAX,
    FRA,
    PDX,
    SYNTHETIC,
    AwsAccount,
    created_at,
    mixed,
)


@dataclass(frozen=True, slots=True)
class Task:
    """One task; `case` says what is special about it.

    `run` is the status of its newest run, '' when it never ran; `error` why it failed.
    `schedule` '' is none; `given_up`: DataSync switched the schedule off.
    """

    name: str
    case: str
    source: str
    destination: str
    account: AwsAccount = AWS_RESEARCH
    region: str = FRA
    run: str = "SUCCESS"
    error: str = ""
    schedule: str = "cron(0 3 * * ? *)"
    given_up: bool = False
    deletes: bool = False
    tags: dict[str, str] | None = None

    @property
    def arn(self) -> str:
        """The ARN of the task."""
        return f"{self._prefix}:task/task-{_seventeen(self.name)}"

    @property
    def run_arn(self) -> str:
        """The ARN of its newest run."""
        return f"{self.arn}/execution/exec-{_seventeen(self.name + ' run')}"

    @property
    def created_at(self) -> datetime:
        """When it was made."""
        return created_at(self.name)

    @property
    def started_at(self) -> datetime:
        """When its newest run began."""
        return self.created_at + timedelta(days=30)

    def location_arn(self, uri: str) -> str:
        """The ARN of the location that stands for a URI."""
        return f"{self._prefix}:location/loc-{_seventeen(uri)}"

    @property
    def _prefix(self) -> str:
        return f"arn:aws:datasync:{self.region}:{self.account.account_id}"


def _seventeen(text: str) -> str:
    return f"0{mixed(text):08x}{mixed(text[::-1]):08x}"


MADRID = "nfs://qumulo-mad1.cierzo.example/"

TASKS = (
    Task(
        "thorax-madrid-to-fra",
        "ct-thorax from Madrid to its bucket every night: everything right",
        MADRID + "ct-thorax/",
        "s3://cierzo-ct-thorax-fra/studies/",
        tags=CT_THORAX.tags(),
    ),
    Task(
        "notes-fra-to-iad",
        "clinical-notes-es from Frankfurt to a bucket in Virginia, out of the EU",
        "s3://cierzo-clinical-notes-es-fra/notes/",
        "s3://cierzo-access-logs-use1/notes/",
        tags=CLINICAL_NOTES.tags(),
    ),
    Task(
        "pathology-weekly",
        "failed so often that DataSync switched its schedule off",
        MADRID + "pathology/",
        "s3://cierzo-pathology-wsi-fra/slides/",
        run="ERROR",
        error="Access to the bucket was denied.",
        given_up=True,
    ),
    Task(
        "exports-by-hand",
        "made once, without a schedule, and never run",
        "s3://cierzo-radiology-exports-fra/",
        MADRID + "exports/",
        run="",
        schedule="",
    ),
    Task(
        "notes-to-hospital",
        "to the bucket of a partner, which does not tell where it lies",
        "s3://cierzo-clinical-notes-es-fra/notes/",
        "s3://hospital-dr-copy/notes/",
        tags=CLINICAL_NOTES.tags(),
    ),
    Task(
        "dialogues-to-lustre",
        "fills Lustre of the cluster and is at it; what the source loses goes there too",
        "s3://cierzo-synthetic-dialogues-usw2/datasets/",
        f"fsxl://{PDX}.fs-0c1e72000000000a1/dialogues/",
        account=AWS_TRAINING,
        region=PDX,
        run="TRANSFERRING",
        deletes=True,
        tags=SYNTHETIC.tags(cluster="hyperpod-usw2"),
    ),
)
