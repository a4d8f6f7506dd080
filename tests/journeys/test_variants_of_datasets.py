"""F01, F03 and F12 for one dataset's prefix, with drawn values and small oracles of their own."""

from random import Random
from typing import Any

from app.collectors.aws_s3.mapping import Place, replication
from app.collectors.aws_s3_words import lifecycle_rules
from app.collectors.azure_blob.lifecycle import lifecycle_rules as azure_rules
from app.domain.collecting import Provider
from app.domain.compliance import Verdict
from app.domain.facts import Present
from app.domain.storage_judgement import leaves_hot
from app.domain.storage_lifecycle import Circumstances
from app.domain.storage_places import external_accounts, places_for, regions_verdict, rest_places

SEEDS = range(300)
PATHS = ("", "d", "data", "data/", "data/corpus-a", "data/corpus-a/", "data/corpus-a/raw-", "logs/")
OURS, THEIRS = "111111111111", "222222222222"


def said(good: bool) -> Verdict:
    return Verdict.COMPLIANT if good else Verdict.NON_COMPLIANT


def test_a_bucket_rule_counts_only_if_on_above_the_data_and_on_current_objects() -> None:
    assert [wrong for seed in SEEDS if (wrong := of_bucket(seed))] == []


def of_bucket(seed: int) -> str:
    """Draws a bucket; what is wrong with the product's verdict, '' when nothing is."""
    dice = Random(seed)
    dataset = dice.choice([path for path in PATHS if path.endswith("/")])
    limit = dice.choice([0, 1, 30, 365])
    rules, good = [], False
    for _ in range(dice.randint(1, 3)):
        on, prefix, legacy = dice.random() < 0.7, dice.choice(PATHS), dice.random() < 0.3
        days, action = dice.choice([1, 30, 31, 365, 366]), dice.randrange(4)
        tier = dice.choice(["GLACIER", "ONEZONE_IA"])
        actions: tuple[dict[str, Any], ...] = (
            {"Transitions": [{"Days": days, "StorageClass": tier}]},
            {"Expiration": {"Days": days}},
            {"NoncurrentVersionExpiration": {"NoncurrentDays": days}},
            {"AbortIncompleteMultipartUpload": {"DaysAfterInitiation": days}},
        )
        scope = {"Prefix": prefix} if legacy else {"Filter": {"Prefix": prefix} if prefix else {}}
        status = "Enabled" if on else "Disabled"
        rules.append({"ID": "r", "Status": status, **scope, **actions[action]})
        good = good or (on and dataset.startswith(prefix) and action < 2 and days <= limit)
    found = leaves_hot(Present(lifecycle_rules({"Rules": rules})), dataset, limit)
    return "" if found is said(good) else f"{seed}: {found} of {rules} for {dataset}"


def test_an_account_rule_counts_only_with_its_container_letter_case_and_tracking() -> None:
    assert [wrong for seed in SEEDS if (wrong := of_account(seed))] == []


def of_account(seed: int) -> str:
    """The same for a storage account."""
    dice = Random(seed)
    container = dice.choice(["images", "training"])
    dataset = f"{container}/{dice.choice(['', 'raw/', 'Raw/'])}"
    starts = ["raw/", "images", "images-prod", "training/", "training/raw/", "Training/", "im"]
    tracked, on = dice.random() < 0.5, dice.random() < 0.8
    basis = dice.choice(["Modification", "LastAccessTime"])
    days, limit = dice.choice([10, 30, 31]), 30
    prefixes = dice.sample(starts, dice.randint(0, 2))
    scope = {"blobTypes": ["blockBlob"], "prefixMatch": prefixes or None}
    action = {"baseBlob": {"tierToCool": {f"daysAfter{basis}GreaterThan": days}}}
    rule = {"name": "r", "enabled": on, "definition": {"actions": action, "filters": scope}}
    reaches = not prefixes or any(dataset.startswith(start) for start in prefixes)
    good = on and days <= limit and reaches and (tracked or basis != "LastAccessTime")
    at = Circumstances(Provider.AZURE, last_access=Present(tracked))
    found = leaves_hot(Present(azure_rules({"rules": [rule]})), dataset, limit, at)
    return "" if found is said(good) else f"{seed}: {found} of {rule} for {dataset}"


def test_a_copy_counts_for_a_dataset_that_its_prefix_touches() -> None:
    assert [wrong for seed in SEEDS if (wrong := of_copies(seed))] == []


def of_copies(seed: int) -> str:
    """The same for the copies of a bucket."""
    dice = Random(seed)
    dataset, home = dice.choice(["data/", "data/corpus-a/", "logs/"]), "eu-west-1"
    allowed = {"eu-west-1", *dice.sample(["eu-central-1", "us-east-1"], dice.randint(0, 2))}
    rules, places, foreign = [], dict[str, Place](), set[str]()
    touched: list[str | None] = [home]
    for number in range(dice.randint(1, 4)):
        prefix, region = dice.choice(PATHS), dice.choice(["eu-central-1", "us-east-1", None])
        account = dice.choice([OURS, THEIRS])
        bucket = f"arn:aws:s3:::to-{number}"
        status = dice.choice(["Enabled", "Disabled"])
        destination = {"Bucket": bucket, "Account": account}
        scope = {"Filter": {"Prefix": prefix}}
        rules.append({"ID": str(number), "Status": status, **scope, "Destination": destination})
        places[bucket] = Place(region, "" if region else "AccessDenied", ours=account == OURS)
        if dataset.startswith(prefix) or prefix.startswith(dataset):
            touched.append(region)
            foreign |= {account} - {OURS}
    answer = {"ReplicationConfiguration": {"Role": "r", "Rules": rules}}
    read = replication(answer, places, OURS)["replication_rules"]
    found = rest_places(Provider.AWS, Present(home), (), Present(read))
    assert isinstance(found, Present)
    copies = places_for(found.value, dataset)
    right = Verdict.UNKNOWN if None in touched else Verdict.COMPLIANT
    if any(region and region not in allowed for region in touched):
        right = Verdict.NON_COMPLIANT
    verdict, accounts = (
        regions_verdict(Present(copies), allowed),
        set(external_accounts(copies, OURS)),
    )
    good = verdict is right and accounts == foreign
    return "" if good else f"{seed}: {verdict}, {accounts} of {rules} for {dataset}"
