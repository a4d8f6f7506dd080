"""The NetApp accounts of the story: pools that are paid, volumes, and where their copies lie."""

from app.sandbox.azure.model import Json
from app.sandbox.azure.netapp import Pool, Volume, chapter, volume_id
from app.sandbox.azure.refusal import Refusal
from app.sandbox.story import (
    CLINICAL_NOTES,
    CT_THORAX,
    EVAL_SUITE,
    NEU,
    PLATFORM,
    RESEARCH,
    SWC,
    SYNTHETIC,
    WEU,
)

_NOTES_US = volume_id(RESEARCH, "eastus", "anf-research-eus", "pool-dr", "vol-notes-eus")
_HOMES = volume_id(RESEARCH, WEU, "anf-research-weu", "pool-homes", "vol-homes")
_HOMES_NEU = volume_id(RESEARCH, NEU, "anf-research-neu", "pool-copies", "vol-homes-neu")
_THORAX = volume_id(PLATFORM, WEU, "anf-platform-weu", "pool-shared", "vol-thorax")
_SPEECH = volume_id(PLATFORM, WEU, "anf-platform-weu", "pool-shared", "vol-speech")
_MIRRORED: Json = {
    "healthy": True,
    "relationshipStatus": "Idle",
    "mirrorState": "Mirrored",
    "totalProgress": "1048576",
    "errorMessage": "",
}
_BROKEN = {
    **_MIRRORED,
    "healthy": False,
    "mirrorState": "Broken",
    "errorMessage": "The replication was broken off by a user.",
}
POOLS = (
    Pool(
        "pool-homes",
        "all of it is given to volumes, with cool access: everything right",
        4,
        "anf-research-weu",
        cool=True,
        volumes=(
            Volume(
                "vol-homes",
                "home directories: cool after 31 days, snapshots, a copy in Ireland",
                3,
                EVAL_SUITE,
                protocols=("NFSv3", "CIFS"),
                cool_days=31,
                own_key=True,
                backups=True,
                copies=((_HOMES_NEU, "northeurope"),),
            ),
            Volume(
                "vol-tools",
                "software: neither snapshots nor backups, and its cold blocks stay where they are",
                1,
                SYNTHETIC,
                snapshots=False,
            ),
        ),
    ),
    Pool(
        "pool-notes",
        "three quarters of an Ultra pool are paid and no volume has them",
        16,
        "anf-research-weu",
        level="Ultra",
        qos="Manual",
        volumes=(
            Volume(
                "vol-notes",
                "clinical-notes-es copied to Virginia, out of the EU",
                4,
                CLINICAL_NOTES,
                snapshots=False,
                backups=False,
                copies=((_NOTES_US, "East US"),),
            ),
        ),
    ),
    Pool(
        "pool-copies",
        "Standard pool of copies in Ireland",
        8,
        "anf-research-neu",
        region=NEU,
        level="Standard",
        cool=True,
        volumes=(
            Volume(
                "vol-homes-neu",
                "the copy of the home directories, kept up",
                3,
                EVAL_SUITE,
                cool_days=31,
                copy_of=(_HOMES, "westeurope"),
                status=_MIRRORED,
            ),
            Volume(
                "vol-thorax-neu",
                "a copy that broke and was not resumed",
                4,
                CT_THORAX,
                copy_of=(_THORAX, "westeurope"),
                status=_BROKEN,
            ),
            Volume(
                "vol-speech-neu",
                "a copy whose state nobody of the company may read",
                1,
                SYNTHETIC,
                copy_of=(_SPEECH, "westeurope"),
                status=Refusal(403, "AuthorizationFailed", "The client has no authorization."),
            ),
        ),
    ),
    Pool(
        "pool-empty",
        "a zone-redundant pool without a single volume",
        2,
        "anf-platform-swc",
        region=SWC,
        level="StandardZRS",
        subscription=PLATFORM,
    ),
)
CHAPTER = chapter(POOLS)
