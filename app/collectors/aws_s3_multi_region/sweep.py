"""One sweep over the multi-region access points of an account."""

from collections.abc import Iterator
from dataclasses import replace

from app.clouds.parallel import stream
from app.collectors.aws_reading import AwsReading, Facts, Row
from app.collectors.aws_s3_multi_region import mapping
from app.collectors.aws_s3_multi_region.operations import (
    ACCOUNT_BLOCK,
    LIST,
    PARTITION,
    POINTS,
    POLICY_STATUS,
    REGION,
)
from app.collectors.aws_s3_words import account_public_access_block, moment
from app.domain.access_points import S3MultiRegionAccessPointFacts
from app.domain.collecting import Observation, Outcome, ResourceSeen
from app.domain.replies import UNEXPECTED, Reply

KIND = S3MultiRegionAccessPointFacts
NOT_OFFERED = "NotOffered"


class Sweep:
    """Reads one account once. Worker threads ask for policies; the reading thread yields."""

    def __init__(self, reading: AwsReading) -> None:
        self._reading = reading
        self._account = {"AccountId": reading.account_id}
        self._blocked: Facts = {}

    def observations(self) -> Iterator[Observation]:
        """Access points as they are read, then whether the list was whole, then the coverage."""
        if self._reading.partition == PARTITION:
            yield from self._points()
        else:
            why = f"{self._reading.partition} has no multi-region access points"
            self._reading.count(LIST, Reply(Outcome.SKIPPED, {}, NOT_OFFERED, why))
            yield self._reading.listed(KIND, "")
        yield from self._reading.reports()

    def _points(self) -> Iterator[Observation]:
        rows = self._reading.rows(POINTS, **self._account)
        found = list(rows)
        named = [row for row in found if isinstance(row.get("Name"), str)]
        if named:
            self._blocked = self._reading.learn(
                KIND, ACCOUNT_BLOCK, account_public_access_block, **self._account
            )
        yield from stream(self._point, named, threads=self._reading.threads)
        yield self._reading.listed(KIND, rows.cut or ("" if named == found else UNEXPECTED))

    def _point(self, row: Row) -> ResourceSeen:
        reading, name = self._reading, row["Name"]
        reply = reading.ask(POLICY_STATUS, REGION, **self._account, Name=name)
        facts = {
            **self._blocked,
            **reading.stated(KIND, LIST, row, mapping.listed),
            **reading.understood(KIND, POLICY_STATUS, reply, mapping.policy_status),
        }
        account = f"arn:{PARTITION}:s3::{reading.account_id}:accesspoint"
        seen = reading.seen(
            KIND(**facts),
            native_id=f"{account}/{name}",
            name=name,
            created_at=moment(row.get("CreatedAt")),
            reused_name=True,
        )
        # Its ARN is made of the alias; a point that is being made may still lack it.
        arn = f"{account}/{row.get('Alias') or name}"
        return replace(seen, native_id=arn, region_id=None)
