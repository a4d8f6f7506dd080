"""Roll-ups that pages read instead of counting: rewritten whenever what they count changes."""

from uuid import UUID

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from app.store.base import Base


class ResourceTallyRow(Base):
    """How many resources a connection has, by kind and region ('' when that was not readable).

    `breached`: with a non_compliant verdict that is not waived; `unsure`: with an unknown one;
    `clean`: judged, and neither. A resource may be both breached and unsure.
    """

    __tablename__ = "resource_tally"

    connection_id: Mapped[UUID] = mapped_column(
        ForeignKey("connection.id", ondelete="CASCADE"), primary_key=True
    )
    kind: Mapped[str] = mapped_column(String(50), primary_key=True)
    region_id: Mapped[str] = mapped_column(String(100), primary_key=True)
    provider: Mapped[str] = mapped_column(String(20))
    live: Mapped[int]
    deleted: Mapped[int]
    breached: Mapped[int]
    unsure: Mapped[int]
    clean: Mapped[int]


class PlaceTallyRow(Base):
    """How many live copies rest in a region ('' when unreadable), by role."""

    __tablename__ = "place_tally"

    connection_id: Mapped[UUID] = mapped_column(
        ForeignKey("connection.id", ondelete="CASCADE"), primary_key=True
    )
    region_id: Mapped[str] = mapped_column(String(100), primary_key=True)
    role: Mapped[str] = mapped_column(String(30), primary_key=True)
    zone: Mapped[str] = mapped_column(String(30), primary_key=True)
    copies: Mapped[int]


class VerdictTallyRow(Base):
    """Verdicts of one policy on one connection. `enforced`: they count in the posture."""

    __tablename__ = "verdict_tally"

    connection_id: Mapped[UUID] = mapped_column(
        ForeignKey("connection.id", ondelete="CASCADE"), primary_key=True
    )
    policy_id: Mapped[str] = mapped_column(String(100), primary_key=True)
    pillar: Mapped[str] = mapped_column(String(30))
    enforced: Mapped[bool]
    compliant: Mapped[int] = mapped_column(default=0)
    non_compliant: Mapped[int] = mapped_column(default=0)
    waived: Mapped[int] = mapped_column(default=0)
    unknown: Mapped[int] = mapped_column(default=0)
    not_applicable: Mapped[int] = mapped_column(default=0)


class FindingTallyRow(Base):
    """Findings of one policy on one connection, by tab and severity."""

    __tablename__ = "finding_tally"

    connection_id: Mapped[UUID] = mapped_column(
        ForeignKey("connection.id", ondelete="CASCADE"), primary_key=True
    )
    policy_id: Mapped[str] = mapped_column(String(100), primary_key=True)
    tab: Mapped[str] = mapped_column(String(20), primary_key=True)
    severity: Mapped[str] = mapped_column(String(20), primary_key=True)
    pillar: Mapped[str] = mapped_column(String(30), primary_key=True)
    findings: Mapped[int]
