"""How a library that may not be installed is imported."""

from __future__ import annotations

import importlib
from typing import Any

from gambito.errors import GameError


def peer(module: str, library: str, extra: str) -> Any:
    """The module of another library; GameError says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise GameError("{} is not installed; try: pip install 'gambito[{}]'", library, extra) from None
