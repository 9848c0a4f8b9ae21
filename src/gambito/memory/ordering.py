"""Move ordering: killers, history, counter-moves, replies, and the selection of the next action.

    data:    history[player][action]    how often an action caused a cut-off, weighted by depth
             counters[player][action]   the last refutation of the opponent's action
             plies[MOST_PLIES][PLY]     two killers, the last actions to cut off at this ply; the one
                                        excluded; the one that is being searched; the static value; what
                                        the opponent threatens
             mate                       0 for the main thread, 1, 2 … for helper threads
             slots                      the address of the thread's `slots`; 0: none
             actions[LONGEST]           the lists of all plies, one after the other, from ACTIONS on
             scores[LONGEST]            the scores of these actions
    merits:  replies[plies before][player][kind before][kind]   merits of an action after another one
             catches[player][kind]                              merits of noisy actions
             errors[player][structure]                          how far the static value was wrong

A place is the index of an action in `data`, so that a game writes its list with `buffer[place] = action`.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gambito.game.contract import MOST_ACTIONS
from gambito.native import Handle, int64

KINDS = 1 << 12  # actions are distinguished by this many of their bits
LIMIT = 1 << 20  # history is halved when a count would exceed this
MERITS, MOST_MERIT = 1 << 14, 1 << 11  # merits that can decrease: their limit, and the largest change
MOST_PLIES = 1 << 11
ACTION_CAPACITY = 3 << 16  # actions in all lists together; for more, NumPy requests slow huge pages

PLY = 6
HISTORY, COUNTERS, KILLERS = 0, 2 * KINDS, 4 * KINDS
LEFT_OUT, PLAYED, STANDING, THREAT = KILLERS + 2, KILLERS + 3, KILLERS + 4, KILLERS + 5
MATE = KILLERS + PLY * MOST_PLIES
SLOTS_AT = MATE + 1
ACTIONS = SLOTS_AT + 1
ACTIONS_END = (
    ACTIONS + ACTION_CAPACITY - 2 * MOST_ACTIONS - 1
)  # beyond this, one action and two lists might not fit

REPLIES = 1 << 10  # kinds of actions that replies distinguish
BEFORE = 2  # a reply is one to the opponent's last action, and one to the player's own before that
STRUCTURES = 1 << 14
CATCHES = BEFORE * 2 * REPLIES * REPLIES  # places in `merits`
ERRORS = CATCHES + 2 * REPLIES
MOST_ERROR = 1 << 12  # the largest error that one search can show, in parts of the largest correction

FIRST, KILLER, COUNTER = 1 << 62, 1 << 30, 1 << 29  # scores of these kinds of actions
LATER = -(1 << 62)  # an action that another thread is searching
SKIPPED = -(1 << 61)  # an action that was left out without a search
PRIORITY = 1 << 32  # the weight of the game's hint: before killers if it is positive


class Ordering(Handle):
    """The statistics of a search and its lists of actions."""

    arrays: ClassVar[dict[str, type]] = {"data": np.int64, "merits": np.int16}

    def rate(self, place, score):
        self.data[place + ACTION_CAPACITY] = score

    def score(self, place):
        return self.data[place + ACTION_CAPACITY]

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

    def killer_rank(self, ply, action):
        """2 for the last action that cut off at this ply, 1 for the one before it, else 0."""
        killers = KILLERS + PLY * ply
        if action == self.data[killers]:
            return int64(2)
        return int64(action == self.data[killers + 1])

    def quiet_score(self, ply, player, action, last):
        """How promising an action is, from what happened elsewhere in the tree."""
        if self.killer_rank(ply, action) > 0:
            return int64(KILLER)
        if last >= 0 and self.data[COUNTERS + player * KINDS + last % KINDS] == action:
            return int64(COUNTER)
        return self.data[HISTORY + player * KINDS + action % KINDS]

    def reward(self, ply, player, action, last, depth):
        """Record that an action caused a cut-off."""
        self.keep(ply, player, action, last)
        place = HISTORY + player * KINDS + action % KINDS
        self.data[place] += depth * depth
        if self.data[place] > LIMIT:
            self.age()

    def keep(self, ply, player, action, last):
        """Keep an action that cut off as a killer and as a counter-move."""
        killers = KILLERS + PLY * ply
        if action != self.data[killers]:
            self.data[killers + 1] = self.data[killers]
            self.data[killers] = action
        if last >= 0:
            self.data[COUNTERS + player * KINDS + last % KINDS] = action

    def credit(self, action):
        """The history of an action of either player, as `earn` counts it."""
        return self.data[HISTORY + action % KINDS]

    def earn(self, action, merit):
        """Add to the history of an action of either player; return the sum."""
        place = HISTORY + action % KINDS
        self.data[place] += merit
        return self.data[place]

    def reward_place(self, player, action, merit):
        """Change the merit of a quiet action."""
        place = HISTORY + player * KINDS + action % KINDS
        self.data[place] = moved(self.data[place], merit)

    def begin_action(self, ply, action):
        """The search of an action begins at this ply."""
        self.data[PLAYED + PLY * ply] = action

    def played(self, ply):
        """The action that is being searched at this ply, or -1: a pass, or the ply is before the root."""
        return self.data[PLAYED + PLY * ply] if ply >= 0 else int64(-1)

    def reply_place(self, back, player, before, kind):
        """The place of a reply to an action one ply back (0) or two plies back (1), by their kinds."""
        return ((back * 2 + player) * REPLIES + before % REPLIES) * REPLIES + kind % REPLIES

    def merit(self, place):
        return int64(self.merits[place])

    def reward_merit(self, place, merit):
        self.merits[place] = moved(int64(self.merits[place]), merit)

    def catch_place(self, player, kind):
        """The place of a noisy action, by its kind."""
        return CATCHES + player * REPLIES + kind % REPLIES

    def error_place(self, player, structure):
        """The place of the static value's error in states with this structure."""
        return ERRORS + player * STRUCTURES + structure % STRUCTURES

    def standing(self, ply):
        """The static value at this ply, or the last one before it that was computed."""
        return self.data[STANDING + PLY * ply]

    def stand(self, ply, value):
        self.data[STANDING + PLY * ply] = value

    def threat(self, ply):
        """What the opponent would do at this ply after a pass, or -1."""
        return self.data[THREAT + PLY * ply]

    def threaten(self, ply, action):
        self.data[THREAT + PLY * ply] = action

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


def moved(merit, change):
    """A merit moved towards MERITS or -MERITS, faster the further away it is: it never exceeds them."""
    change = min(max(change, -MOST_MERIT), MOST_MERIT)
    return merit + change - merit * abs(change) // MERITS


def new_ordering(mate: int = 0) -> Ordering:
    data = np.empty(ACTIONS + 2 * ACTION_CAPACITY, np.int64)
    data[:COUNTERS] = 0
    data[COUNTERS:MATE] = -1
    data[MATE], data[SLOTS_AT] = mate, 0
    merits = np.zeros(ERRORS + 2 * STRUCTURES, np.int16)
    return Ordering(data=data, merits=merits)
