"""Who may read an S3 bucket without signing in: two levels of switches, a policy, access lists.

Each switch counts where it is on for the bucket or for the whole account: S3 applies the strictest
combination (Amazon S3 user guide: Blocking public access to your Amazon S3 storage).
"""

from app.domain.fact_sums import first_unreadable
from app.domain.facts import Fact, Present, Unreadable
from app.domain.storage import S3BucketFacts

BLOCK_SWITCHES = (
    "BlockPublicAcls",
    "BlockPublicPolicy",
    "IgnorePublicAcls",
    "RestrictPublicBuckets",
)


def anonymous_access_blocked(bucket: S3BucketFacts) -> Fact[bool]:
    """All four switches are on."""
    switches = [_is_on(bucket, name) for name in BLOCK_SWITCHES]
    if Present(False) in switches:
        return Present(False)
    return first_unreadable(*switches) or Present(True)


def publicly_readable(bucket: S3BucketFacts) -> Fact[bool]:
    """A policy lets everybody in, or an access list might: those of objects are not read."""
    doors = (_by_policy(bucket), _by_access_list(bucket))
    if Present(True) in doors:
        return Present(True)
    return first_unreadable(*doors) or Present(False)


def _is_on(bucket: S3BucketFacts, switch: str) -> Fact[bool]:
    levels = (bucket.public_access_block, bucket.account_public_access_block)
    if any(isinstance(level, Present) and switch in level.value for level in levels):
        return Present(True)
    return first_unreadable(*levels) or Present(False)


def _by_policy(bucket: S3BucketFacts) -> Fact[bool]:
    restricted = _is_on(bucket, "RestrictPublicBuckets")
    if restricted == Present(True):
        return Present(False)
    if bucket.policy_is_public == Present(True):
        return first_unreadable(restricted) or Present(True)
    return first_unreadable(bucket.policy_is_public) or Present(False)


def _by_access_list(bucket: S3BucketFacts) -> Fact[bool]:
    ignored = _is_on(bucket, "IgnorePublicAcls")
    if ignored == Present(True):
        return Present(False)
    return first_unreadable(ignored) or Unreadable("AclNotRead")
