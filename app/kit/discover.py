"""Finds plug-ins by walking a package, so that adding one edits nothing else."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import TypeVar

T = TypeVar("T")


def modules(package: ModuleType) -> Iterator[ModuleType]:
    """Every direct submodule of `package`, imported, in name order."""
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        yield importlib.import_module(f"{package.__name__}.{info.name}")


def plugins(package: ModuleType, attribute: str, kind: type[T]) -> dict[str, T]:
    """`{module name: value of attribute}` for each submodule that has one of the right type."""
    found = {}
    for module in modules(package):
        value = getattr(module, attribute, None)
        if isinstance(value, kind):
            found[module.__name__.rsplit(".", 1)[-1]] = value
    return found
