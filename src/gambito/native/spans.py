"""Arithmetic on stretches of small whole numbers side by side in memory, as rows of weights and their sums.

In compiled code each function is a loop over a constant number of items, which the compiler turns into vector
instructions. In the Python gear NumPy computes the same numbers: nothing here may exceed its type, which the
caller guarantees. This module does not know what the numbers mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def _part(numbers: Any, place: int, count: int) -> Any:
    """Some items of a list, an array or a `Memory`."""
    return np.array(getattr(numbers, "array", numbers)[place : place + count], np.int64)


def shift_span(
    target: Any, at: int, source: Any, start: int, table: Any, plus: int, minus: int, count: int
) -> None:
    """Write the items of `source` plus one row of a table minus another one; `count` is a constant."""
    found = _part(source, start, count) + _part(table, plus, count) - _part(table, minus, count)
    target[at : at + count] = found.tolist()


def add_squares(source: Any, start: int, table: Any, place: int, top: int, count: int) -> int:
    """The sum of the squares of items, each cut to 0 … `top`, times the weights of a row of a table.

    The product of `top` and a weight must fit into 16 bits, and the sum into 32.
    """
    cut = np.clip(_part(source, start, count), 0, top)
    return int((cut * cut * _part(table, place, count)).sum())
