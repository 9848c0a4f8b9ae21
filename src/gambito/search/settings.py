"""The engine's settings: numbers that compiled code reads, as constants or from memory.

`settings.values[X]` is a constant of the compiler for the shipped configuration, which then pays nothing for
what is off; and a load from memory for a configuration that is tried out, which then needs no compilation of
its own. The text of the search is the same.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Constant, Handle
from gambito.native.digest import digest

SCALE, TABLE, ETC, BOUNDS, NULL_MOVE, REDUCTIONS, FUTILITY, EXTEND, QUIESCENCE, ORDER, FINISH, SORT = range(
    12
)


class Values:
    """Settings as attributes: what a constant is made of, and what the Python gear reads."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self.values = values


class LiveValues(Handle):
    """Settings in memory."""

    arrays: ClassVar[dict[str, type]] = {"values": np.int64}


def new_settings(values: tuple[int, ...], gear: str, is_live: bool = False) -> Any:
    """The settings for one gear; live ones share their machine code with all other live ones."""
    if gear == "python":
        return Values(values)
    if is_live:
        return LiveValues(values=np.array(values, np.int64))
    return Constant(Values(values), "gambito.search.settings.Values", digest(values), {}, {})
