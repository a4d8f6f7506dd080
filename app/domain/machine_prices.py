"""What a machine costs by the hour at list price, as far as our own dated table knows."""

import csv
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

from app.domain.machine_types import ec2_type

_TABLE = Path(__file__).parent / "data" / "machine_prices.csv"
# Only meters of Linux by the hour at list price: no Spot, Low Priority, Windows or Reservation,
# whose prices are of another thing (a reservation's is that of its whole term).
_SOURCES = {
    "azure-retail-prices": "Azure Retail Prices, as recorded after April 2026",
    "skypilot-catalog-aws": "Amazon EC2 list prices in skypilot-catalog e385a0d, undated",
    "skypilot-catalog": "Azure Retail Prices in skypilot-catalog 20291d7, undated",
}


@dataclass(frozen=True, slots=True)
class MachinePrice:
    """Price of one machine and hour; `source` says whose list it is and of when."""

    per_hour: Decimal
    currency: str
    source: str


def machine_price(provider: str, machine_type: str, region_id: str) -> MachinePrice | None:
    """The list price in a region; None when it is not known, which is not that it is free."""
    return _table().get((provider, _key(machine_type), region_id.lower()))


def _key(machine_type: str) -> str:
    return ec2_type(machine_type).lower()


@cache
def _table() -> dict[tuple[str, str, str], MachinePrice]:
    with _TABLE.open(encoding="utf-8", newline="") as lines:
        return {
            (row["provider"], _key(row["machine_type"]), row["region_id"]): MachinePrice(
                Decimal(row["price_per_hour"]), row["currency"], _SOURCES[row["source"]]
            )
            for row in csv.DictReader(lines)
        }
