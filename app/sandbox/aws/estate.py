"""All buckets of the company's accounts: the scripted ones, then as many invented as asked."""

from collections.abc import Iterator, Sequence

from app.sandbox.aws import fill, story_cases, story_datasets
from app.sandbox.aws.model import Bucket

SCRIPTED: tuple[Bucket, ...] = (*story_datasets.BUCKETS, *story_cases.BUCKETS)


class AwsEstate:
    """Buckets by name and by account; holds nothing per invented bucket.

    `buckets` is how many there are in all; never fewer than the scripted ones.
    """

    def __init__(self, buckets: int = 0, scripted: Sequence[Bucket] = SCRIPTED) -> None:
        self.scripted = tuple(scripted)
        self.invented = max(0, buckets - len(self.scripted))
        self._named = {bucket.name: bucket for bucket in self.scripted}

    @property
    def size(self) -> int:
        """How many buckets there are in all."""
        return len(self.scripted) + self.invented

    def scripted_named(self, name: str) -> Bucket | None:
        """The scripted bucket of that name."""
        return self._named.get(name)

    def invented_named(self, name: str) -> Bucket | None:
        """The invented bucket of that name."""
        number = fill.number_of(name)
        return fill.bucket(number) if number is not None and number < self.invented else None

    def invented_of(self, account_id: str, after: str = "") -> Iterator[Bucket]:
        """The invented buckets of one account in name order, from behind a name on."""
        ids = [account.account_id for account in fill.ACCOUNTS]
        number = fill.number_of(after)
        if account_id in ids and (number is not None or after < fill.PREFIX):
            first = ids.index(account_id)
            start = first if number is None else number + 1
            start += (first - start) % len(ids)
            yield from map(fill.bucket, range(start, self.invented, len(ids)))
