"""The collector against a real moto server: what moto answers itself, no answer of ours."""

from app.domain.collecting import Cell
from app.domain.facts import ABSENT, Present
from tests.collectors.aws_s3_access.conftest import Sweep
from tests.support.aws_fixtures import MakeConnection
from tests.support.aws_shapes import fixture
from tests.support.aws_wire import ACCOUNT, AwsWire

REGION = "us-west-2"


def test_an_access_point_is_read_with_its_network(
    aws: AwsWire, connection: MakeConnection, sweep: Sweep
) -> None:
    aws.bucket("corpus")
    aws.access_point("door", "corpus", vpc="vpc-1")
    # moto knows no directory buckets and takes the question for another one
    aws.faults = [fixture("s3", "ListDirectoryBuckets", {})]
    swept = sweep(connection(cell=Cell(region_id=REGION)))
    door = swept.point("door")
    assert (door.network_origin, door.vpc_id) == (Present("VPC"), Present("vpc-1"))
    assert door.bucket_name == Present("corpus")
    assert door.policy_is_public == ABSENT
    assert swept.seen["door"].native_id == f"arn:aws:s3:{REGION}:{ACCOUNT}:accesspoint/door"
    assert swept.listings == {
        "s3_access_point": "",
        "s3_directory_bucket": "",
        "s3_storage_lens_configuration": "",
    }
