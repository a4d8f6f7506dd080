"""The EFS file systems of the story: where their copies lie, and what nobody keeps."""

from dataclasses import dataclass
from datetime import datetime

from app.sandbox.story import (
    AWS_PARTNER,
    AWS_RESEARCH,
    AWS_TRAINING,
    CLINICAL_NOTES,
    FRA,
    PDX,
    AwsAccount,
    created_at,
    mixed,
)

DUB, IAD = "eu-west-1", "us-east-1"


@dataclass(frozen=True, slots=True)
class Copy:
    """Where a file system is replicated to."""

    file_system_id: str
    region: str
    account: AwsAccount = AWS_RESEARCH
    status: str = "ENABLED"


@dataclass(frozen=True, slots=True)
class ElasticFileSystem:
    """One EFS file system; `case` says what is special.

    `backups` in EFS's word, '' where no policy was ever set. `zone` '' is a Regional one.
    """

    name: str
    case: str
    size_bytes: int
    account: AwsAccount = AWS_RESEARCH
    region: str = FRA
    zone: str = ""
    encrypted: bool = True
    own_key: bool = True
    backups: str = "ENABLED"
    cools: bool = True
    protection: str = "ENABLED"
    copies: tuple[Copy, ...] = ()
    tags: dict[str, str] | None = None

    @property
    def file_system_id(self) -> str:
        """The id, which its name decides."""
        return id_of(self.name)

    @property
    def created_at(self) -> datetime:
        """When it was made."""
        return created_at(self.name)


def id_of(name: str) -> str:
    """The id of the file system of that name."""
    return f"fs-0{mixed(name):08x}{mixed(name[::-1]):08x}"


FILE_SYSTEMS = (
    ElasticFileSystem(
        "efs-notebooks",
        "notebooks: own key, backed up, replicated to Ireland: everything right",
        740 * 2**30,
        copies=(Copy(id_of("efs-notebooks-dub"), DUB),),
        tags={"owner": "platform"},
    ),
    ElasticFileSystem(
        "efs-notebooks-dub",
        "the replica of the notebooks in Ireland, written by EFS alone",
        740 * 2**30,
        region=DUB,
        own_key=False,
        protection="REPLICATING",
        tags={"owner": "platform"},
    ),
    ElasticFileSystem(
        "efs-clinical-notes",
        "clinical-notes-es replicated to Virginia, out of the EU",
        96 * 2**30,
        copies=(Copy(id_of("efs-clinical-notes-iad"), IAD, status="PAUSED"),),
        tags=CLINICAL_NOTES.tags(),
    ),
    ElasticFileSystem(
        "efs-hospital-share",
        "replicated within the EU to an account of a partner",
        12 * 2**30,
        own_key=False,
        copies=(Copy(id_of("hospital-share"), DUB, AWS_PARTNER),),
        tags={"owner": "radiology"},
    ),
    ElasticFileSystem(
        "efs-hyperpod-homes",
        "home directories in one zone, neither encrypted nor backed up",
        310 * 2**30,
        account=AWS_TRAINING,
        region=PDX,
        zone="us-west-2a",
        encrypted=False,
        backups="",
        cools=False,
        tags={"cluster": "hyperpod-usw2", "owner": "atlas-llm"},
    ),
)
