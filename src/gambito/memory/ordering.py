"""Move ordering: killers, history, counter-moves, and the selection of the next action.

    data:  history[player][action]    how often an action caused a cut-off, weighted by depth
           counters[player][action]   the last refutation of the opponent's action
           plies[MOST_PLIES][PLY]     two killers, the last actions to cut off at this ply; the one excluded
           mate                       0 for the main thread, 1, 2 … for helper threads
           slots                      the address of the thread's `slots`; 0: none
           actions[LONGEST]           the lists of all plies, one after the other, from ACTIONS on
           scores[LONGEST]            the scores of these actions

A place is the index of an action in `data`, so that a game writes its list with `buffer[place] = action`.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gambito.game.contract import MOST_ACTIONS
from gambito.native import Handle, int64

KINDS = 1 << 12  # actions are distinguished by this many of their bits
LIMIT = 1 << 20  # history is halved when a count would exceed this
MERITS, MOST_MERIT = 1 << 14, 1 << 10  # merits that can decrease: their limit, and the largest change
MOST_PLIES = 1 << 11
LONGEST = 3 << 16  # actions in all lists together; for more, NumPy requests slow huge pages

PLY = 3
HISTORY, COUNTERS, KILLERS = 0, 2 * KINDS, 4 * KINDS
LEFT_OUT = KILLERS + 2
MATE = KILLERS + PLY * MOST_PLIES
SLOTS_AT = MATE + 1
ACTIONS = SLOTS_AT + 1
ROOM = ACTIONS + LONGEST - 2 * MOST_ACTIONS - 1  # beyond this, one action and two lists might not fit

FIRST, KILLER, COUNTER = 1 << 62, 1 << 30, 1 << 29  # scores of these kinds of actions
LATER = -(1 << 62)  # an action that another thread is searching
PRIORITY = 1 << 32  # the weight of the game's hint: before killers if it is positive


class Ordering(Handle):
    """The statistics of a search and its lists of actions."""

    arrays: ClassVar[dict[str, type]] = {"data": np.int64}

    def rate(self, place, score):
        self.data[place + LONGEST] = score

    def score(self, place):
        return self.data[place + LONGEST]

    def next_move(self, place, end):
        """The best action left between `place` and `end`; it is moved to `place`."""
        best = place
        for other in range(place + 1, end):
            if self.score(other) > self.score(best):
                best = other
        action, score = self.data[best], self.score(best)
        while best > place:  # the others keep their order: among equals, the game's order decides
            self.data[best] = self.data[best - 1]
            self.rate(best, self.score(best - 1))
            best -= 1
        self.data[place] = action
        self.rate(place, score)
        return action

    def quiet_score(self, ply, player, action, last):
        """How promising an action is, from what happened elsewhere in the tree."""
        killers = KILLERS + PLY * ply
        if action == self.data[killers] or action == self.data[killers + 1]:
            return int64(KILLER)
        if last >= 0 and self.data[COUNTERS + player * KINDS + last % KINDS] == action:
            return int64(COUNTER)
        return self.data[HISTORY + player * KINDS + action % KINDS]

    def reward(self, ply, player, action, last, depth):
        """Record that an action caused a cut-off."""
        killers = KILLERS + PLY * ply
        if action != self.data[killers]:
            self.data[killers + 1] = self.data[killers]
            self.data[killers] = action
        if last >= 0:
            self.data[COUNTERS + player * KINDS + last % KINDS] = action
        place = HISTORY + player * KINDS + action % KINDS
        self.data[place] += depth * depth
        if self.data[place] > LIMIT:
            self.age()

    def prefer(self, ply, player, base, place, last, depth):
        """Record that the action at `place` cut off and the quiet ones from `base` to it did not."""
        self.reward_place(player, self.data[place], depth * depth)
        killers = KILLERS + PLY * ply
        action = self.data[place]
        if action != self.data[killers]:
            self.data[killers + 1] = self.data[killers]
            self.data[killers] = action
        if last >= 0:
            self.data[COUNTERS + player * KINDS + last % KINDS] = action
        for before in range(base, place):
            if -PRIORITY < self.score(before) < PRIORITY:
                self.reward_place(player, self.data[before], -depth * depth)

    def reward_place(self, player, action, merit):
        """Move a merit towards MERITS, faster the further away it is, so that it never exceeds MERITS."""
        merit = min(max(merit, -MOST_MERIT), MOST_MERIT)
        place = HISTORY + player * KINDS + action % KINDS
        self.data[place] += merit - self.data[place] * abs(merit) // MERITS

    def age(self):
        """Halve old merits."""
        for place in range(HISTORY, COUNTERS):
            self.data[place] //= 2

    def leads(self):
        return self.data[MATE] == 0

    def slots(self):
        """The address of the sums of a wide network."""
        return self.data[SLOTS_AT]

    def left_out(self, ply):
        """The action that the search at this ply must exclude, or -1."""
        return self.data[LEFT_OUT + PLY * ply]

    def leave_out(self, ply, action):
        self.data[LEFT_OUT + PLY * ply] = action


def new_ordering(mate: int = 0) -> Ordering:
    data = np.empty(ACTIONS + 2 * LONGEST, np.int64)
    data[:COUNTERS] = 0
    data[COUNTERS:MATE] = -1
    data[MATE], data[SLOTS_AT] = mate, 0
    return Ordering(data=data)
