"""The one door for measurements: `./atalaya bench NAME`."""

from app.bench.registry import names, run

__all__ = ["names", "run"]
