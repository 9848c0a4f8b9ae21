"""A small tree whose leaves a reader changes: searches of the package, whose monitor writes down their steps.

The values of the leaves lie in the memory of the module, where the page changes them. A search writes its
steps into `events`, and the page draws what they say; no algorithm is written again in a script.

    events[0]                how many steps there are
    events[1 + STEP * n, …]  kind, depth, node, and two numbers: the window of ENTER, the value of the others
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

from gambito.exports import bundle
from gambito.exports.desk import Desk, TimedWatch, new_desk, open_search, rows_of
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.native import Memory, int64, native
from gambito.native.crossing import SEAL, Entry, Given, bytes_of, sealed
from gambito.search.classic.alpha_beta import alpha_beta
from gambito.search.classic.minimax import minimax
from gambito.search.classic.negamax import negamax
from gambito.search.classic.negascout import FIRST, negascout
from gambito.search.classic.pvs import pvs
from gambito.search.classic.scout import evaluate
from gambito.search.monitor import NODES, Monitor, new_monitor

WIDE, DEEP = 3, 3  # actions of a node, and plies
FIRST_LEAF = (WIDE**DEEP - 1) // (WIDE - 1)
VALUES = (5, 6, 4, 3, 7, 1, 6, 8, 2, 2, 9, 4, 5, 3, 3, 8, 1, 7, 6, 2, 5, 4, 9, 1, 3, 7, 8)  # at first
ENTER, LEAVE, CUT = range(1, 4)  # kinds of steps
STEP, MOST = 5, 2000  # numbers of a step, and steps that are written down


class Place(NamedTuple):
    """A node of the tree, numbered level by level."""

    node: int
    ply: int


class LessonTree(Game):
    """A tree of one width, in which MAX and MIN take turns."""

    name = "lesson-tree"
    lowest, highest, longest, prefers_fast_win = -99, 99, DEEP, False

    def __init__(self) -> None:
        self.values = Memory(np.array(VALUES, np.int64))

    def initial(self):
        return Place(0, 0)

    def player(self, state):
        return state.ply & 1

    def actions(self, state):
        for action in range(WIDE):
            yield action

    def result(self, state, action):
        return Place(WIDE * state.node + 1 + action, state.ply + 1)

    def is_terminal(self, state):
        return state.ply == DEEP

    def utility(self, state, player):
        value = self.values[state.node - FIRST_LEAF]
        return value if player == 0 else -value


class WritingWatch(TimedWatch):
    """A monitor that writes down the steps of a search."""

    arrays: ClassVar[dict[str, type]] = {"data": np.int64, "clock": np.float64, "events": np.int64}

    def write(self, kind, depth, node, one, other):
        count = self.events[0]
        if count < MOST:
            place = 1 + STEP * count
            self.events[place], self.events[place + 1], self.events[place + 2] = kind, depth, node
            self.events[place + 3], self.events[place + 4] = one, other
            self.events[0] = count + 1

    def enter(self, game, state, depth, alpha, beta):
        self.data[NODES] += 1
        self.write(ENTER, depth, state.node, alpha, beta)
        return int64(-1)

    def leave(self, depth, value):
        self.write(LEAVE, depth, int64(-1), value, int64(0))
        return value

    def cut(self, depth, action, value):
        self.write(CUT, depth, int64(-1), value, action)

    def best(self, depth, action, value):
        """The page shows no line."""


@native
def lesson_minimax(game, state, rows, desk, monitor):
    begin(game, state, rows, desk, monitor)
    return minimax(game, state, int64(DEEP), monitor)


@native
def lesson_negamax(game, state, rows, desk, monitor):
    begin(game, state, rows, desk, monitor)
    return negamax(game, state, int64(DEEP), monitor)


@native
def lesson_alpha_beta(game, state, rows, desk, monitor):
    begin(game, state, rows, desk, monitor)
    return alpha_beta(game, state, int64(DEEP), -game.infinity, game.infinity, monitor)


@native
def lesson_scout(game, state, rows, desk, monitor):
    begin(game, state, rows, desk, monitor)
    return evaluate(game, state, int64(DEEP), monitor)


@native
def lesson_negascout(game, state, rows, desk, monitor):
    begin(game, state, rows, desk, monitor)
    return negascout(game, state, int64(DEEP), -game.infinity, game.infinity, int64(FIRST), monitor)


@native
def lesson_pvs(game, state, rows, desk, monitor):
    begin(game, state, rows, desk, monitor)
    return pvs(game, state, int64(DEEP), -game.infinity, game.infinity, False, monitor)


def begin(game, state, rows, desk, monitor):
    open_search(game, state, desk, monitor, rows, 4096.0)
    monitor.restart(int64(DEEP))
    monitor.events[0] = 0


# The searches of the lessons: the function, whose values it gives, and whether it has windows.
LESSONS = {
    "minimax": (lesson_minimax, "max", False),
    "negamax": (lesson_negamax, "mover", False),
    "alpha-beta": (lesson_alpha_beta, "mover", True),
    "scout": (lesson_scout, "max", True),
    "negascout": (lesson_negascout, "mover", True),
    "pvs": (lesson_pvs, "mover", True),
}


def lesson_page(algorithm: str) -> str:
    """The page of a lesson, with everything in it."""
    crossing, values = crossing_of(algorithm)
    module = crossing.wasm(crossing.contents)
    _, frame, is_windowed = LESSONS[algorithm]
    start = bytes_of(gears(LessonTree()).cast(Place(0, 0)), crossing.state)
    facts = {
        "entry": entry_of(algorithm),
        "start": [*sealed(start)],
        "given": module.places["gambito.given"],
        "values": module.places[values],
        "events": module.places["monitor.events"],
        "first": [*VALUES],
        "wide": WIDE,
        "deep": DEEP,
        "step": STEP,
        "most": MOST,
        "frame": frame,
        "windowed": is_windowed,
        "infinity": LessonTree.infinity,
    }
    return bundle.lesson(algorithm, facts, module.code)


def entry_of(algorithm: str) -> str:
    return f"lesson_{algorithm.replace('-', '_')}"


def crossing_of(algorithm: str) -> tuple[Any, str]:
    """The code of a lesson, and the space in which the values of the leaves lie."""
    from gambito.native.compiler.crossing import Crossing  # loads the compiler

    game = LessonTree()
    both = gears(game)
    assert both.state is not None
    crossing, const = Crossing(both.state), both.in_gear("native")
    desk: Desk = new_desk(0, crossing.width + SEAL)
    crossing.hold("desk", desk)
    (values,) = crossing.hold_memories(const)
    plain = new_monitor(Monitor, "native", DEEP)
    monitor = WritingWatch(data=plain.data, clock=np.zeros(3), events=np.zeros(1 + STEP * MOST, np.int64))
    crossing.hold("monitor", monitor, blank=("data",))
    args = (const, Given(both.state), rows_of(DEEP), desk, monitor)
    crossing.add(Entry(entry_of(algorithm), LESSONS[algorithm][0], args))
    return crossing, values
