"""Reads volumes, images and snapshots; of those read before, only ids are kept."""

from collections.abc import Iterator

from app.collectors.aws_ec2 import volumes
from app.collectors.aws_ec2.mapping import moment
from app.collectors.aws_ec2.named import Named, arn, seen, told
from app.collectors.aws_ec2.operations import ENCRYPTION, IMAGES, SNAPSHOTS, VOLUMES
from app.collectors.aws_reading import AwsReading, Facts, Listing, Row
from app.domain.collecting import Observation, ResourceSeen
from app.domain.ebs import EbsSnapshotFacts, EbsVolumeFacts, Ec2ImageFacts
from app.domain.fact_sums import reported
from app.domain.facts import Fact, Present, Unreadable

_MOST = 1000  # rows of a page (EC2 API: MaxResults)
_VOLUMES = Listing(
    VOLUMES, "Volumes", params={"MaxResults": _MOST, "IncludeManagedResources": True}
)
# A disabled image cannot be launched, but its snapshots are still its own.
_IMAGES = Listing(
    IMAGES,
    "Images",
    params={
        "Owners": ["self"],
        "IncludeDeprecated": True,
        "IncludeDisabled": True,
        "MaxResults": _MOST,
    },
)
# Without an owner, every public snapshot of AWS is listed.
_SNAPSHOTS = Listing(SNAPSHOTS, "Snapshots", params={"OwnerIds": ["self"], "MaxResults": _MOST})


class Storage:
    """Volumes, images and snapshots of one cell, in the order that tells orphans."""

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading
        self._volumes: set[str] = set()
        self._users: dict[str, tuple[str, ...]] = {}  # images by the snapshots they need
        self._volumes_cut = self._images_cut = ""

    def observations(self) -> Iterator[Observation]:
        """Volumes first: a snapshot is an orphan only by whole lists of volumes and images."""
        yield from self._all_volumes()
        yield from self._all_images()
        yield from self._all_snapshots()

    def _all_volumes(self) -> Iterator[Observation]:
        rows = Named(self._reading, VOLUMES, self._reading.rows(_VOLUMES), "VolumeId")
        default: Facts | None = None
        for row in rows:
            self._volumes.add(row["VolumeId"])
            default = default or self._encryption_by_default()
            yield self._volume(row, default)
        self._volumes_cut = rows.cut
        yield rows.done(EbsVolumeFacts)

    def _encryption_by_default(self) -> Facts:
        """Asked once, and only where there are volumes."""
        return self._reading.learn(EbsVolumeFacts, ENCRYPTION, volumes.encryption_by_default)

    def _volume(self, row: Row, default: Facts) -> ResourceSeen:
        facts = self._reading.stated(EbsVolumeFacts, VOLUMES, row, volumes.volume)
        attached: Fact[tuple[str, ...]] = facts["attached_to"]
        machines = attached.value if isinstance(attached, Present) else ()
        one = machines[0] if len(machines) == 1 and machines[0].startswith("i-") else ""
        return seen(
            self._reading,
            EbsVolumeFacts(**facts, **default),
            row,
            resource=f"volume/{row['VolumeId']}",
            created_at=told(lambda found: moment(found.get("CreateTime")), row),
            parent=arn(self._reading, f"instance/{one}") if one else "",
        )

    def _all_images(self) -> Iterator[Observation]:
        rows = Named(self._reading, IMAGES, self._reading.rows(_IMAGES), "ImageId")
        odd = ""
        for row in rows:
            facts = self._reading.stated(Ec2ImageFacts, IMAGES, row, volumes.image)
            facts |= {"size_bytes": reported(facts["size_bytes"])}
            used = facts["snapshot_ids"]
            odd = used.code if isinstance(used, Unreadable) else odd
            for snapshot_id in used.value if isinstance(used, Present) else ():
                users = self._users.get(snapshot_id, ())
                self._users[snapshot_id] = (*users, row["ImageId"])
            yield self._image(row, Ec2ImageFacts(**facts))
        self._images_cut = rows.cut or odd
        yield rows.done(Ec2ImageFacts)

    def _image(self, row: Row, facts: Ec2ImageFacts) -> ResourceSeen:
        name = row.get("Name")
        return seen(
            self._reading,
            facts,
            row,
            name=name if isinstance(name, str) else "",
            resource=f"image/{row['ImageId']}",
            created_at=told(lambda found: moment(found.get("CreationDate")), row),
        )

    def _all_snapshots(self) -> Iterator[Observation]:
        rows = Named(self._reading, SNAPSHOTS, self._reading.rows(_SNAPSHOTS), "SnapshotId")
        for row in rows:
            facts = self._reading.stated(EbsSnapshotFacts, SNAPSHOTS, row, volumes.snapshot)
            yield seen(
                self._reading,
                EbsSnapshotFacts(
                    **facts,
                    volume_exists=self._exists(facts["volume_id"]),
                    used_by_images=self._used_by(row["SnapshotId"]),
                ),
                row,
                resource=f"snapshot/{row['SnapshotId']}",
                created_at=told(lambda found: moment(found.get("StartTime")), row),
            )
        yield rows.done(EbsSnapshotFacts)

    def _exists(self, volume_id: Fact[str]) -> Fact[bool]:
        if not isinstance(volume_id, Present):
            return volume_id
        if volume_id.value in self._volumes:
            return Present(True)
        return Unreadable(self._volumes_cut) if self._volumes_cut else Present(False)

    def _used_by(self, snapshot_id: str) -> Fact[tuple[str, ...]]:
        users = self._users.get(snapshot_id, ())
        if self._images_cut and not users:
            return Unreadable(self._images_cut)
        return Present(users)
