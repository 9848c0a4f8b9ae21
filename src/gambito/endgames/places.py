"""The numbering of states for tables: the number of a state, and the state of a number.

`Numbered` uses the numbers of the game. `Listed` is for games without numbers and with few states: all
reachable states are listed, and the number of a state is its place among their sorted keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from gambito.memory.positions import KNOWN, reachable
from gambito.native import Handle, int64
from gambito.native.store import get, width

LISTED = "all"  # the slice of a game without numbers


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


def new_numbered() -> Numbered:
    return Numbered(nothing=np.zeros(1, np.int64))


def list_states(game: Any, kind: Any, start: Any, most: int, monitor: Callable[[int], None]) -> Listed | None:
    """All reachable states, sorted by key; None if there are more than `most`.

    `game` is in one of its gears; `kind` is the compiled type of its states, or None in the Python gear.
    """
    found = reachable(game, kind, start, most, monitor)
    if found is None:
        return None
    keys, states, head = found
    count, wide = int(head[KNOWN]), width(kind) if kind is not None else 1
    order = np.argsort(keys[:count])
    if isinstance(states, list):
        ordered: Any = [states[place] for place in order]
    else:
        ordered = np.ascontiguousarray(states[: count * wide].reshape(count, wide)[order]).reshape(-1)
    return Listed(keys=np.ascontiguousarray(keys[:count][order]), states=ordered, head=head)
