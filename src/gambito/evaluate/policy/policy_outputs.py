"""Which output of a policy stands for an action.

An action that occurs in random games has an output of its own. Others, and all if there are too many, share
the outputs by a hash of their number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gambito.native import inlined, int64, uint64
from gambito.native.bits import spread

MOST_SLOTS = 4096  # outputs of a policy
LARGEST_ACTION = 1 << 16  # actions with larger numbers are hashed
SHARED = -1


@inlined
def slot_of(table, length, slots, action):
    """The output, of so many, for an action; `length` is that of the table."""
    if action < length and table[action] != SHARED:
        return int64(table[action])
    return int64(spread(uint64(action)) >> uint64(33)) % slots


class Outputs:
    """The outputs of a policy: the numbers of the actions that have one of their own, in order.

    If there are none, all actions share `slots` outputs. ValueError if the numbers are not in order.
    """

    def __init__(self, numbers: Sequence[int], slots: int) -> None:
        self.numbers, self.slots = [int(number) for number in numbers], slots
        known = np.array(self.numbers, np.int64)
        if len(known) not in (0, slots) or not 0 < slots <= MOST_SLOTS:
            raise ValueError("not as many outputs as actions")
        if len(known) and (known[0] < 0 or known[-1] >= LARGEST_ACTION or (np.diff(known) <= 0).any()):
            raise ValueError("no numbers of actions")
        self.table = np.full(1 + max(self.numbers, default=0), SHARED, np.int32)
        self.table[known] = np.arange(len(known))

    def has_own(self, action: int) -> bool:
        """Has an action an output of its own?"""
        return 0 <= action < len(self.table) and self.table[action] != SHARED

    def slot(self, action: int) -> int:
        """The output for an action."""
        return int(slot_of(self.table, len(self.table), self.slots, action))


def outputs_for(is_seen: np.ndarray, largest: int) -> Outputs:
    """The outputs for actions of which [LARGEST] says whether they were seen; the largest number of all."""
    numbers = np.flatnonzero(is_seen)
    if largest < LARGEST_ACTION and 0 < len(numbers) <= MOST_SLOTS:
        return Outputs(numbers.tolist(), len(numbers))
    return Outputs((), min(largest + 1, MOST_SLOTS))
