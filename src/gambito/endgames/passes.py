"""Retrograde analysis of one slice, in passes over its numbers.

A value is one number: d + 1 if the player to move wins in d plies, -(d + 1) for a loss, and 0 if undecided,
which in the end is a draw. Pass c updates the predecessors of every state of value c or -c: a player who can
move to a lost position wins, and a player whose moves all lead to won positions, counted down, loses. Values
found in pass c are at distance c + 1, or further if a successor in another slice requires it; a value is
final once its pass has been made. If a game has no unmoves, every undecided state reads its successors in
each pass.

The game always says which player a state belongs to; this is never inferred. A successor that no slice can
hold (a chess position with an en passant capture) gets its value from its own successors, and the states
before it are examined again in each pass.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from gambito.errors import EndgameError
from gambito.game.contract import MOST_ACTIONS
from gambito.native import Handle, int64, native
from gambito.native.atomic import fetch_add

HOLE = -(1 << 15)  # a number that stands for no state
PENDING = -(1 << 14)  # below this: undecided; but if it is a loss, then no sooner than -(value - PENDING)
FURTHEST = (1 << 14) - 2  # the largest value
ALL_VALUES = FURTHEST + 1
OVER, SPECIAL, STUCK = 253, 254, 255  # instead of a count; a STUCK state only receives wins
MOST_COUNTED = 252

# The fields of the work's head.
TICKET, SIZE, LOWER, CONVERTS, MISSING, SCORED, SPECIALS, CHUNK = range(8)
NUMBERS_PER_CHUNK, NUMBERS_PER_CHUNK_IN_PYTHON = (
    1 << 12,
    1 << 5,
)  # CHUNK: numbers that a thread takes at a time, by gear

# The counters of a thread. The serial number only grows; otherwise members of an old set would count as new.
SEEN, NEW, FARTHEST, REAL, WINS, LOSSES, SERIAL = range(7)
MARKS = 1 << 10


class Work(Handle):
    """The slice that is being built, and the slices that it converts to."""

    arrays: ClassVar[dict[str, type]] = {
        "values": np.int16,
        "counts": np.uint8,  # successors in the slice not yet known to be won by the opponent
        "special": np.int64,  # numbers that are examined again in every pass
        "codes": np.int64,  # for each other slice: its signature, and where its values begin
        "starts": np.int64,
        "lower": np.int16,
        "head": np.int64,
    }

    def slot(self, code):
        """The place of the slice among the other slices; -1 if it is none of them."""
        for place in range(self.head[LOWER]):
            if self.codes[place] == code:
                return place
        return -1


class Marks(Handle):
    """A thread's counters, and a small set of numbers that a new serial number empties."""

    arrays: ClassVar[dict[str, type]] = {
        "tally": np.int64,
        "members": np.int64,
        "stamps": np.int64,
        "actions": np.int64,  # of one state, followed by those of a successor
    }

    def is_new(self, number):
        """Add a number to the set; was it not in the set before?"""
        slot = number & (MARKS - 1)
        serial = self.tally[SERIAL]
        for _ in range(MARKS):
            if self.stamps[slot] != serial:
                self.stamps[slot], self.members[slot] = serial, number
                return True
            if self.members[slot] == number:
                return False
            slot = (slot + 1) & (MARKS - 1)
        raise EndgameError("a position is reached from more than {} others", MARKS)


def new_marks() -> Marks:
    return Marks(
        tally=np.zeros(8, np.int64),
        members=np.zeros(MARKS, np.int64),
        stamps=np.zeros(MARKS, np.int64),
        actions=np.zeros(2 * MOST_ACTIONS, np.int64),
    )


def list_actions(game, state, marks, place):
    """Write the actions of a state from `place` on; return the place behind them."""
    end = game.collect(state, marks.actions, place)
    if end - place > MOST_ACTIONS:
        raise EndgameError("a position has more than {} actions", MOST_ACTIONS)
    return end


# ---- values ------------------------------------------------------------------------------------------


def ended(game, work, state):
    """The value of a terminal state."""
    if game.players == 1:
        return int64(1)
    score = game.utility(state, game.player(state))
    if score != 0 and score != game.lowest and score != game.highest:
        work.head[SCORED] = 1
    return int64(1) if score > 0 else int64(-1) if score < 0 else int64(0)


def within(value, limit):
    """A value of this slice if it is known in the pass `limit`, else 0."""
    return int64(value) if -limit <= value <= limit else int64(0)


def numbered(game, places, work, signature, state, limit):
    """The value of a state that has a number or is terminal."""
    code = places.signature(game, state)
    if code == signature:
        return within(work.values[places.number(game, state)], limit)
    if game.is_terminal(state):
        return ended(game, work, state)
    place = work.slot(code)
    if place < 0:
        work.head[MISSING] = 1 + max(code, int64(0))
        return int64(0)
    value = int64(work.lower[work.starts[place] + places.number(game, state)])
    if work.head[CONVERTS]:
        value = min(max(value, int64(-1)), int64(1))
    return within(value, limit)


def unnumbered(game, places, work, marks, signature, state, limit):
    """The value of a state that no slice holds, from its successors."""
    if game.is_terminal(state):
        return ended(game, work, state)
    mover, best, worst, is_open = game.player(state), int64(0), int64(0), False
    first = int64(MOST_ACTIONS)
    for place in range(first, list_actions(game, state, marks, first)):
        child = game.result(state, marks.actions[place])
        value = numbered(game, places, work, signature, child, limit - 1)
        if game.player(child) != mover:
            value = -value
        if value > 0:
            best = value if best == 0 else min(best, value)
        worst = min(worst, value)
        is_open |= value == 0
    return best + 1 if best > 0 else int64(0) if is_open or worst == 0 else worst - 1


def derived(game, places, work, marks, signature, state, limit):
    """The value of a non-terminal state from successors known in the pass `limit`; 0 if none follows yet.

    A caller in every pass stops at the first win, since a nearer one would have been found before.
    """
    mover, best, worst, is_open = game.player(state), int64(0), int64(0), False
    for place in range(list_actions(game, state, marks, int64(0))):
        child = game.result(state, marks.actions[place])
        if places.signature(game, child) < 0:
            value = unnumbered(game, places, work, marks, signature, child, limit)
        else:
            value = numbered(game, places, work, signature, child, limit)
        if game.players > 1 and game.player(child) != mover:
            value = -value
        if value == limit:
            return limit + 1
        if value > 0:
            best = value if best == 0 else min(best, value)
        worst = min(worst, value)
        is_open |= value == 0
    return best + 1 if best > 0 else int64(0) if is_open or worst == 0 else worst - 1


# ---- the first pass ----------------------------------------------------------------------------------


def opened(game, places, work, marks, signature, number, state):
    """Write what the other slices say about a non-terminal state, and count its successors in this slice."""
    mover, best, worst, is_open, is_special = game.player(state), int64(0), int64(0), False, False
    inside = int64(0)
    marks.tally[SERIAL] += 1
    for place in range(list_actions(game, state, marks, int64(0))):
        child = game.result(state, marks.actions[place])
        code = places.signature(game, child)
        if code == signature:
            if inside <= MOST_COUNTED and marks.is_new(places.number(game, child)):
                inside += 1
        elif code < 0 and not game.is_terminal(child):
            is_special = True
        else:
            value = numbered(game, places, work, signature, child, int64(ALL_VALUES))
            if game.player(child) != mover:
                value = -value
            if value > 0:
                best = value if best == 0 else min(best, value)
            worst = min(worst, value)
            is_open |= value == 0
    if is_special or inside > MOST_COUNTED:
        work.counts[number] = SPECIAL
        work.special[fetch_add(work.head, SPECIALS, 1)] = number
        return
    work.counts[number] = STUCK if best > 0 or is_open else inside
    if best > 0:
        work.values[number] = best + 1
    elif not is_open and inside == 0 and worst < 0:
        work.values[number] = worst - 1
    elif not is_open and worst < 0:
        work.values[number] = PENDING + worst
    marks.tally[FARTHEST] = max(marks.tally[FARTHEST], abs(best) + 1, 1 - worst)


@native
def begin(game, places, work, marks, signature, like, is_counting):
    """Mark holes, value terminal states, and, if unmoves follow, read successors in other slices."""
    size = work.head[SIZE]
    first = fetch_add(work.head, TICKET, work.head[CHUNK])
    while first < size:
        for number in range(first, min(first + work.head[CHUNK], size)):
            state = places.state(game, signature, int64(number), like)
            if game.players > 1 and not places.is_real(game, state, signature, int64(number)):
                work.values[number] = HOLE
                continue
            marks.tally[REAL] += 1
            if game.is_terminal(state):
                work.values[number] = ended(game, work, state)
                if game.players > 1:
                    work.counts[number] = OVER
            elif game.players > 1 and is_counting:
                opened(game, places, work, marks, signature, int64(number), state)
        first = fetch_add(work.head, TICKET, work.head[CHUNK])


# ---- the other passes --------------------------------------------------------------------------------


def tell(game, places, work, marks, value, mover, before, is_shared):
    """Update a predecessor of a state with that value, whose player is `mover`."""
    level = abs(value)
    number = places.number(game, before)
    if number < 0:
        return
    held = int64(work.values[number])
    if 0 < held <= level + 1 or PENDING <= held < 0 or held == HOLE:
        return
    if game.players == 1:
        work.values[number] = level + 1
        marks.tally[NEW] += 1
        return
    count = work.counts[number]
    if count in (OVER, SPECIAL):
        return
    if (value > 0) == (game.player(before) == mover):
        work.values[number] = level + 1
        marks.tally[FARTHEST] = max(marks.tally[FARTHEST], level + 1)
    elif count != STUCK and marks.is_new(number):
        if is_shared:
            count = fetch_add(work.counts, number, -1)
        else:
            work.counts[number] = count - 1
        if count == 1:
            bound = PENDING - held if held < PENDING else int64(0)
            work.values[number] = -(max(level, bound) + 1)
            marks.tally[FARTHEST] = max(marks.tally[FARTHEST], max(level, bound) + 1)


@native
def backward(game, places, work, marks, signature, like, level, is_shared):
    """Update the predecessors of every state of this level."""
    size = work.head[SIZE]
    first = fetch_add(work.head, TICKET, work.head[CHUNK])
    while first < size:
        for number in range(first, min(first + work.head[CHUNK], size)):
            value = int64(work.values[number])
            if value != level and value != -level:
                continue
            marks.tally[SEEN] += 1
            marks.tally[SERIAL] += 1
            state = places.state(game, signature, int64(number), like)
            mover = game.player(state)
            if game.symmetric:
                for action in game.actions(state):
                    before = game.result(state, action)
                    tell(game, places, work, marks, value, mover, before, is_shared)
            else:
                for before in game.unmoves(state):
                    tell(game, places, work, marks, value, mover, before, is_shared)
        first = fetch_add(work.head, TICKET, work.head[CHUNK])


@native
def ask_again(game, places, work, marks, signature, like, level):
    """Let the special states that are undecided read their successors."""
    count = work.head[SPECIALS]
    first = fetch_add(work.head, TICKET, 64)
    while first < count:
        for place in range(first, min(first + 64, count)):
            number = work.special[place]
            if work.values[number] == 0:
                state = places.state(game, signature, number, like)
                value = derived(game, places, work, marks, signature, state, level)
                if value:
                    work.values[number] = value
                    marks.tally[NEW] += 1
        first = fetch_add(work.head, TICKET, 64)


@native
def forward(game, places, work, marks, signature, like, level):
    """Let every undecided state read its successors."""
    size = work.head[SIZE]
    first = fetch_add(work.head, TICKET, work.head[CHUNK])
    while first < size:
        for number in range(first, min(first + work.head[CHUNK], size)):
            held = work.values[number]
            if held == level or held == -level:
                marks.tally[SEEN] += 1
            if held != 0 or (game.players > 1 and work.counts[number] == OVER):
                continue
            state = places.state(game, signature, int64(number), like)
            value = derived(game, places, work, marks, signature, state, level)
            if value:
                work.values[number] = value
                marks.tally[NEW] += 1
        first = fetch_add(work.head, TICKET, work.head[CHUNK])


# ---- the end -----------------------------------------------------------------------------------------


@native
def close(game, work, marks):
    """Undecided states are draws. A hole takes its neighbour's value, so that the file compresses better."""
    size = work.head[SIZE]
    before = np.int16(0)
    for number in range(size):
        value = work.values[number]
        if value == HOLE:
            work.values[number] = before
            continue
        if value < PENDING:
            work.values[number] = value = np.int16(0)
        if value > 0:
            marks.tally[WINS] += 1
        elif value < 0:
            marks.tally[LOSSES] += 1
        marks.tally[FARTHEST] = max(marks.tally[FARTHEST], int64(abs(value)))
        before = value


@native
def compare(game, places, work, marks, signature, like):
    """Derive values from their successors, up to the number SIZE; FARTHEST becomes the distance from there
    to the lowest number with a different value."""
    size = work.head[SIZE]
    first = fetch_add(work.head, TICKET, work.head[CHUNK])
    while first < size:
        for number in range(first, min(first + work.head[CHUNK], size)):
            state = places.state(game, signature, int64(number), like)
            if game.players > 1 and not places.is_real(game, state, signature, int64(number)):
                continue
            marks.tally[REAL] += 1
            if game.is_terminal(state):
                value = ended(game, work, state)
            else:
                value = derived(game, places, work, marks, signature, state, int64(ALL_VALUES))
            if value != work.values[number]:
                marks.tally[FARTHEST] = max(marks.tally[FARTHEST], size - number)
        first = fetch_add(work.head, TICKET, work.head[CHUNK])
