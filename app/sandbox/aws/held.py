"""What the simulated EC2 holds: each thing as a list of EC2 shows it, and where it is."""

from dataclasses import dataclass

from app.sandbox.aws.answers import Json
from app.sandbox.story import AWS_RESEARCH, AWS_TRAINING, FRA, PDX, AwsAccount, mixed


@dataclass(frozen=True, slots=True)
class Held:
    """Something of EC2 as its list shows it, where it is, and what is special about it."""

    account: AwsAccount
    region: str
    name: str
    document: Json
    case: str


def an_id(prefix: str, name: str) -> str:
    """An id of EC2's form that depends on the name alone."""
    return f"{prefix}-0{mixed(name):08x}{mixed(name[::-1]):08x}"


def tag_list(name: str, more: dict[str, str]) -> list[Json]:
    """Tags in EC2's form, the name among them."""
    return [{"Key": key, "Value": value} for key, value in {"Name": name, **more}.items()]


def in_fra(name: str, case: str, document: Json) -> Held:
    """Something of the research account in Frankfurt."""
    return Held(AWS_RESEARCH, FRA, name, document, case)


def in_pdx(name: str, case: str, document: Json) -> Held:
    """Something of the training account in Oregon."""
    return Held(AWS_TRAINING, PDX, name, document, case)
