"""Which samples are of which resource: by the kind of thing that is measured, and its id."""

from collections.abc import Mapping
from types import MappingProxyType

from app.domain.ec2_machines import Ec2InstanceFacts
from app.domain.fsx import FsxFileSystemFacts
from app.domain.hyperpod import HyperpodNodeFacts
from app.domain.samples import BUCKET, FILE_SYSTEM, INSTANCE
from app.domain.storage import S3BucketFacts

# By kind of resource, the kind of thing under which sources file its samples; other kinds have
# none. A host and a training job are no resources: their samples stand alone.
SUBJECT_KINDS: Mapping[str, str] = MappingProxyType(
    {
        Ec2InstanceFacts.KIND: INSTANCE,
        HyperpodNodeFacts.KIND: INSTANCE,
        FsxFileSystemFacts.KIND: FILE_SYSTEM,
        S3BucketFacts.KIND: BUCKET,
    }
)


def subject_ids(native_id: str) -> tuple[str, ...]:
    """The ids that samples of a resource may be filed under: its own, and the last part of it."""
    short = native_id.rpartition("/")[2]
    return (native_id, short) if short and short != native_id else (native_id,)
