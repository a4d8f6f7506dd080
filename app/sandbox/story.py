"""Cierzo Research: the fictional company whose clouds the sandbox plays. Names only, no shapes."""

import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

COMPANY = "Cierzo Research"
TENANT_ID = "c1e72000-0000-4000-8000-000000000001"
PARTNER_TENANT_ID = "c1e72000-0000-4000-8000-0000000000ff"


@dataclass(frozen=True, slots=True)
class Subscription:
    """One Azure subscription of the company."""

    subscription_id: str
    display_name: str


PLATFORM = Subscription("c1e72000-0000-4000-8000-00000000000a", "Cierzo Platform")
RESEARCH = Subscription("c1e72000-0000-4000-8000-00000000000b", "Cierzo Research Data")
AMERICAS = Subscription("c1e72000-0000-4000-8000-00000000000c", "Cierzo Labs Americas")
SUBSCRIPTIONS = (PLATFORM, RESEARCH, AMERICAS)
# Subscriptions below each management group, by its id in lower case.
MANAGEMENT_GROUPS: dict[str, tuple[str, ...]] = {
    "cierzo": tuple(each.subscription_id for each in SUBSCRIPTIONS),
    "cierzo-research": (RESEARCH.subscription_id, AMERICAS.subscription_id),
}


@dataclass(frozen=True, slots=True)
class AwsAccount:
    """One AWS account; the ids are those that AWS's own documentation uses as examples.

    `closed`: it blocks public access to all its buckets, whatever they say themselves.
    `opted_in`: the regions that it switched on, of those that are off at first.
    """

    account_id: str
    name: str
    closed: bool = False
    opted_in: tuple[str, ...] = ("eu-south-2", "eu-central-2")

    @property
    def role_arn(self) -> str:
        """The read-only role that a connection assumes in this account."""
        return f"arn:aws:iam::{self.account_id}:role/{ROLE_NAME}"


ROLE_NAME = "AtalayaReader"
EXTERNAL_ID = "cierzo-atalaya"
AWS_PLATFORM = AwsAccount("123456789012", "cierzo-platform", closed=True)
AWS_RESEARCH = AwsAccount("111122223333", "cierzo-research-eu")
AWS_TRAINING = AwsAccount("444455556666", "cierzo-training-us", opted_in=("eu-south-2",))
AWS_ACCOUNTS = (AWS_PLATFORM, AWS_RESEARCH, AWS_TRAINING)
AWS_PARTNER = AwsAccount("777788889999", "hospital-partner")  # not ours: every read is denied

# Where the six places of the story are, in each provider's own words.
# The regions in which the company has something; its accounts may use more.
AWS_REGIONS = ("eu-central-1", "eu-south-2", "eu-west-1", "us-east-1", "us-west-2")
SWC, WEU, NEU = "swedencentral", "westeurope", "northeurope"
FRA, PDX = "eu-central-1", "us-west-2"
MAD = "mad1"


@dataclass(frozen=True, slots=True)
class Dataset:
    """One dataset: who owns it, how sensitive it is and where it may rest."""

    name: str
    data_class: str
    residency: str
    team: str

    def tags(self, **more: str) -> dict[str, str]:
        """The tags that the company puts on whatever holds this dataset."""
        return {
            "dataset": self.name,
            "data-class": self.data_class,
            "data-residency": self.residency,
            "owner": self.team,
            "cost-center": "ai-" + self.team,
            **{key.replace("_", "-"): value for key, value in more.items()},
        }


CT_THORAX = Dataset("ct-thorax", "pseudonymised", "eu-eea", "radiology")
MULTIMODAL = Dataset("multimodal-radiology", "pseudonymised", "eu-eea-us", "radiology")
PATHOLOGY = Dataset("pathology-wsi", "pseudonymised", "eu-eea", "radiology")
WEBTEXT = Dataset("webtext-es-ca-gl", "public", "any", "atlas-llm")
CLINICAL_NOTES = Dataset("clinical-notes-es", "special-category", "eu", "atlas-llm")
SPEECH = Dataset("speech-castellano", "personal", "eu-eea-uk", "speech")
CHECKPOINTS = Dataset("checkpoints-atlas", "derived", "eu-eea", "atlas-llm")
SYNTHETIC = Dataset("synthetic-dialogues", "internal", "any", "atlas-llm")
EVAL_SUITE = Dataset("eval-suite-es", "internal", "any", "platform")
C4_SAMPLE = Dataset("c4-sample", "public", "any", "platform")
DATASETS = (
    CT_THORAX,
    MULTIMODAL,
    PATHOLOGY,
    WEBTEXT,
    CLINICAL_NOTES,
    SPEECH,
    CHECKPOINTS,
    SYNTHETIC,
    EVAL_SUITE,
    C4_SAMPLE,
)

_OPENING_DAY = datetime(2024, 1, 8, 7, 30, tzinfo=UTC)
_DAYS = 900


def mixed(text: str) -> int:
    """A number from 0 to 2**32-1 that depends on the text alone, the same in every process."""
    return zlib.crc32(text.encode())


def created_at(name: str) -> datetime:
    """When the thing of this name was made: some second in the company's first 900 days."""
    seconds = mixed("created " + name) % (_DAYS * 86_400)
    return _OPENING_DAY + timedelta(seconds=seconds)


def azure_time(instant: datetime) -> str:
    """An instant as Azure writes it: seven digits behind the point and a Z."""
    return instant.strftime("%Y-%m-%dT%H:%M:%S.") + f"{instant.microsecond * 10:07d}Z"
