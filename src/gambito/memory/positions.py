"""All positions that can be reached from a state, in the order in which they are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, int64, native
from gambito.native.bits import spread
from gambito.native.store import get, new_memory, put

KNOWN, SEEN = range(2)  # the head of a list: states found, states whose actions were followed
FIRST_ROOM = 1 << 12  # states
STATES_PER_CHECK, STATES_PER_CHECK_IN_PYTHON = (
    1 << 13,
    1 << 6,
)  # states between two calls of `monitor`, compiled and in Python


class Growing(Handle):
    """States in the order in which they are found, and the slot of each key."""

    arrays: ClassVar[dict[str, type]] = {
        "keys": np.uint64,
        "states": np.uint8,
        "slots": np.int64,  # by key: the number of a state, plus 1
        "head": np.int64,
    }

    def slot(self, key, mask):
        """The slot of a key, or an empty slot for it."""
        slot = int64(spread(key) >> np.uint64(20)) & mask
        while self.slots[slot] and self.keys[self.slots[slot] - 1] != key:
            slot = (slot + 1) & mask
        return slot

    def add(self, key, state, mask):
        """Append a state if it is new."""
        slot = self.slot(key, mask)
        if self.slots[slot]:
            return
        number = self.head[KNOWN]
        self.slots[slot] = number + 1
        self.keys[number] = key
        put(self.states, number, state)
        self.head[KNOWN] = number + 1


@native
def plant(game, states, state, mask):
    """Enter the first state, or all states of a list that has grown, into the slots."""
    if states.head[KNOWN] == 0:
        states.add(game.key(state), state, mask)
    for number in range(states.head[KNOWN]):
        states.slots[states.slot(states.keys[number], mask)] = number + 1


@native
def follow(game, states, like, room, mask, most):
    """Follow the actions of up to `most` states; False if the list is full."""
    while states.head[SEEN] < states.head[KNOWN] and most > 0:
        state = get(states.states, states.head[SEEN], like)
        if not game.is_terminal(state):
            for action in game.actions(state):
                if states.head[KNOWN] >= room:
                    return False
                child = game.result(state, action)
                states.add(game.key(child), child, mask)
        states.head[SEEN] += 1
        most -= 1
    return True


def reachable(
    game: Any, kind: Any, start: Any, most: int, monitor: Callable[[int], None]
) -> tuple[Any, Any, Any] | None:
    """The keys and the states that can be reached, and the head of their list; None if there are more than
    `most`.

    `game` is in one of its gears; `kind` is the compiled type of its states, or None in the Python gear.
    """
    room, at_once = FIRST_ROOM, STATES_PER_CHECK_IN_PYTHON if kind is None else STATES_PER_CHECK
    keys, states, head = np.zeros(room, np.uint64), new_memory(kind, room), np.zeros(2, np.int64)
    while True:
        mask = 2 * room - 1
        growing = Growing(keys=keys, states=states, slots=np.zeros(2 * room, np.int64), head=head)
        plant(game, growing, start, mask)
        while head[SEEN] < head[KNOWN] and follow(game, growing, start, room, mask, at_once):
            monitor(int(head[KNOWN]))
        if head[KNOWN] > most or (head[SEEN] < head[KNOWN] and room > most):
            return None
        if head[SEEN] == head[KNOWN]:
            return keys, states, head
        keys = np.concatenate([keys, np.zeros(room, np.uint64)])
        more = new_memory(kind, room)
        states = states + more if isinstance(states, list) else np.concatenate([states, more])
        room *= 2
