"""The gear of functions that have no game: a constant that makes a native function run compiled."""

from __future__ import annotations

from functools import cache
from typing import Any

from gambito.native import Constant


class _Cards:
    """What compiled functions about cards are specialised for: nothing."""


@cache
def gear(name: str) -> Any:
    """The first argument of a native function in that gear."""
    return Constant(_Cards(), "gambito.game_tools.poker", "cards", {}, {}) if name == "native" else None
