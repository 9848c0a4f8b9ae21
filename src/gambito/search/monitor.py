"""The monitor of a search: counters, the limit, the principal variation, the path.

Every algorithm reports to a `Monitor` through the same few methods. In compiled code they are a few stores,
or nothing; in the Python gear a subclass may record everything (see `trace.recorder`). Rows are numbered by
the plies left: the row of a node is its `depth`, and that of its children is one less.

    data:  NODES EVALUATIONS LIMIT HORIZON FOLLOW ROWS ROOT DECISION LOW HIGH PAST AMONG REACH
           FAULT   why the search gave up, or NO_FAULT
           LOOP    the lowest ply to which a line below the node came back, or NO_LOOP
           row[rows][ROW], side by side, so that the place of a row does not depend on the number of rows:
               guide   the line to try first; FOLLOW is the row in which the search still follows it
               swap    the action that the guide's action replaced
               length  the length of the row's line
               path    the key of the state on the path
           line[rows][rows]
           past[PAST]    keys of positions before the root, the newest first; 0 if it does not count
           among[AMONG]  the root's actions that count; none: all of them
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import MOST_ACTIONS, NO_ACTION
from gambito.native import Handle, int64, uint64
from gambito.words.sentence import Sentence

HEAD = 15
NODES, EVALUATIONS, LIMIT, HORIZON, FOLLOW, ROWS, ROOT = range(7)
DECISION, LOW, HIGH, PAST, AMONG, REACH, FAULT, LOOP = range(7, HEAD)
ROW = 4
GUIDE, SWAP, LENGTH, PATH = (HEAD + place for place in range(ROW))
NO_LIMIT = 1 << 62
STOP = -1
NO_FAULT, MANY_ACTIONS, LONG_LINE, MANY_OUTCOMES, OUT_OF_RANGE = range(5)  # FAULT: why a search gave up
FAULTS = {
    MANY_ACTIONS: Sentence("a state has more than {} actions, too many for a search", MOST_ACTIONS),
    LONG_LINE: Sentence("the states of one line have too many actions together for a search"),
    MANY_OUTCOMES: Sentence("a chance state has more outcomes than the game's 'most_outcomes'"),
    OUT_OF_RANGE: Sentence(
        "the rules give a value outside the game's 'lowest' to 'highest'; `gambito check` tells where"
    ),
}
PASS, FAIL_HIGH, FAIL_LOW = -2, -3, -4  # in place of an action: what a search that may cut off asks
NO_LOOP = 1 << 30
NOWHERE = -1  # FOLLOW: the search has left the guide


class Monitor(Handle):
    """Counts nodes and leaves, stops at a limit, keeps the principal variation."""

    arrays: ClassVar[dict[str, type]] = {"data": np.int64}

    # ---- what algorithms call --------------------------------------------------------------------
    def enter(self, game, state, depth, alpha, beta):
        """The search enters a state. Return the action to try first, or NO_ACTION."""
        self.data[NODES] += 1
        self.data[LENGTH + ROW * depth] = 0
        if game.cycles:
            self.data[PATH + ROW * depth] = int64(uint64(game.key(state)))
        if self.data[FOLLOW] == depth:
            return self.data[GUIDE + ROW * depth]
        return NO_ACTION

    def choose(self, depth, listed, hint):
        """The next action: the first listed action and the hinted one swap their places."""
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
        """Count states that were visited without `enter`."""
        self.data[NODES] += count

    def horizon(self):
        """Leaves valued at the horizon so far."""
        return self.data[HORIZON]

    def rest(self):
        """A value was taken over that depends on the horizon."""
        self.data[HORIZON] += 1

    def leave_loop(self, ply):
        """Does the value of a node at this ply depend on the path to it? Lines that come back to the node
        itself end here; after one that goes back further, all nodes below that place count as dependent."""
        loop = self.data[LOOP]
        if ply <= loop < NO_LOOP:
            self.data[LOOP] = NO_LOOP
        return loop < ply

    def forget(self, horizon):
        """Restore the count of `horizon`: the value does not depend on what was searched since then."""
        self.data[HORIZON] = horizon

    def root(self):
        """The row of the root."""
        return self.data[ROOT]

    def is_stopped(self):
        return self.data[NODES] > self.data[LIMIT]

    def halt(self):
        """A stopped search leaves a state that it has not looked at: the state is not counted, and the search
        stays stopped."""
        self.data[NODES] -= 1
        self.data[LIMIT] = STOP

    def give_up(self, fault):
        """Stop the search because of what the game does; `complain` says why."""
        self.data[FAULT] = fault
        self.data[LIMIT] = STOP

    def repeats(self, depth, plies):
        """Is this state's key on the path already, at most `plies` plies ago?

        Before the root, the path has the positions that occurred twice: the third time is a draw.
        """
        key, root = self.data[PATH + ROW * depth], self.data[ROOT]
        for above in range(depth + 1, min(root, depth + plies) + 1):
            if self.data[PATH + ROW * above] == key:
                self.data[LOOP] = min(self.data[LOOP], root - above)
                return True
        rows = self.data[ROWS]
        before = HEAD + 4 * rows + rows * rows - 1
        if depth < root:
            for place in range(1, min(self.data[PAST], plies - (root - depth)) + 1):
                if self.data[before + place] == key:
                    self.data[LOOP] = -1
                    return True
        return False

    def reach(self, depth):
        """The search has reached this row."""
        if depth < self.data[REACH]:
            self.data[REACH] = depth

    def choose_among(self, actions, base, end):
        """Keep the root's actions that count; return the place behind them."""
        if self.data[AMONG] == 0:
            return end
        free = base
        for place in range(base, end):
            if self.counts(actions[place]):
                actions[free] = actions[place]
                free += 1
        return free

    def counts(self, action):
        """Does this action of the root count?"""
        if self.data[AMONG] == 0:
            return True
        rows = self.data[ROWS]
        first = HEAD + 4 * rows + rows * rows + self.data[PAST]
        for root_actions in range(first, first + self.data[AMONG]):
            if self.data[root_actions] == action:
                return True
        return False

    def is_choosy(self):
        """Do only some of the root's actions count?"""
        return self.data[AMONG] > 0

    def leaf(self, depth, value, at_horizon):
        """A leaf was valued."""
        self.data[EVALUATIONS] += 1
        if at_horizon:
            self.data[HORIZON] += 1
        return value

    def final(self, game, value, scale):
        """The value of a finished game, in units of 1 / scale; outside the range the search gives up."""
        if not game.lowest * scale <= value <= game.highest * scale:
            self.give_up(OUT_OF_RANGE)
        return value

    def best(self, depth, action, value):
        """A better action within the window was found: the line now goes through it, unless the search was
        stopped below it, so that its value means nothing."""
        if self.is_stopped():
            return
        rows = self.data[ROWS]
        line = HEAD + 4 * rows + depth * rows
        below = self.data[LENGTH + ROW * (depth - 1)]
        self.data[line] = action
        for place in range(below):
            self.data[line + 1 + place] = self.data[line - rows + place]
        self.data[LENGTH + ROW * depth] = below + 1

    def cut(self, depth, action, value):
        """The remaining actions need no search; a value outside the window has no line."""
        self.data[LENGTH + ROW * depth] = 0

    def settle(self, depth, action, value):
        """The remaining actions cannot be better than this one; the line stays."""

    def probe(self, depth):
        """One action of this state was enough for a bound."""

    def share(self, depth, values, place, players):
        """The values of this state for all players stand in `values` from `place` on."""

    def known(self, depth, value):
        """The table knows enough about this state. If the guide leads through it, the search leaves the
        guide: otherwise its next action would be played in another state."""
        if self.data[FOLLOW] == depth:
            self.data[FOLLOW] = NOWHERE
        return value

    def ask(self, depth, what):
        """A search begins that may cut this state off: after a PASS, or less deep, whether the value will
        FAIL_HIGH or FAIL_LOW."""

    def guess(self, depth, what, value):
        """Such a search has cut the state off; the value has no line, and is that of a horizon."""
        self.data[HORIZON] += 1
        self.data[LENGTH + ROW * depth] = 0
        return value

    def order(self, game, state, ordering, base, end):
        """The actions of this state will be tried by the scores that `ordering` has from `base` to `end`."""

    def credit(self, action, merit, total):
        """The action that has cut off earns a merit, and has this total now."""

    def kill(self, action):
        """The action that has cut off becomes a killer of its ply."""

    def tighten(self, depth, alpha, beta):
        """The table knows bounds of this state that narrow its window to this one."""

    def leave(self, depth, value):
        """The search goes back up with this value."""
        return value

    def decide(self, action):
        """Set the best action of the root so far."""
        self.data[DECISION] = action

    def close_in(self, low, high):
        """The root's value lies between these."""
        self.data[LOW], self.data[HIGH] = low, high

    def suspend(self, depth):
        """A best-first search leaves the state while its value is still unknown."""

    def narrow(self, low, high):
        """A best-first search has bounds for the current state, and goes one state back up."""

    def pass_by(self, game, state, depth):
        """A best-first search passes through a state that it has entered before."""
        if game.cycles:
            self.data[PATH + ROW * depth] = int64(uint64(game.key(state)))

    def put(self, nodes, node):
        """A puzzle search has put a node into its open list, as a new one or by a better way."""

    def take(self, nodes, node):
        """A puzzle search takes a node out of its open list, to generate its children."""

    def raise_bound(self, state, h, bound):
        """A puzzle search with a cost bound begins at its first state."""

    def walk(self, state, action, depth, g, h, bound):
        """A puzzle search enters a state by an action from a state `depth` actions away from the first."""

    def begin(self, game, state):
        """A simulation begins at the root."""

    def imagine(self, game, state):
        """A simulation has imagined a world that looks like the root."""

    def weigh(self, game, world, action, value):
        """An action of the root was found to have this value in the world that was imagined last."""

    def select(self, game, state, action, visits):
        """A simulation goes through an action that has this many visits."""

    def expand(self, game, state, count):
        """The state got this many children."""

    def simulate(self, game, state, reward):
        """A playout ended in this state; `reward` is for player 0."""

    def back_up(self, visits, total):
        """A node on a simulation's path counts the reward; called from the end of the path to the root."""

    # ---- what drivers call -----------------------------------------------------------------------
    def restart(self, depth):
        """Begin a search to that depth without a guide."""
        self.data[ROOT] = depth
        self.data[HORIZON] = 0
        self.data[LOOP] = NO_LOOP
        self.data[DECISION] = NO_ACTION
        self.data[REACH] = depth
        self.data[LOW], self.data[HIGH] = 1, 0  # nothing is known
        self.data[FOLLOW] = NOWHERE

    def start(self, depth: int, guide: list[int]) -> None:
        """Begin a search to that depth that tries the guide's actions first along its line."""
        self.restart(depth)
        for ply in range(depth + 1):  # the rows above are not used
            self.data[GUIDE + ROW * ply] = NO_ACTION
        for ply, action in enumerate(guide[:depth]):
            self.data[GUIDE + ROW * (depth - ply)] = action
        self.data[FOLLOW] = depth if guide else NOWHERE

    def limit_to(self, root_actions: Sequence[int]) -> None:
        """Let only these actions of the root count, of those that the monitor was made for; none: all
        count."""
        rows = int(self.data[ROWS])
        first = HEAD + 4 * rows + rows * rows + int(self.data[PAST])
        self.data[AMONG] = len(root_actions)
        for place, action in enumerate(root_actions, first):
            self.data[place] = action

    def complain(self) -> None:
        """Raise an error if the search gave up."""
        if self.data[FAULT]:
            raise SearchError(FAULTS[int(self.data[FAULT])])

    def line(self, depth: int) -> list[int]:
        """The line found by the last search to that depth."""
        rows = int(self.data[ROWS])
        begin = HEAD + 4 * rows + depth * rows
        return [int(a) for a in self.data[begin : begin + int(self.data[LENGTH + ROW * depth])]]


def new_monitor(
    kind: Callable[..., Monitor],
    gear: str,
    depth: int,
    limit: int = NO_LIMIT,
    past_states: Sequence[int] = (),
    root_actions: Sequence[int] = (),
    room: int = 0,
) -> Monitor:
    """A monitor for searches to at most that depth; `past_states` are the keys of the game before the root,
    and `limit_to` has room for that many actions."""
    rows = depth + 2
    end = HEAD + 4 * rows + rows * rows
    data = np.zeros(end + len(past_states) + max(len(root_actions), room), np.int64)
    data[LIMIT], data[ROWS], data[PAST], data[AMONG] = limit, rows, len(past_states), len(root_actions)
    twice = {key for key, count in Counter(past_states).items() if count > 1}
    for place, key in enumerate(reversed(past_states), end):
        data[place] = np.uint64(key).astype(np.int64) if key in twice else 0
    data[end + len(past_states) : end + len(past_states) + len(root_actions)] = root_actions
    return kind(data=data if gear == "native" else data.tolist())
