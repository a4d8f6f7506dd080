"""The whole scripted estate: Azure tenant and AWS accounts, and the table of its cases."""

from dataclasses import dataclass

from app.sandbox import story_jobs
from app.sandbox.aws import (
    story_access,
    story_datasync,
    story_ebs,
    story_ec2,
    story_efs,
    story_eks,
    story_fsx,
    story_hyperpod,
)
from app.sandbox.aws.estate import AwsEstate
from app.sandbox.azure.chapters import CHAPTERS
from app.sandbox.azure.estate import AzureEstate

MAX_SIZE = 9_999_999  # invented names carry seven digits


@dataclass(frozen=True, slots=True)
class Case:
    """One scripted resource and what is special about it."""

    provider: str
    name: str
    region: str
    case: str


class Estate:
    """Both clouds; `buckets` and `accounts` make them bigger than the story needs."""

    def __init__(self, buckets: int = 0, accounts: int = 0) -> None:
        self.aws = AwsEstate(buckets)
        self.azure = AzureEstate(accounts)

    def cases(self) -> list[Case]:
        """Everything that is scripted, AWS first, in the order of the script."""
        buckets = [Case("AWS", each.name, each.region, each.case) for each in self.aws.scripted]
        doors = [Case("AWS", each.name, each.region, each.case) for each in story_access.CASES]
        hyperpod = [
            Case("AWS", each.name, each.region, each.case)
            for each in (*story_hyperpod.CLUSTERS, *story_hyperpod.PLANS)
        ]
        files = [
            Case("AWS", each.name, each.region, each.case)
            for each in (
                *story_fsx.FILE_SYSTEMS,
                story_fsx.CACHE,
                *story_efs.FILE_SYSTEMS,
                *story_datasync.TASKS,
            )
        ]
        eks = [Case("AWS", each.name, each.region, each.case) for each in story_eks.CLUSTERS]
        accounts = [
            Case("Azure", each.name, each.region, each.case) for each in self.azure.scripted
        ]
        held = [
            Case("AWS", each.name, each.region, each.case)
            for each in (*story_ec2.HELD, *story_ebs.HELD)
        ]
        chapters = [Case("Azure", *case) for chapter in CHAPTERS for case in chapter.cases]
        jobs = [Case("none", each.name, each.region, each.case) for each in story_jobs.JOBS]
        return buckets + doors + hyperpod + held + files + eks + accounts + chapters + jobs


def cases_table(estate: Estate) -> str:
    """The cases as the Markdown table of docs/sandbox.md."""
    rows = [
        f"| {case.provider} | `{case.name}` | {case.region} | {case.case} |"
        for case in estate.cases()
    ]
    return "\n".join(["| cloud | name | region | case |", "|---|---|---|---|", *rows]) + "\n"
