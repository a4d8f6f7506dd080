"""Amazon EKS clusters: their support, node groups and add-ons, and who reaches them."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_eks.operations import OPERATIONS
from app.collectors.aws_eks.sweep import Sweep
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach
from app.domain.eks import EksClusterFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """The clusters of one region; see `Sweep`."""
    with open_clients(connection) as clients:
        yield from Sweep(AwsReading(connection, clients, OPERATIONS)).observations()


COLLECTOR = Collector(
    id="aws_eks",
    title="Amazon EKS clusters",
    provider=Provider.AWS,
    kinds=(EksClusterFacts,),
    every=timedelta(hours=6),
    grace=timedelta(hours=24),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.REGION,
)
