"""All tables, imported so that the metadata is whole."""

from app.store.models import accounts, compliance, inventory, work

__all__ = ["accounts", "compliance", "inventory", "work"]
