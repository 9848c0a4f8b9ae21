"""Monte-Carlo tree search in an exported game: simulations until the limits end them, and the answer.

The tree is planted anew for every search. When it is full, the children of nodes with few visits are dropped.
"""

from __future__ import annotations

import math

from gambito.exports.desk import (
    COUNT,
    COUNTED,
    DEEPEST,
    DEPTH,
    EXACT,
    FAILED,
    LINE,
    REACHED,
    SEED,
    VALUE,
    close_search,
    open_search,
)
from gambito.game.contract import CHANCE
from gambito.memory.tree import DEEPEST as TREE_DEEPEST
from gambito.memory.tree import HEADS, ROOM, USED, pack
from gambito.native import inlined, int64, mix, native, uint64
from gambito.search.monitor import FAULT, MANY_ACTIONS, NO_FAULT, NODES
from gambito.search.monte_carlo.formulas import SEEN_HIGH, SEEN_LOW, SMALL, STRETCH
from gambito.search.monte_carlo.playouts import ACTIONS, COUNTS, OUTCOME
from gambito.search.monte_carlo.simulation import FULL, SOLVED, grow

LOOK = 8.0  # simulations between two looks at the clock
LONGEST = 1000  # plies of a way down the tree


@native
def search_mcts(game, state, rows, plies, depth_at, desk, settings, knobs, tree, trail, rng, monitor):
    """Monte-Carlo tree search. `plies` are those of the longest game; `depth_at` is the place of the knob for
    the depth of the tree."""
    open_search(game, state, desk, monitor, rows, LOOK)
    words = desk.words
    deepest = words[DEPTH] if 0 < words[DEPTH] < LONGEST else int64(LONGEST)
    knobs.data[depth_at] = float(max(min(deepest, min(plies, game.plies_left(state))), 1))
    prepare(game, settings, knobs, tree, trail)
    rng.words[0] = uint64(mix((words[SEED], int64(0)))) | uint64(1)
    has = (
        settings.squares != 0,
        settings.solver != 0,
        settings.prior != 0,
        settings.implicit != 0,
        settings.rave != 0,
    )
    end = int64(FULL)
    while end == FULL:
        end = grow(game, state, settings, knobs, tree, trail, rng, monitor)
        if monitor.data[FAULT] != NO_FAULT:
            words[FAILED] = monitor.data[FAULT]
            break
        if end == FULL:
            pack(game, tree, settings.players, least_visits(tree), has)
            if tree.first[0] == 0 and game.count(state) >= tree.head[ROOM]:
                words[FAILED] = MANY_ACTIONS
                break
    words[COUNTED], words[REACHED] = monitor.data[NODES], tree.head[TREE_DEEPEST]
    if words[FAILED] == NO_FAULT and game.player(state) != CHANCE and tree.first[0] > 0:
        answer(game, state, desk, settings, knobs, tree, end == SOLVED)
    return close_search(game, state, desk, monitor)


@inlined
def prepare(game, settings, knobs, tree, trail):
    """Plant the tree, and forget the last search."""
    if knobs.shares[1] == 0.0:
        for number in range(SMALL):
            visits = float(max(number, 1))
            knobs.logs[number], knobs.root_logs[number] = math.log(visits), math.sqrt(math.log(visits))
            knobs.shares[number], knobs.roots[number] = 1.0 / visits, 1.0 / math.sqrt(visits)
    knobs.data[STRETCH], knobs.data[SEEN_LOW], knobs.data[SEEN_HIGH] = 1.0, math.inf, -math.inf
    room = tree.head[ROOM]
    for place in range(HEADS):
        tree.head[place] = 0
    tree.head[USED], tree.head[ROOM] = 1, room
    tree.action[0], tree.parent[0], tree.first[0], tree.count[0] = 0, 0, 0, 0
    tree.tried[0], tree.size[0], tree.visits[0] = 0, 0, 0.0
    tree.prior[0] = tree.implicit[0] = tree.amaf_visits[0] = tree.amaf_total[0] = 0.0
    for player in range(settings.players):
        tree.total[player] = 0.0
        if settings.squares:
            tree.squares[player] = 0.0
    tree.low[0], tree.high[0] = -1.0, 1.0
    for place in range(COUNTS):
        trail.counts[place] = 0
    if settings.notes:
        for place in range(ACTIONS):
            trail.seen_at[place], trail.done_by[place] = 0, 0
        for place in range(game.players * ACTIONS):
            trail.mast_visits[place], trail.mast_total[place], trail.reply[place] = 0.0, 0.0, 0


@inlined
def least_visits(tree):
    """The visits that a node needs to keep its children, so that at least half of the room becomes free."""
    least, kept = 1.0, tree.head[ROOM]
    while kept > tree.head[ROOM] // 2:
        least *= 2.0
        kept = int64(0)
        for node in range(tree.head[USED]):
            if tree.first[node] > 0 and (node == 0 or tree.visits[node] >= least):
                kept += tree.count[node]
    return least


@inlined
def answer(game, state, desk, settings, knobs, tree, is_solved):
    """Write the value, the line, and what is known of each action; the most visited one is the answer."""
    words, player, first = desk.words, int64(game.player(state)), int64(tree.first[0])
    count = int64(tree.count[0])
    place, sign = int64(0), 1.0
    if settings.players > 1:
        place = player
    elif player == 1:
        sign = -1.0
    sure = -1.0
    for number in range(count):
        sure = max(sure, least_of(settings, tree, first + number, sign))
    has_open = False
    for number in range(count):
        if most_of(settings, tree, first + number, sign) > sure:
            has_open = True
    best, proved = int64(-1), int64(-1)
    for number in range(count):
        child = first + number
        least, most = least_of(settings, tree, child, sign), most_of(settings, tree, child, sign)
        visits, mean = tree.visits[child], -1.0
        if visits > 0.0:
            mean = min(max(sign * tree.total[child * settings.players + place] / visits, least), most)
        desk.actions[number], desk.visits[number] = tree.action[child], int64(visits)
        desk.means[number] = mean
        if most > sure if has_open else least == sure:
            if best < 0 or (visits, mean) > (tree.visits[first + best], desk.means[best]):
                best = int64(number)
        if least == sure:
            known = most_of(settings, tree, first + proved, sign) if proved >= 0 else -2.0
            if most > known or (most == known and visits > tree.visits[first + proved]):
                proved = int64(number)
    chosen = best
    if best != proved and sure >= desk.means[best] and sure > -1.0:
        chosen = proved
    words[COUNT] = count
    is_exact = settings.reward != OUTCOME or abs(game.highest) <= game.step
    if settings.solver and is_solved and tree.low[0] == tree.high[0]:
        desk.numbers[VALUE] = on_scale(game, settings, knobs, sign * tree.low[0])
        words[EXACT] = int64(is_exact)
    else:
        desk.numbers[VALUE] = on_scale(game, settings, knobs, desk.means[chosen])
    for number in range(count):
        desk.means[number] = on_scale(game, settings, knobs, desk.means[number])
    write_line(game, state, desk, settings, tree, first + chosen)


@inlined
def least_of(settings, tree, child, sign):
    """What is proved that a child of the root is worth at least to its mover."""
    if not settings.solver:
        return -1.0
    return float(tree.low[child] if sign > 0.0 else -tree.high[child])


@inlined
def most_of(settings, tree, child, sign):
    if not settings.solver:
        return 1.0
    return float(tree.high[child] if sign > 0.0 else -tree.low[child])


@inlined
def on_scale(game, settings, knobs, reward):
    """A mean reward as a value of the game: the value with this share of wins, or the score itself."""
    if settings.reward != OUTCOME:
        return reward * knobs.half + knobs.middle
    highest, lowest = float(game.highest), float(game.lowest)
    if highest <= 1.0:
        return reward * highest
    if abs(reward) >= 1.0:
        return highest if reward > 0.0 else -highest
    value = knobs.unit * (math.log((1.0 + reward) / (1.0 - reward)) / math.log(3.0))
    return min(max(value, lowest), highest)


@inlined
def write_line(game, state, desk, settings, tree, node):
    """The most visited actions from the root on; if a value is proved, of the actions that prove it."""
    length = int64(0)
    while node > 0 and length < DEEPEST:
        desk.line[length] = tree.action[node]
        length += 1
        state = game.result(state, tree.action[node])
        first, count = int64(tree.first[node]), int64(tree.count[node])
        if first <= 0 or game.player(state) == CHANCE:
            break
        is_proved, has_proof = settings.solver != 0 and tree.low[node] == tree.high[node], False
        if is_proved:
            for child in range(first, first + count):
                if tree.visits[child] > 0.0 and tree.low[child] == tree.high[child] == tree.low[node]:
                    has_proof = True
        chosen, most = int64(0), 0.0
        for child in range(first, first + count):
            fits = not has_proof or (
                tree.low[child] == tree.high[child] and tree.low[child] == tree.low[node]
            )
            if fits and tree.visits[child] > most:
                chosen, most = int64(child), tree.visits[child]
        node = chosen
    desk.words[LINE] = length
