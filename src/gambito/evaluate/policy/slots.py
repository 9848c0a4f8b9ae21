"""Which output of a policy stands for an action: its number, or where numbers are large, a hash of it."""

from __future__ import annotations

from gambito.native import inlined, int64, uint64
from gambito.native.bits import spread


@inlined
def slot_of(slots, action):
    """The output, of so many, for an action."""
    if action < slots:
        return int64(action)
    return int64(spread(uint64(action)) >> uint64(33)) % slots
