"""SageMaker training plans: machines of a type that are paid for in advance, for a time."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from app.domain.facts import Fact, FactDocument, fact
from app.domain.machine_types import MachineType

_PLANS = "sagemaker:ListTrainingPlans"
_PLAN = "sagemaker:DescribeTrainingPlan"
_TYPES = "ec2:DescribeInstanceTypes"


@dataclass(frozen=True, slots=True)
class ReservedCapacity:
    """A block of like machines within a plan; between two blocks may be a gap.

    `kind`: Instance or UltraServer, '' when not told.
    """

    kind: str
    machine_type: str
    machine_count: int | None
    status: str
    availability_zone: str
    starts_at: datetime | None
    ends_at: datetime | None


@dataclass(frozen=True, slots=True)
class TrainingPlanFacts(FactDocument):
    """A SageMaker training plan. It costs the same whether its machines work or not."""

    KIND: ClassVar[str] = "sagemaker_training_plan"
    AREA: ClassVar[str] = "capacity"

    plan_status: Fact[str] = fact("Pending, Scheduled, Active, Expired or Failed.", _PLANS)
    plan_status_message: Fact[str] = fact("What AWS adds to the status.", _PLANS)
    starts_at: Fact[datetime] = fact("When its machines can be used.", _PLANS)
    ends_at: Fact[datetime] = fact("When it is over, unless it is extended.", _PLANS)
    upfront_fee: Fact[str] = fact("What was paid for all of it, a decimal number.", _PLANS)
    currency: Fact[str] = fact("Currency of the fee (ISO 4217).", _PLANS)
    total_machine_count: Fact[int] = fact("Machines it reserves.", _PLANS)
    available_machine_count: Fact[int] = fact("Of these, nobody uses.", _PLANS)
    in_use_machine_count: Fact[int] = fact("Of these, are at work.", _PLANS)
    unhealthy_machine_count: Fact[int] = fact("Of these, are broken.", _PLAN)
    spare_machine_count: Fact[int] = fact("Spare machines that are free.", _PLAN)
    ultra_server_count: Fact[int] = fact("UltraServers it reserves.", _PLANS)
    target_resources: Fact[tuple[str, ...]] = fact(
        "What alone may use it: training-job, hyperpod-cluster and such.", _PLANS
    )
    reserved_capacities: Fact[tuple[ReservedCapacity, ...]] = fact(
        "The machines it reserves, block by block.", _PLANS
    )
    machine_type_details: Fact[tuple[MachineType, ...]] = fact(
        "What its types of machines hold, as far as EC2 or our own table knows them.", _TYPES
    )
