"""F01, F10 and F12 with other values, drawn from seeds, and a small oracle of their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from app.clouds import aws
from app.sandbox.aws_server import AwsServer
from app.sandbox.faults import Fault
from tests.support import own_aws
from tests.support.journeys import Installation, Journey

DRAWN = 36
LIMIT_DAYS = 14
# As S3 tells locations; two names for Ireland, and none for Virginia.
LOCATIONS: dict[str, str] = {
    "EU": "eu-west-1",
    "eu-west-1": "eu-west-1",
    "eu-central-1": "eu-central-1",
    "us-west-2": "us-west-2",
    "": "us-east-1",
}
ZONES = {"eu-west-1": "EU", "eu-central-1": "EU", "us-west-2": "US", "us-east-1": "US"}
FOREIGN = {"partner-told": "us-west-2", "partner-eu": "eu-central-1", "partner-mute": None}
OWN = {"own-dublin": "eu-west-1", "own-virginia": "us-east-1"}


@dataclass(frozen=True)
class Rule:
    """One lifecycle rule as drawn; `form` is how its prefix is written."""

    enabled: bool
    prefix: str
    form: str
    action: str
    days: int

    def document(self, number: int) -> dict[str, Any]:
        scopes: dict[str, dict[str, Any]] = {
            "filter": {"Filter": {"Prefix": self.prefix}},
            "legacy": {"Prefix": self.prefix},
            "and": {"Filter": {"And": {"Prefix": self.prefix, "ObjectSizeGreaterThan": 0}}},
            "tag": {"Filter": {"Tag": {"Key": "cold", "Value": "yes"}}},
        }
        actions: dict[str, dict[str, Any]] = {
            "move": {"Transitions": [{"Days": self.days, "StorageClass": "GLACIER_IR"}]},
            "delete": {"Expiration": {"Days": self.days + 1}},
            "abort": {"AbortIncompleteMultipartUpload": {"DaysAfterInitiation": self.days + 1}},
            "old": {"NoncurrentVersionExpiration": {"NoncurrentDays": self.days + 1}},
        }
        status = "Enabled" if self.enabled else "Disabled"
        return {"ID": f"r{number}", "Status": status, **scopes[self.form], **actions[self.action]}

    def works(self) -> bool:
        """Whether it takes all current objects of the bucket out of the hot tier in time."""
        days = {"move": self.days, "delete": self.days + 1}.get(self.action, 10**6)
        return self.enabled and days <= LIMIT_DAYS and not self.prefix and self.form != "tag"


@dataclass(frozen=True)
class Drawn:
    """One bucket as drawn; `copies` are (prefix, destination bucket, switched on)."""

    name: str
    location: str
    denied: bool
    rules: tuple[Rule, ...]
    copies: tuple[tuple[str, str, bool], ...]

    def cools(self) -> bool:
        """One rule does it; a bucket has no parts that several rules could share."""
        return any(rule.works() for rule in self.rules)

    def places(self) -> list[str | None]:
        """All regions with bytes of it, None for one that nobody tells; off rules count too."""
        there = {**FOREIGN, **OWN}
        home = None if self.denied else LOCATIONS[self.location]
        return [home, *(there[bucket] for _, bucket, _ in self.copies)]

    def stays(self, allowed: set[str] | None) -> str:
        """In the allowed regions, or (None) in the zone of the primary copy."""
        places = self.places()
        if allowed is None:
            if places[0] is None:
                return "unknown"
            allowed = {region for region, zone in ZONES.items() if zone == ZONES[places[0]]}
        if any(place is not None and place not in allowed for place in places):
            return "non_compliant"
        return "unknown" if None in places else "compliant"


def draw(seed: int) -> Drawn:
    dice = Random(seed)
    # Rules of the old schema and of the new one may not stand in one document.
    forms = ["legacy"] if dice.random() < 0.2 else ["filter", "filter", "and", "tag"]
    rules = tuple(
        Rule(
            enabled=dice.random() < 0.8,
            prefix=dice.choice(["", "", "", "data/", "logs/"]),
            form=dice.choice(forms),
            action=dice.choice(["move", "move", "delete", "abort", "old"]),
            days=dice.choice([1, 13, 14, 15, 90]),
        )
        for _ in range(dice.randint(0, 2))
    )
    targets = dice.sample([*FOREIGN, *OWN], dice.choice([0, 0, 1, 2]))
    copies = tuple((f"p{n}/", to, dice.random() < 0.7) for n, to in enumerate(targets))
    location = dice.choice(sorted(LOCATIONS))
    return Drawn(f"drawn-{seed}", location, dice.random() < 0.15, rules, copies)


ESTATE = [draw(seed) for seed in range(DRAWN)]


def make(cloud: AwsServer, drawn: Drawn) -> None:
    s3 = own_aws.client(cloud, LOCATIONS[drawn.location])
    where = {"CreateBucketConfiguration": {"LocationConstraint": drawn.location}}
    s3.create_bucket(Bucket=drawn.name, **(where if drawn.location else {}))
    if drawn.rules:
        rules = [rule.document(number) for number, rule in enumerate(drawn.rules)]
        s3.put_bucket_lifecycle_configuration(
            Bucket=drawn.name, LifecycleConfiguration={"Rules": rules}
        )
    if drawn.copies:
        on = {"Status": "Enabled"}
        s3.put_bucket_versioning(Bucket=drawn.name, VersioningConfiguration=on)
        role = "arn:aws:iam::123456789012:role/copies"
        copies = [copy(number, one) for number, one in enumerate(drawn.copies)]
        s3.put_bucket_replication(
            Bucket=drawn.name, ReplicationConfiguration={"Role": role, "Rules": copies}
        )


def copy(number: int, one: tuple[str, str, bool]) -> dict[str, Any]:
    prefix, bucket, enabled = one
    return {
        "ID": f"copy-{number}",
        "Status": "Enabled" if enabled else "Disabled",
        "Priority": number + 1,
        "Filter": {"Prefix": prefix},
        "DeleteMarkerReplication": {"Status": "Disabled"},
        "Destination": {"Bucket": f"arn:aws:s3:::{bucket}"},
    }


def faults() -> Iterator[Fault]:
    """A list without regions, as S3 gave it for years; refused locations; foreign buckets."""
    names = sorted([*(drawn.name for drawn in ESTATE), *OWN])
    date = "<CreationDate>2024-05-06T07:08:09.000Z</CreationDate>"
    rows = "".join(f"<Bucket><Name>{name}</Name>{date}</Bucket>" for name in names)
    yield Fault(
        operation="s3.ListBuckets",
        body=f"<ListAllMyBucketsResult><Buckets>{rows}</Buckets></ListAllMyBucketsResult>",
    )
    for drawn in ESTATE:
        if drawn.denied:
            where = f"^/{drawn.name}[/?]"
            yield refused(operation="s3.GetBucketLocation", path=where)
    for name, region in FOREIGN.items():
        told = {"x-amz-bucket-region": region} if region else {}
        yield refused(path=f"^/{name}", headers=told)


def refused(**where: Any) -> Fault:
    return Fault(status=403, code="AccessDenied", **where)


@pytest.fixture(scope="module")
def filled(installation_of_module: Installation) -> Installation:
    """All drawn buckets, read once; the limit of days is another one than the usual."""
    cloud = AwsServer()
    cloud.start()
    try:
        with installation_of_module.open() as journey, pytest.MonkeyPatch.context() as patch:
            for name, region in OWN.items():
                own_aws.make_bucket(cloud, name, region)
            for drawn in ESTATE:
                make(cloud, drawn)
            cloud.faults.add(*faults())
            patch.setattr(aws, "_ATTEMPTS", 1)
            patch.setenv("OWN_AWS_SECRET", cloud.secret_access_key)
            journey.set_params("data-cools-in-time", {"max_days_in_hot": LIMIT_DAYS})
            settings = own_aws.settings(cloud, regions=[])
            sweep = journey.sweep(journey.connect("drawn", "aws", settings))
            assert sweep["state"] == "partial"
    finally:
        cloud.stop()
    return installation_of_module


@pytest.fixture
def read(filled: Installation) -> Iterator[Journey]:
    """The drawn buckets, to be looked at."""
    with filled.open() as journey:
        yield journey


def told(read: Journey, policy_id: str) -> dict[str, str]:
    return {name: one for name, one in read.judged(policy_id).items() if name not in OWN}


def test_the_draw_has_every_kind() -> None:
    assert {drawn.cools() for drawn in ESTATE} == {True, False}
    assert {drawn.stays(None) for drawn in ESTATE} == {"compliant", "non_compliant", "unknown"}
    assert {drawn.location for drawn in ESTATE} == set(LOCATIONS)
    assert {rule.form for drawn in ESTATE for rule in drawn.rules} == {
        "filter",
        "legacy",
        "and",
        "tag",
    }


def test_each_bucket_cools_or_not_as_the_oracle_says(read: Journey) -> None:
    words = {True: "compliant", False: "non_compliant"}
    assert told(read, "data-cools-in-time") == {d.name: words[d.cools()] for d in ESTATE}


def test_each_location_is_a_region_or_not_known(read: Journey) -> None:
    found = {name: row["region_id"] for name, row in read.resources().items()}
    expected = {d.name: None if d.denied else LOCATIONS[d.location] for d in ESTATE}
    assert {name: region for name, region in found.items() if name not in OWN} == expected


@pytest.mark.parametrize(
    "allowed", [None, {"eu-west-1"}, {"eu-west-1", "eu-central-1"}, set(ZONES)]
)
def test_each_copy_stays_or_not_as_the_oracle_says(read: Journey, allowed: set[str] | None) -> None:
    policy_id = "replication-region-allowed"
    read.set_params(policy_id, {} if allowed is None else {"allowed_regions": sorted(allowed)})
    assert told(read, policy_id) == {drawn.name: drawn.stays(allowed) for drawn in ESTATE}


def test_each_copy_names_its_prefix_and_foreign_ones_their_account(read: Journey) -> None:
    for drawn in ESTATE:
        rest = read.resource(drawn.name)["facts"]["present"].get("rest_places", [])
        found = [
            (one["prefix"], one["store"], one.get("region_id"), one.get("account_id"))
            for one in rest
            if one["role"] == "replica"
        ]
        there = {**FOREIGN, **OWN}
        assert found == [
            (prefix, bucket, there[bucket], None if bucket in OWN else "unknown")
            for prefix, bucket, _ in drawn.copies
        ], drawn
