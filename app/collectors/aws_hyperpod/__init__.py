"""SageMaker HyperPod: clusters, the machines in them, and the training plans they may run on."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from app.clouds.aws import open_clients
from app.collectors.aws_hyperpod.operations import OPERATIONS
from app.collectors.aws_hyperpod.sweep import Sweep
from app.collectors.aws_reading import AwsReading
from app.domain.collecting import Collector, Connection, Observation, Provider, Reach
from app.domain.hyperpod import HyperpodClusterFacts, HyperpodNodeFacts
from app.domain.training_plan import TrainingPlanFacts


def collect(connection: Connection, _now: datetime) -> Iterator[Observation]:
    """Clusters, nodes and training plans of one account in one region; see `Sweep`."""
    with open_clients(connection) as clients:
        yield from Sweep(AwsReading(connection, clients, OPERATIONS)).observations()


COLLECTOR = Collector(
    id="aws_hyperpod",
    title="Amazon SageMaker HyperPod",
    provider=Provider.AWS,
    kinds=(HyperpodClusterFacts, HyperpodNodeFacts, TrainingPlanFacts),
    every=timedelta(hours=1),
    grace=timedelta(hours=4),
    operations=OPERATIONS,
    collect=collect,
    reach=Reach.REGION,
)
