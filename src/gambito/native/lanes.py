"""Four bitboards at once: one instruction makes the same step in four directions.

In the Python gear four lanes are a NumPy array of four `uint64`; compiled code holds them in a vector
register. Both support `& | ^ ~ << >> +` lane by lane, so rules that use lanes have one source too.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def lanes(bits: Any) -> Any:
    """Four lanes: the elements of an array, or the same bits in all lanes."""
    return bits if isinstance(bits, np.ndarray) else np.full(4, bits, np.uint64)


def union(four: Any) -> Any:
    """The bits that are set in any lane."""
    return np.bitwise_or.reduce(four)


def where(four: Any, condition: Any) -> Any:
    """The lanes whose condition has a bit set; the others are empty."""
    return np.where(condition != 0, four, np.uint64(0))


def put(four: Any, buffer: Any, place: int) -> None:
    """Write the lanes one after the other into words of memory."""
    for lane in range(4):
        buffer[place + lane] = four[lane]
