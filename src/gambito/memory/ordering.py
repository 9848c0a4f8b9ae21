"""What decides which action is tried first: killers, history, counter-moves, and the picker of the next one.

killers[ply][2]   actions that cut off last at this ply
history[player][action]   how often an action cut off, weighted by depth
counters[player][action]  what refuted the opponent's action last
actions, scores   the lists of all plies, one behind the other
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gambito.native import Handle, int64

KINDS = 1 << 12  # actions are told apart by this many of their bits
LONGEST = 1 << 16  # actions waiting in all lists together
LIMIT = 1 << 20  # history is halved where a count would pass this

FIRST, KILLER, COUNTER = 1 << 62, 1 << 30, 1 << 29  # scores of the kinds of actions
PRIORITY = 1 << 31  # the weight of the game's own hint: before killers where it is positive


class Ordering(Handle):
    """Statistics of a search, and its lists of actions."""

    arrays: ClassVar[dict[str, type]] = {
        "killers": np.int64,
        "history": np.int64,
        "counters": np.int64,
        "actions": np.int64,
        "scores": np.int64,
    }

    def next_move(self, place, end):
        """The best action left between `place` and `end`; it is put at `place`."""
        best = place
        for other in range(place + 1, end):
            if self.scores[other] > self.scores[best]:
                best = other
        action, score = self.actions[best], self.scores[best]
        while best > place:  # the others keep their order: among equals the game's own decides
            self.actions[best], self.scores[best] = self.actions[best - 1], self.scores[best - 1]
            best -= 1
        self.actions[place], self.scores[place] = action, score
        return action

    def quiet_score(self, ply, player, action, last):
        """How promising an action is by what happened elsewhere in the tree."""
        if action == self.killers[2 * ply] or action == self.killers[2 * ply + 1]:
            return int64(KILLER)
        if last >= 0 and self.counters[player * KINDS + last % KINDS] == action:
            return int64(COUNTER)
        return self.history[player * KINDS + action % KINDS]

    def reward(self, ply, player, action, last, depth):
        """An action cut off."""
        if action != self.killers[2 * ply]:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = action
        if last >= 0:
            self.counters[player * KINDS + last % KINDS] = action
        place = player * KINDS + action % KINDS
        self.history[place] += depth * depth
        if self.history[place] > LIMIT:
            self.age()

    def age(self):
        """Old merits count half."""
        for place in range(2 * KINDS):
            self.history[place] //= 2


def new_ordering(plies: int) -> Ordering:
    return Ordering(
        killers=np.full(2 * plies + 2, -1),
        history=np.zeros(2 * KINDS, np.int64),
        counters=np.full(2 * KINDS, -1),
        actions=np.zeros(LONGEST, np.int64),
        scores=np.zeros(LONGEST, np.int64),
    )
