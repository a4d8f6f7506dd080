"""All tables, imported so that the metadata is whole."""

from app.store.models import accounts, compliance, inventory, samples, tallies, work

__all__ = ["accounts", "compliance", "inventory", "samples", "tallies", "work"]
