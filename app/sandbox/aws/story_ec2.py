"""The machines and the reserved capacity of the story."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

from app.kit.clock import utc_now
from app.sandbox.aws.answers import Json
from app.sandbox.aws.held import Held, an_id, in_fra, in_pdx, tag_list
from app.sandbox.story import (
    AWS_RESEARCH,
    AWS_TRAINING,
    CHECKPOINTS,
    CT_THORAX,
    AwsAccount,
    created_at,
)

# Capacity blocks begin and end at half past eleven; those of the story run while it is played.
_BLOCK_DAY = datetime.combine(utc_now().date(), time(11, 30), UTC)
_OPTIONS = {"State": "applied", "HttpEndpoint": "enabled", "HttpPutResponseHopLimit": 2}


def _instance(  # noqa: PLR0913 - a machine has as many sides
    account: AwsAccount,
    name: str,
    kind: str,
    tags: dict[str, str],
    *,
    zone: str,
    efa: int = 0,
    tokens: str = "required",
    state: tuple[int, str] = (16, "running"),
    since: datetime | None = None,
    **more: Any,  # noqa: ANN401 - members of DescribeInstances
) -> Json:
    since = since or created_at(name)
    card = {"AttachTime": since, "DeviceIndex": 0, "NetworkCardIndex": 0, "Status": "attached"}
    plain = [{"InterfaceType": "interface", "Attachment": card}]
    fast = [
        {
            "InterfaceType": "efa",
            "Attachment": {**card, "DeviceIndex": min(number, 1), "NetworkCardIndex": number},
        }
        for number in range(efa)
    ]
    return {
        "OwnerId": account.account_id,
        "InstanceId": an_id("i", name),
        "InstanceType": kind,
        "ImageId": an_id("ami", "atlas-train"),
        "State": {"Code": state[0], "Name": state[1]},
        "LaunchTime": since,
        "Placement": {"AvailabilityZone": zone, "Tenancy": "default"},
        "MetadataOptions": {**_OPTIONS, "HttpTokens": tokens},
        "NetworkInterfaces": fast or plain,
        "Tags": tag_list(name, tags),
        **more,
    }


def _profile(account: AwsAccount, name: str) -> Json:
    arn = f"arn:aws:iam::{account.account_id}:instance-profile/{name}"
    return {"Arn": arn, "Id": "AIPACIERZO0000000001"}


def _cnq(number: int) -> Held:
    name = f"cnq-spoke-pdx-{number}"
    tags = {"qumulo:deployment": "cnq-spoke-pdx", "owner": "storage"}
    document = _instance(AWS_TRAINING, name, "i4i.4xlarge", tags, zone="us-west-2b")
    return in_pdx(
        name,
        f"machine {number} of 4 of the Qumulo spoke: no accelerators, kept by its tag",
        document,
    )


def _worker(number: int) -> Held:
    name = f"hyperpod-eks-workers-{number}"
    tags = {"aws:eks:cluster-name": "hyperpod-eks", "eks:nodegroup-name": "workers"}
    used = an_id("cr", "odcr-p5-workers")
    document = _instance(
        AWS_TRAINING,
        name,
        "p5.4xlarge",
        tags,
        zone="us-west-2a",
        efa=1,
        CapacityReservationId=used,
    )
    return in_pdx(
        name, f"machine {number} of 2 of an EKS node group, in the reservation for it", document
    )


INSTANCES: tuple[Held, ...] = (
    in_fra(
        "forgotten-notebook",
        "four A10G outside of any cluster, with a public address and the old metadata service",
        _instance(
            AWS_RESEARCH,
            "forgotten-notebook",
            "g5.12xlarge",
            {"owner": "radiology"},
            zone="eu-central-1a",
            tokens="optional",
            PublicIpAddress="203.0.113.41",
            IamInstanceProfile=_profile(AWS_RESEARCH, "notebook"),
        ),
    ),
    in_fra(
        "labelling-gpu",
        "an eighth of an L4, stopped for months: its volumes are still paid for",
        _instance(
            AWS_RESEARCH,
            "labelling-gpu",
            "g6f.large",
            CT_THORAX.tags(),
            zone="eu-central-1b",
            state=(80, "stopped"),
            StateTransitionReason="User initiated (2026-06-30 17:03:11 GMT)",
        ),
    ),
    in_fra(
        "bastion-fra",
        "a small machine without accelerators outside of clusters: not kept",
        _instance(AWS_RESEARCH, "bastion-fra", "t3.small", {}, zone="eu-central-1a"),
    ),
    in_pdx(
        "pcluster-pdx-spot-1",
        "Spot machine of a Slurm cluster with four fast interfaces",
        _instance(
            AWS_TRAINING,
            "pcluster-pdx-spot-1",
            "p4d.24xlarge",
            {"parallelcluster:cluster-name": "pcluster-pdx"},
            zone="us-west-2c",
            efa=4,
            InstanceLifecycle="spot",
        ),
    ),
    in_pdx(
        "pcs-trainium-1",
        "sixteen Trainium2 of a capacity block, in a cluster of AWS PCS",
        _instance(
            AWS_TRAINING,
            "pcs-trainium-1",
            "trn2.48xlarge",
            {"aws:pcs:cluster-id": "pcs_cierzo0001", **CHECKPOINTS.tags()},
            zone="us-west-2b",
            efa=16,
            since=_BLOCK_DAY - timedelta(days=6),
            InstanceLifecycle="capacity-block",
            CapacityReservationId=an_id("cr", "block-trainium"),
        ),
    ),
    *map(_worker, (1, 2)),
    *map(_cnq, (1, 2, 3, 4)),
)


def _reserved(name: str, kind: str, total: int, available: int, **more: Any) -> Json:  # noqa: ANN401 - members of DescribeCapacityReservations
    return {
        "CapacityReservationId": an_id("cr", name),
        "OwnerId": AWS_TRAINING.account_id,
        "InstanceType": kind,
        "InstancePlatform": "Linux/UNIX",
        "AvailabilityZone": "us-west-2b",
        "Tenancy": "default",
        "TotalInstanceCount": total,
        "AvailableInstanceCount": available,
        "State": "active",
        "StartDate": created_at(name),
        "CreateDate": created_at(name),
        "EndDateType": "unlimited",
        "InstanceMatchCriteria": "targeted",
        "ReservationType": "default",
        "Tags": tag_list(name, {}),
        **more,
    }


def _block(name: str, kind: str, total: int, available: int, days: int, **more: Any) -> Json:  # noqa: ANN401 - members of DescribeCapacityReservations
    """Four weeks that began `days` ago; a negative number begins in the future."""
    begin = _BLOCK_DAY - timedelta(days=days)
    dates = {
        "CreateDate": begin - timedelta(days=10),
        "StartDate": begin,
        "EndDate": begin + timedelta(days=28),
        "EndDateType": "limited",
    }
    block = {"ReservationType": "capacity-block", "CapacityBlockId": an_id("cb", name)}
    return _reserved(name, kind, total, available, **{**dates, **block, **more})


RESERVATIONS: tuple[Held, ...] = (
    in_pdx(
        "block-trainium",
        "capacity block in use",
        _block("block-trainium", "trn2.48xlarge", 1, 0, days=7),
    ),
    in_pdx(
        "block-h200",
        "capacity block, paid and idle: sixteen H200",
        _block("block-h200", "p5en.48xlarge", 2, 2, days=5),
    ),
    in_pdx(
        "block-b200",
        "capacity block of next week whose payment is still pending",
        _block("block-b200", "p6-b200.48xlarge", 1, 0, days=-7, State="payment-pending"),
    ),
    in_pdx(
        "odcr-p5-workers",
        "reservation without an end, half of it used",
        _reserved("odcr-p5-workers", "p5.4xlarge", 4, 2, AvailabilityZone="us-west-2a"),
    ),
)
HELD: tuple[Held, ...] = (*INSTANCES, *RESERVATIONS)
