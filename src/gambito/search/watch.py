"""What stands beside a search: counters, the limit, the principal variation, the path.

Every algorithm reports to a `Watch` by the same few verbs. In compiled code they are a handful of stores,
or nothing; in the Python gear a subclass may record everything (see `recorder`). All rows are numbered by
the plies left, so that a node's row is its `depth` and its children's is the one below.

    data:  NODES EVALUATIONS LIMIT HORIZON FOLLOW ROWS ROOT DECISION LOW HIGH
           row[rows][ROW], side by side, so that a row's place does not depend on how many there are:
               guide   the line to try first; FOLLOW is the row where the search is still on it
               swap    the action that the guide's took the place of
               length  of the row's line
               path    the key of the state on the path
           line[rows][rows]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from gambito.game.contract import NO_ACTION
from gambito.native import Handle, int64, uint64

NODES, EVALUATIONS, LIMIT, HORIZON, FOLLOW, ROWS, ROOT, DECISION, LOW, HIGH = range(10)
HEAD = 10
ROW = 4
GUIDE, SWAP, LENGTH, PATH = (HEAD + place for place in range(ROW))
NO_LIMIT = 1 << 62
STOP = -1
NOWHERE = -1  # FOLLOW: the search has left the guide


class Watch(Handle):
    """Counts nodes and leaves, stops at a limit, keeps the principal variation."""

    arrays: ClassVar[dict[str, type]] = {"data": np.int64}

    # ---- what algorithms call --------------------------------------------------------------------
    def enter(self, game, state, depth, alpha, beta):
        """The search comes to a state. Returns the action to try first, or NO_ACTION."""
        self.data[NODES] += 1
        self.data[LENGTH + ROW * depth] = 0
        if game.cycles:
            self.data[PATH + ROW * depth] = int64(uint64(game.key(state)))
        if self.data[FOLLOW] == depth:
            return self.data[GUIDE + ROW * depth]
        return NO_ACTION

    def choose(self, depth, listed, hint):
        """The next action: the hinted one in the place of the first, the first in the place of the hinted."""
        if hint == NO_ACTION:
            return listed
        swap = SWAP + ROW * depth
        if self.data[FOLLOW] == depth:
            self.data[FOLLOW] = depth - 1
            self.data[swap] = listed
            return hint
        self.data[FOLLOW] = NOWHERE
        return self.data[swap] if listed == hint else listed

    def count(self):
        """States visited so far."""
        return self.data[NODES]

    def visit(self, count):
        """So many states more were visited, out of sight."""
        self.data[NODES] += count

    def horizon(self):
        """Leaves valued at the horizon so far."""
        return self.data[HORIZON]

    def forget(self, horizon):
        """What was searched since then was a look ahead: the value does not rest on it."""
        self.data[HORIZON] = horizon

    def root(self):
        """The row of the root."""
        return self.data[ROOT]

    def is_stopped(self):
        return self.data[NODES] > self.data[LIMIT]

    def halt(self):
        """A stopped search leaves without looking; the state does not count, and it stays stopped."""
        self.data[NODES] -= 1
        self.data[LIMIT] = STOP

    def repeats(self, depth):
        """Was this state's key on the path before?"""
        for above in range(depth + 1, self.data[ROOT] + 1):
            if self.data[PATH + ROW * above] == self.data[PATH + ROW * depth]:
                return True
        return False

    def leaf(self, depth, value, at_horizon):
        """A leaf was valued."""
        self.data[EVALUATIONS] += 1
        if at_horizon:
            self.data[HORIZON] += 1
        return value

    def best(self, depth, action, value):
        """A better action within the window: the line goes through it now."""
        rows = self.data[ROWS]
        line = HEAD + 4 * rows + depth * rows
        below = self.data[LENGTH + ROW * (depth - 1)]
        self.data[line] = action
        for place in range(below):
            self.data[line + 1 + place] = self.data[line - rows + place]
        self.data[LENGTH + ROW * depth] = below + 1

    def cut(self, depth, action, value):
        """The remaining actions need not be looked at; a value beyond the window has no line."""
        self.data[LENGTH + ROW * depth] = 0

    def known(self, depth, value):
        """The table knows enough about this state."""
        return value

    def leave(self, depth, value):
        """The search goes back up with this value."""
        return value

    def decide(self, action):
        """The root's action, as far as is known."""
        self.data[DECISION] = action

    def close_in(self, low, high):
        """The root's value lies between these."""
        self.data[LOW], self.data[HIGH] = low, high

    def suspend(self, depth):
        """A best-first search goes elsewhere, the value still unknown."""

    def narrow(self, low, high):
        """A best-first search knows bounds of the state it stands at, and goes one state back up."""

    def pass_by(self, game, state, depth):
        """A best-first search walks through a state that it has entered before."""
        if game.cycles:
            self.data[PATH + ROW * depth] = int64(uint64(game.key(state)))

    def begin(self, game, state):
        """A simulation begins at the root."""

    def select(self, game, state, action, visits):
        """A simulation goes through an action that has so many visits."""

    def expand(self, game, state, count):
        """The state got so many children."""

    def simulate(self, game, state, reward):
        """A playout came to this state, and is worth so much to player 0."""

    def back_up(self, visits, total):
        """One node of a simulation's path, from its end to the root, counts the reward."""

    # ---- what drivers call -----------------------------------------------------------------------
    def start(self, depth: int, guide: list[int]) -> None:
        """Begin a search to that depth; the guide's actions are tried first along its line."""
        self.data[ROOT] = depth
        self.data[HORIZON] = 0
        self.data[DECISION] = NO_ACTION
        self.data[LOW], self.data[HIGH] = 1, 0  # nothing is known
        rows = int(self.data[ROWS])
        for ply in range(rows):
            self.data[GUIDE + ROW * ply] = NO_ACTION
        for ply, action in enumerate(guide[:depth]):
            self.data[GUIDE + ROW * (depth - ply)] = action
        self.data[FOLLOW] = depth if guide else NOWHERE

    def line(self, depth: int) -> list[int]:
        """The line found by the last search to that depth."""
        rows = int(self.data[ROWS])
        begin = HEAD + 4 * rows + depth * rows
        return [int(a) for a in self.data[begin : begin + int(self.data[LENGTH + ROW * depth])]]


def new_watch(kind: Callable[..., Watch], gear: str, depth: int, limit: int = NO_LIMIT) -> Watch:
    """A watch for searches to at most that depth."""
    rows = depth + 2
    data = np.zeros(HEAD + 4 * rows + rows * rows, np.int64)
    data[LIMIT], data[ROWS] = limit, rows
    return kind(data=data if gear == "native" else data.tolist())
