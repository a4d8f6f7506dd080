"""Metric samples: series are kept once, their samples as small rows (decision on samples)."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import Float, ForeignKey, Index, PrimaryKeyConstraint, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.base import Base
from app.store.columns import EpochSeconds, Json


class MetricSeriesRow(Base):
    """What was measured: `app.domain.samples.Series` of one connection.

    `digest` is over its identity, which is too long for an index. `subject_id` is the native id
    of a resource, or the last part of one (`app/domain/measured.py`).
    """

    __tablename__ = "metric_series"
    __table_args__ = (
        Index("uq_metric_series_digest", "connection_id", "digest", unique=True),
        Index("ix_metric_series_subject", "connection_id", "subject_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    connection_id: Mapped[UUID] = mapped_column(ForeignKey("connection.id", ondelete="CASCADE"))
    digest: Mapped[str] = mapped_column(String(64))
    sub_account_id: Mapped[str] = mapped_column(String(200))
    region_id: Mapped[str] = mapped_column(String(100))
    subject_kind: Mapped[str] = mapped_column(String(50))
    subject_id: Mapped[str] = mapped_column(String(1000))
    metric: Mapped[str] = mapped_column(String(100))
    unit: Mapped[str] = mapped_column(String(20))
    source: Mapped[str] = mapped_column(String(300))
    statistic: Mapped[str] = mapped_column(String(20))
    period_seconds: Mapped[int]
    dimension: Mapped[str] = mapped_column(String(200))
    labels: Mapped[dict[str, str]] = mapped_column(Json)


class MetricSampleRow(Base):
    """One value. The columns stand so that Postgres pads none of them; SQLite keeps no second
    copy of the key.
    """

    __tablename__ = "metric_sample"
    __table_args__ = (PrimaryKeyConstraint("series_id", "at"), {"sqlite_with_rowid": False})

    at: Mapped[datetime] = mapped_column(EpochSeconds)
    value: Mapped[float] = mapped_column(Float(53))
    series_id: Mapped[int] = mapped_column(ForeignKey("metric_series.id", ondelete="CASCADE"))
    sample_count: Mapped[int | None]
