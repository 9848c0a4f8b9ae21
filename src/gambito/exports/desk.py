"""The desk: the memory through which a host asks an exported game and reads its answers, and its clock.

    words      what is asked, and the numbers of the answer: the places below
    numbers    values: MILLISECONDS, VALUE, and from UTILITIES on one for each player, and from STATICS on
    actions    the legal actions, or the outcomes of chance
    chances    the probability of each outcome
    line       the line of the last search
    visits     simulations through each action of the root, after a search by simulations
    means      the value of each action of the root, after such a search
    cells      what stands on each cell
    touches    for each action the cells that a person touches, TOUCHES each
    made       the state that `play` has made

A host calls one function after the other, and nothing else runs meanwhile. So a search keeps its own time:
the limit of its monitor is the next node at which it looks at the clock.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gambito.game.contract import CHANCE, MOST_ACTIONS, NO_ACTION
from gambito.native import Handle, inlined, int64
from gambito.native.clock import milliseconds
from gambito.search.monitor import (
    DECISION,
    FAULT,
    FOLLOW,
    GUIDE,
    HEAD,
    HORIZON,
    LENGTH,
    LIMIT,
    NO_FAULT,
    NODES,
    ROW,
    ROWS,
    STOP,
    Monitor,
)

(
    # what is asked
    DEPTH, MOST_NODES, SEED, FORGET,
    # what is said of a position
    OVER, MOVER, COUNT, KEY,
    # what a search has found
    REACHED, EXACT, LINE, COUNTED, FAILED, ENDS_IN, ROUNDS,
    WORDS,
) = range(16)  # fmt: skip
MILLISECONDS, VALUE, UTILITIES = 0, 1, 2
MOST_PLAYERS = 64
STATICS = UTILITIES + MOST_PLAYERS
NUMBERS = STATICS + MOST_PLAYERS
TOUCHES = 8  # cells that a person touches for an action, at most
MOST_TOUCHED = 4096  # actions whose cells are told

DEEPEST = 128  # plies of a search
TICK = 4096.0  # nodes between two looks at the clock
END, MOST, TICKS = range(3)  # clock: when the search ends, the most nodes, the nodes between two looks
FOREVER = 1e18  # milliseconds
ENDLESS = 1 << 62  # nodes

# What a function returns if it cannot answer, beside STRANGE and RAISED; what it returns else is 0 or more.
ILLEGAL, IS_OVER, GAVE_UP = -1, -3, -5


class Desk(Handle):
    """What a host asks, and what it is answered."""

    arrays: ClassVar[dict[str, type]] = {
        "words": np.int64,
        "numbers": np.float64,
        "actions": np.int64,
        "chances": np.float64,
        "line": np.int64,
        "visits": np.int64,
        "means": np.float64,
        "cells": np.int64,
        "touches": np.int64,
        "made": np.uint8,
    }


class TimedWatch(Monitor):
    """A monitor that keeps the time itself.

    clock[END, MOST, TICKS]    when the search ends, its most nodes, and the nodes between two looks
    """

    arrays: ClassVar[dict[str, type]] = {"data": np.int64, "clock": np.float64}

    def is_stopped(self):
        if self.data[NODES] <= self.data[LIMIT]:
            return False
        return self.look_at_clock()

    def look_at_clock(self):
        """Stop the search if it is time; else set when to look again."""
        if self.data[LIMIT] == STOP:
            return True
        if self.data[NODES] > int64(self.clock[MOST]) or milliseconds() > self.clock[END]:
            self.data[LIMIT] = STOP
            return True
        self.data[LIMIT] = min(self.data[NODES] + int64(self.clock[TICKS]), int64(self.clock[MOST]))
        return False


def new_desk(cells: int, width: int) -> Desk:
    """A desk for boards with that many cells and states of that many bytes."""
    sizes = {
        "words": WORDS,
        "numbers": NUMBERS,
        "actions": MOST_ACTIONS + 1,
        "chances": MOST_ACTIONS + 1,
        "line": DEEPEST + 2,
        "visits": MOST_ACTIONS + 1,
        "means": MOST_ACTIONS + 1,
        "cells": max(cells, 1),
        "touches": TOUCHES * MOST_TOUCHED,
        "made": width,
    }
    return Desk(**{name: np.zeros(sizes[name], dtype) for name, dtype in Desk.arrays.items()})


def rows_of(deepest: int) -> int:
    """The rows of a monitor for searches to that depth, with what they look beyond it."""
    return deepest + 2


# ---- what every search does --------------------------------------------------------------------------


@inlined
def open_search(game, state, desk, monitor, rows, ticks):
    """Set the limits that are asked for, and clear the last answer; return the deepest iteration."""
    words, data = desk.words, monitor.data
    for place in range(REACHED, WORDS):
        words[place] = 0
    desk.numbers[VALUE] = 0.0
    for place in range(HEAD):
        data[place] = 0
    data[ROWS] = rows
    most = words[MOST_NODES] if 0 < words[MOST_NODES] < ENDLESS else int64(ENDLESS)
    time = desk.numbers[MILLISECONDS]
    monitor.clock[MOST] = float(most)
    monitor.clock[END] = milliseconds() + time if 0.0 < time < FOREVER else FOREVER
    monitor.clock[TICKS] = ticks
    data[LIMIT] = min(int64(ticks), most)
    deepest = words[DEPTH] if 0 < words[DEPTH] < DEEPEST else int64(DEEPEST)
    return max(min(deepest, game.plies_left(state)), 1)


@inlined
def deepens(desk):
    """Is the time limited, or the number of nodes? Else there is one search, to the depth."""
    return desk.words[MOST_NODES] > 0 or desk.numbers[MILLISECONDS] > 0.0 or desk.words[DEPTH] <= 0


@inlined
def follow_line(desk, monitor, row):
    """Begin an iteration from that row; it tries the line of the last one first."""
    monitor.restart(row)
    for ply in range(row + 1):
        monitor.data[GUIDE + ROW * ply] = NO_ACTION
    length = min(desk.words[LINE], row)
    for ply in range(length):
        monitor.data[GUIDE + ROW * (row - ply)] = desk.line[ply]
    if length > 0:
        monitor.data[FOLLOW] = row


@inlined
def note(game, state, desk, monitor, row, depth, value):
    """Write down what an iteration has found, if it was not stopped; return whether it was not."""
    words, data = desk.words, monitor.data
    words[COUNTED] = data[NODES]
    decision = data[DECISION]
    if data[FAULT] != NO_FAULT:
        words[FAILED] = data[FAULT]
        return False
    if data[LIMIT] == STOP:
        # It tried the best action of the last iteration first: what it prefers to that is better.
        if decision != NO_ACTION and decision != desk.line[0] and words[REACHED] > 0:
            desk.line[0] = decision
            words[LINE] = 1
        return False
    words[REACHED], words[EXACT] = depth, int64(data[HORIZON] == 0)
    words[ROUNDS] += 1
    desk.numbers[VALUE] = float(value)
    rows = data[ROWS]
    begin, length = HEAD + 4 * rows + row * rows, data[LENGTH + ROW * row]
    if decision != NO_ACTION and (length == 0 or data[begin] != decision):
        data[begin] = decision
        length = int64(1)
    for ply in range(length):
        desk.line[ply] = data[begin + ply]
    words[LINE] = length
    return True


@inlined
def close_search(game, state, desk, monitor):
    """Give an action at least, if a player has one to choose; return the depth, or what went wrong."""
    words = desk.words
    words[FORGET] = 0
    if words[FAILED] != NO_FAULT:
        return int64(GAVE_UP)
    if words[LINE] == 0 and not game.is_terminal(state) and game.player(state) != CHANCE:
        for action in game.actions(state):
            if words[LINE] == 0:
                desk.line[0] = action
                words[LINE] = 1
    return words[REACHED]
