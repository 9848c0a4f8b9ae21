"""Names of a package that are imported when somebody asks for them, so that the package loads quickly."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_imports(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """A `__getattr__` for a package: names, each with the module that has it."""

    def found(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = getattr(import_module(places[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return found
