"""The simulated Azure: its storage accounts as data, and the handlers that speak its wire."""
