"""EC2 as far as a sweep asks it: machines, reserved capacity, volumes, snapshots and images."""

from collections.abc import Callable

from app.sandbox.aws import story_ebs, story_ec2
from app.sandbox.aws.answers import Answerer, Json, Question, page_of
from app.sandbox.aws.held import Held

_MOST = 1000


def _listing(member: str, rows: tuple[Held, ...], shape: Callable[[Json], Json]) -> Answerer:
    """Answers with the rows of the caller's account and region, in pages."""

    def answer(question: Question) -> Json:
        here = [shape(row.document) for row in rows if question.is_at(row.account, row.region)]
        return page_of(question, member, here, most=_MOST)

    return answer


def _as_it_is(row: Json) -> Json:
    return row


def _launch(row: Json) -> Json:
    """A machine as the launch that made it, alone."""
    reservation = row["InstanceId"].replace("i-", "r-")
    return {"ReservationId": reservation, "OwnerId": row["OwnerId"], "Instances": [_bare(row)]}


def _bare(row: Json) -> Json:
    return {name: value for name, value in row.items() if name != "OwnerId"}


def _status(row: Json) -> Json:
    """The state of a capacity block with one reservation."""
    free = {
        "TotalCapacity": row["TotalInstanceCount"],
        "TotalAvailableCapacity": row["AvailableInstanceCount"],
        "TotalUnavailableCapacity": 0,
    }
    reservation = {"CapacityReservationId": row["CapacityReservationId"], **free}
    return {
        "CapacityBlockId": row["CapacityBlockId"],
        **free,
        "CapacityReservationStatuses": [reservation],
    }


def encryption_by_default(question: Question) -> Json:
    """`GetEbsEncryptionByDefault`: on where the training is, off elsewhere."""
    on = question.is_at(*story_ebs.ENCRYPTED_BY_DEFAULT)
    return {"EbsEncryptionByDefault": on, "SseType": "sse-ebs" if on else "none"}


_BLOCKS = tuple(row for row in story_ec2.RESERVATIONS if "CapacityBlockId" in row.document)
ANSWERS: dict[str, Answerer] = {
    "ec2.DescribeInstances": _listing("Reservations", story_ec2.INSTANCES, _launch),
    "ec2.DescribeCapacityReservations": _listing(
        "CapacityReservations", story_ec2.RESERVATIONS, _as_it_is
    ),
    "ec2.DescribeCapacityBlockStatus": _listing("CapacityBlockStatuses", _BLOCKS, _status),
    "ec2.DescribeVolumes": _listing("Volumes", story_ebs.VOLUMES, _as_it_is),
    "ec2.DescribeSnapshots": _listing("Snapshots", story_ebs.SNAPSHOTS, _as_it_is),
    "ec2.DescribeImages": _listing("Images", story_ebs.IMAGES, _as_it_is),
    "ec2.GetEbsEncryptionByDefault": encryption_by_default,
}
