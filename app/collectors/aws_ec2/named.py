"""Rows of EC2's lists that have an id, and what every row can tell."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, TypeVar

from app.collectors.aws_ec2 import mapping
from app.collectors.aws_reading import AwsReading, Row, Rows
from app.domain.collecting import ListingDone, Outcome, ResourceSeen
from app.domain.facts import FactDocument
from app.domain.replies import UNEXPECTED, Reply

T = TypeVar("T")


class Named:
    """The rows of a list that have their id; one without is counted, and the list not whole."""

    def __init__(self, reading: AwsReading, operation: str, rows: Rows, member: str) -> None:
        self._reading, self._operation = reading, operation
        self._rows, self._member = rows, member
        self._odd = False

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            yield from self.checked(row)

    def checked(self, row: object) -> Iterator[Row]:
        """The row, or nothing."""
        if isinstance(row, dict) and isinstance(row.get(self._member), str) and row[self._member]:
            yield row
        else:
            self.note_odd()

    def note_odd(self) -> None:
        """Counts a row that names nothing."""
        self._odd = True
        message = f"a row without its {self._member}"
        self._reading.count(self._operation, Reply(Outcome.FAILED, {}, UNEXPECTED, message))

    @property
    def cut(self) -> str:
        """Why the list is not whole; '' when it is. Known at its end."""
        return self._rows.cut or (UNEXPECTED if self._odd else "")

    def done(self, document: type[FactDocument]) -> ListingDone:
        """How the list ended."""
        return self._reading.listed(document, self.cut)


def told(parse: Callable[[Mapping[str, Any]], T], row: Row) -> T | None:
    """What a parser finds in a row, None where the row is odd."""
    try:
        return parse(row)
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError):
        return None


def seen(  # noqa: PLR0913 - a resource has as many sides
    reading: AwsReading,
    facts: FactDocument,
    row: Row,
    *,
    resource: str,
    created_at: datetime | None,
    name: str = "",
    parent: str = "",
) -> ResourceSeen:
    """One resource, called by the name given, its tag Name, or its id.

    `resource` is the end of its ARN: kind/id.
    """
    tags = told(mapping.tags, row)
    return reading.seen(
        facts,
        native_id=arn(reading, resource),
        name=name or (tags or {}).get("Name") or resource.partition("/")[2],
        created_at=created_at,
        tags=tags,
        parent_native_id=parent,
    )


def arn(reading: AwsReading, resource: str) -> str:
    """The ARN of something in the cell; snapshots and images have no account in theirs.

    (Service authorization reference, Amazon EC2: resource types.)
    """
    account = "" if resource.startswith(("snapshot/", "image/")) else reading.account_id
    return f"arn:{reading.partition}:ec2:{reading.region_id}:{account}:{resource}"
