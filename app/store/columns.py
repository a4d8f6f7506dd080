"""Column types that mean the same on SQLite and Postgres."""

from datetime import UTC as UTC_ZONE
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, DateTime, Dialect, Integer
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP
from sqlalchemy.sql.operators import OperatorType
from sqlalchemy.types import TypeDecorator, TypeEngine
from typing_extensions import override

EPOCH = datetime(1970, 1, 1, tzinfo=UTC_ZONE)
# SQLite counts up only in a column declared INTEGER.
BigId = BigInteger().with_variant(Integer, "sqlite")
# None is SQL NULL, not the JSON word null.
Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class UTC(TypeDecorator[datetime]):
    """Aware datetimes only: timestamptz on Postgres, sortable text on SQLite."""

    impl = DateTime
    cache_ok = True

    @property
    @override
    def python_type(self) -> type[datetime]:
        """What `keyset` reads back from a page key; a decorator says `object` by itself."""
        return datetime

    @override
    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """timestamptz where there is one."""
        kind = TIMESTAMP(timezone=True) if dialect.name == "postgresql" else DateTime()
        return dialect.type_descriptor(kind)

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuses naive datetimes; stores UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("naive datetime")
        value = value.astimezone(UTC_ZONE)
        return value if dialect.name == "postgresql" else value.replace(tzinfo=None)

    @override
    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Gives the zone back."""
        del dialect
        if value is None:
            return None
        return (
            value.replace(tzinfo=UTC_ZONE) if value.tzinfo is None else value.astimezone(UTC_ZONE)
        )

    @override
    def coerce_compared_value(self, op: OperatorType | None, value: object) -> TypeEngine[Any]:
        """Refuses interval arithmetic: it compiles, and is silently wrong on SQLite."""
        del op
        if isinstance(value, timedelta):
            raise TypeError("no interval arithmetic in SQL: compute the cut-off in Python")
        return self


class EpochSeconds(TypeDecorator[datetime]):
    """Aware datetimes of whole seconds as BIGINT since 1970: 8 bytes at most on both dialects."""

    impl = BigInteger
    cache_ok = True

    @property
    @override
    def python_type(self) -> type[datetime]:
        """What `keyset` reads back from a page key."""
        return datetime

    @override
    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Refuses naive datetimes and parts of a second."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None or value.microsecond:
            raise ValueError("not an aware datetime of whole seconds")
        return int(value.timestamp())

    @override
    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Back in UTC."""
        del dialect
        return None if value is None else datetime.fromtimestamp(value, UTC_ZONE)


class Money(TypeDecorator[Decimal]):
    """Exact money as BIGINT millionths; `sum()` stays exact, divide sum by count for a mean."""

    impl = BigInteger
    cache_ok = True
    SCALE: ClassVar[int] = 1_000_000

    @override
    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        """Refuses floats and more than six decimals."""
        del dialect
        if value is None:
            return None
        if isinstance(value, float):  # type: ignore[unreachable]
            raise TypeError("money is Decimal, never float")
        units = Decimal(value) * self.SCALE
        if units != units.to_integral_value():
            raise ValueError(f"{value} has more than six decimals")
        return int(units)

    @override
    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        """Back to units of the currency."""
        del dialect
        return None if value is None else Decimal(value) / self.SCALE
