"""The policy language."""
