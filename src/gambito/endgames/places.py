"""The numbering of states for tables: the number of a state, and the state of a number.

`Numbered` uses the numbers of the game. `Listed` is for games without numbers and with few states: all
reachable states are listed, and the number of a state is its place among their sorted keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, int64, native
from gambito.native.bits import spread
from gambito.native.store import get, new_memory, put, width

LISTED = "all"  # the slice of a game without numbers
KNOWN, SEEN = range(2)  # the head of a list: states found, states whose actions were followed
FIRST_ROOM, AT_ONCE = 1 << 12, 1 << 18  # states


class Numbered(Handle):
    """The numbers that a game defines."""

    arrays: ClassVar[dict[str, type]] = {"nothing": np.int64}

    def signature(self, game, state):
        return game.signature(state)

    def number(self, game, state):
        return game.index(state)

    def state(self, game, signature, number, like):
        return game.unindex(signature, number)

    def is_real(self, game, state, signature, number):
        """Does the number stand for this state, and does the state exist?"""
        if not game.is_real(state) or game.signature(state) != signature:
            return False
        return game.index(state) == number


class Listed(Handle):
    """A list of states, sorted by key."""

    arrays: ClassVar[dict[str, type]] = {"keys": np.uint64, "states": np.uint8, "head": np.int64}

    def signature(self, game, state):
        return int64(0)

    def number(self, game, state):
        """The number of a state; -1 if it is not in the list."""
        key = game.key(state)
        first, last = int64(0), self.head[KNOWN]
        while first < last:
            middle = (first + last) >> 1
            if self.keys[middle] < key:
                first = middle + 1
            else:
                last = middle
        return first if first < self.head[KNOWN] and self.keys[first] == key else int64(-1)

    def state(self, game, signature, number, like):
        return get(self.states, number, like)

    def is_real(self, game, state, signature, number):
        return True


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


def new_numbered() -> Numbered:
    return Numbered(nothing=np.zeros(1, np.int64))


def list_states(game: Any, kind: Any, start: Any, most: int, watch: Callable[[int], None]) -> Listed | None:
    """All reachable states, sorted by key; None if there are more than `most`.

    `game` is in one of its gears; `kind` is the compiled type of its states, or None in the Python gear.
    """
    room = FIRST_ROOM
    wide = width(kind) if kind is not None else 1
    keys, states, head = np.zeros(room, np.uint64), new_memory(kind, room), np.zeros(2, np.int64)
    while True:
        mask = 2 * room - 1
        growing = Growing(keys=keys, states=states, slots=np.zeros(2 * room, np.int64), head=head)
        plant(game, growing, start, mask)
        while head[SEEN] < head[KNOWN] and follow(game, growing, start, room, mask, AT_ONCE):
            watch(int(head[KNOWN]))
        if head[SEEN] == head[KNOWN]:
            break
        if room > most:
            return None
        keys = np.concatenate([keys, np.zeros(room, np.uint64)])
        more = new_memory(kind, room)
        states = states + more if isinstance(states, list) else np.concatenate([states, more])
        room *= 2
    count = int(head[KNOWN])
    order = np.argsort(keys[:count])
    if isinstance(states, list):
        ordered: Any = [states[place] for place in order]
    else:
        ordered = np.ascontiguousarray(states[: count * wide].reshape(count, wide)[order]).reshape(-1)
    return Listed(keys=np.ascontiguousarray(keys[:count][order]), states=ordered, head=head)
