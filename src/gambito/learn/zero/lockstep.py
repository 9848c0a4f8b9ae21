"""Gumbel AlphaZero in lock-step: every game goes on until it needs the network, and then waits.

`advance` takes the network's outputs for the states that waited, and brings every game to its next leaf. The
root's actions are chosen by sequential halving with Gumbel noise, those below by PUCT. Some searches are full
and are learned from, the others are cheap. What the network said about a state is remembered for a while, for
all games. It does not know how the outputs are computed.
"""

from __future__ import annotations

import math

from numpy import float32, int32

from gambito.evaluate.policy.policy_outputs import slot_of
from gambito.game.contract import CHANCE
from gambito.learn.zero.gumbel import (
    LOWEST,
    best_edge,
    completed,
    for_player,
    mixed_value,
    most_visits,
    sign_of,
    values_in,
    wanted_visits,
    weigh,
)
from gambito.learn.zero.search_trees import (
    COUNT,
    CUT,
    DECISIONS,
    DONE,
    EDGES,
    ENDED,
    FINISHED,
    GOAL,
    IS_FULL,
    IS_ON,
    LAST,
    LEAF,
    LEFT,
    LENGTH,
    NODES,
    NONE,
    PLY,
    SIMULATIONS,
    SLOT,
    TARGETS,
)
from gambito.native import inlined, int64, native, uint64
from gambito.native.bits import spread
from gambito.native.store import get, put

TIMES = 3  # a position that occurs so often ends the game


@native
def advance(game, start, plan, forest, diary, width, rng):
    """Bring every game to its next leaf; return how many wait for the network.

    The forest has the outputs for the leaves of the last call, in their order, `width` numbers each, and gets
    the states and movers of the new leaves.
    """
    row, waiting = int64(0), int64(0)
    for game_number in range(int64(plan.games)):
        facts = game_number * SLOT
        if forest.slots[facts + LEAF] != NONE and forest.slots[facts + IS_ON]:
            take_outputs(game, plan, forest, row * width, game_number, rng)
            row += 1
        elif not forest.slots[facts + IS_ON]:
            begin(game, start, plan, forest, diary, game_number, rng)
        while forest.slots[facts + IS_ON] and forest.slots[facts + LEAF] == NONE:
            if forest.slots[facts + DONE] >= forest.slots[facts + GOAL]:
                make_move(game, start, plan, forest, diary, game_number, rng)
            else:
                simulate(game, start, plan, forest, diary, game_number, rng)
        if forest.slots[facts + IS_ON]:
            node = game_number * int64(plan.nodes) + forest.slots[facts + LEAF]
            put(forest.leaves, waiting, get(forest.states, node, start))
            forest.movers[waiting] = forest.mover[node]
            waiting += 1
    return waiting


@inlined
def reward_of(game, plan, state, player):
    """The result of a game for a player, between -1 and 1."""
    value = game.utility(state, player)
    if plan.outcome > 0.0:
        return float32(1.0) if value > 0 else float32(-1.0) if value < 0 else float32(0.0)
    return float32((value - plan.middle) / plan.half)


# ---- games -----------------------------------------------------------------------------------------------


@native
def begin(game, start, plan, forest, diary, number, rng):
    """Begin another game, if some are left; some begin with random moves."""
    facts = number * SLOT
    if diary.head[LEFT] == 0:
        return
    diary.head[LEFT] -= 1
    forest.slots[facts + PLY], forest.slots[facts + LAST] = 0, NONE
    forest.slots[facts + IS_ON] = 1
    state, before, earlier, loose = start, start, start, int64(0)
    if rng.fraction() < plan.loose:
        loose = rng.below(int64(plan.openings) + 1)
    for _ in range(loose):
        if game.is_terminal(state):
            break
        earlier, before = before, state
        if game.chance and game.player(state) == CHANCE:
            state = game.result(state, game.random_outcome(state, rng))
        else:
            state = game.result(state, game.random_action(state, rng))
    if game.is_terminal(state):  # it is taken up two plies earlier, where all is at stake
        state = earlier
    while not game.is_terminal(state) and game.chance and game.player(state) == CHANCE:
        state = game.result(state, game.random_outcome(state, rng))
    if game.is_terminal(state):
        forest.slots[facts + IS_ON] = 0
        return
    plant(game, plan, forest, state, number, rng)


@native
def plant(game, plan, forest, state, number, rng):
    """Begin the tree of a position, whose root waits for the network."""
    facts = number * SLOT
    forest.slots[facts + NODES], forest.slots[facts + EDGES] = 0, 0
    forest.slots[facts + DONE], forest.slots[facts + LENGTH] = 0, 0
    is_full = rng.fraction() < plan.share
    forest.slots[facts + IS_FULL] = 1 if is_full else 0
    forest.slots[facts + GOAL] = int64(plan.full) if is_full else int64(plan.cheap)
    if game.cycles:
        ply = forest.slots[facts + PLY]
        forest.keys[number * int64(plan.plies) + ply] = uint64(game.key(state))
    forest.slots[facts + LEAF] = new_node(game, plan, forest, state, number)
    forest.key[number] = uint64(game.key(state))
    if forest.slots[facts + PLY] > 0:  # the first position of a game always waits: no call lasts for ever
        remember(game, plan, forest, number, rng)


@native
def make_move(game, start, plan, forest, diary, number, rng):
    """Play the best action of the root, write the position if the search was full, and go on."""
    facts, base = number * SLOT, number * int64(plan.nodes)
    state = get(forest.states, base, start)
    if forest.slots[facts + IS_FULL]:
        write(game, start, plan, forest, diary, number, state, rng)
    diary.head[DECISIONS] += 1
    best = best_edge(game, plan, forest, number, most_visits(forest, base))
    state = game.result(state, forest.action[best])
    while not game.is_terminal(state) and game.chance and game.player(state) == CHANCE:
        state = game.result(state, game.random_outcome(state, rng))
    forest.slots[facts + PLY] += 1
    ply = forest.slots[facts + PLY]
    is_over, is_repeated, is_cut = game.is_terminal(state), False, ply >= int64(plan.longest)
    if game.cycles and not is_over:
        is_repeated = came_back(game, plan, forest, state, number, ply)
    if is_over or is_repeated or is_cut:
        finish(game, plan, forest, diary, number, state, is_over, is_repeated)
        begin(game, start, plan, forest, diary, number, rng)
    else:
        plant(game, plan, forest, state, number, rng)


@inlined
def came_back(game, plan, forest, state, number, ply):
    """Has this position occurred often enough to end the game?"""
    key, times, place = uint64(game.key(state)), 1, ply - 1
    while place >= 0 and ply - place <= game.reversible(state):
        if forest.keys[number * int64(plan.plies) + place] == key:
            times += 1
        place -= 1
    return times >= TIMES


@native
def finish(game, plan, forest, diary, number, state, is_over, is_repeated):
    """Write the result of a game to all its positions."""
    facts, values = number * SLOT, values_in(game)
    forest.slots[facts + IS_ON] = 0
    diary.head[FINISHED] += 1
    if not is_over and not is_repeated:
        diary.head[CUT] += 1
    place = forest.slots[facts + LAST]
    while place != NONE:
        for each in range(values):
            reward = float32(0.0)
            if is_over:
                reward = reward_of(game, plan, state, each)
            elif is_repeated:
                drawn = game.repetition(state, each)
                reward = float32(1.0) if drawn > 0 else float32(-1.0) if drawn < 0 else float32(0.0)
            diary.result[place * values + each] = reward * sign_of(game, diary.movers[place])
        place = diary.before[place]


@native
def write(game, start, plan, forest, diary, number, state, rng):
    """Write the root, its improved policy and its value, in one of the symmetric views."""
    facts, base, values = number * SLOT, number * int64(plan.nodes), values_in(game)
    first, count = forest.first[base], forest.count[base]
    place, target = diary.head[COUNT], diary.head[TARGETS]
    if place >= int64(plan.room) or target + count > int64(plan.targets):
        return
    views = int64(0)
    for _ in game.symmetries(state):
        views += 1
    view, seen = rng.below(views + 1), state
    if view > 0:
        turned = int64(0)
        for other in game.symmetries(state):
            turned += 1
            if turned == view:
                seen = other
    mover = forest.mover[base]
    put(diary.states, place, seen)
    diary.movers[place], diary.begin[place] = mover, target
    highest, most = LOWEST, most_visits(forest, base)
    middle = mixed_value(game, forest, base)
    for edge in range(first, first + count):
        score = forest.logit[edge] + weigh(plan, completed(game, forest, edge, mover, middle), most)
        forest.prior[edge] = score
        highest = max(highest, score)
    total = float32(0.0)
    for edge in range(first, first + count):
        forest.prior[edge] = float32(math.exp(float(forest.prior[edge] - highest)))
        total += forest.prior[edge]
    for edge in range(first, first + count):
        action = forest.action[edge]
        if view > 0:
            action = game.turn(action, view, False)
        diary.slot[target] = int32(output_of(plan, forest, action))
        diary.chance[target] = forest.prior[edge] / total
        target += 1
    for each in range(values):
        found, visits = float32(0.0), int64(0)
        for edge in range(first, first + count):
            found += forest.total[edge * values + each]
            visits += forest.visits[edge]
        found = (found + forest.value[base * values + each]) / float32(visits + 1)
        diary.found[place * values + each] = found * sign_of(game, mover)
    diary.before[place] = forest.slots[facts + LAST]
    forest.slots[facts + LAST] = place
    diary.head[COUNT], diary.head[TARGETS] = place + 1, target
    diary.begin[place + 1] = target


# ---- simulations -----------------------------------------------------------------------------------------


@native
def simulate(game, start, plan, forest, diary, number, rng):
    """Go from the root to a leaf; a leaf that needs the network is left waiting."""
    facts, base = number * SLOT, number * int64(plan.nodes)
    node, length, path = base, int64(0), base
    forest.slots[facts + LENGTH] = 0
    diary.head[SIMULATIONS] += 1
    while True:
        count = forest.count[node]
        if count <= 0:
            break
        mover = forest.mover[node]
        if game.chance and mover == CHANCE:
            outcome = game.random_outcome(get(forest.states, node, start), rng)
            edge = int64(forest.first[node])
            while forest.action[edge] != outcome:
                edge += 1
        elif node == base:
            edge = best_edge(game, plan, forest, number, wanted_visits(plan, forest, number))
        else:
            edge = choose_below(game, plan, forest, node, mover)
        if forest.slots[facts + NODES] >= int64(plan.nodes):  # no room: what is known here is backed up
            break
        forest.path[path + length] = edge
        length += 1
        forest.slots[facts + LENGTH] = length
        child = int64(forest.child[edge])
        if child == 0:
            state = game.result(get(forest.states, node, start), forest.action[edge])
            child = new_node(game, plan, forest, state, number)
            forest.child[edge] = child
            above, node = node, base + child
            if game.chance and forest.mover[node] == CHANCE and forest.count[node] > 0:
                for each in range(values_in(game)):  # in case there is no room for its outcomes' nodes
                    place = above * values_in(game) + each
                    forest.value[node * values_in(game) + each] = forest.value[place]
            elif forest.count[node] != ENDED:  # without room for its actions, it is valued all the same
                forest.slots[facts + LEAF] = child
                forest.key[number] = uint64(game.key(state))
                remember(game, plan, forest, number, rng)
                return
        else:
            node = base + child
    back_up(game, plan, forest, number, node)


@inlined
def choose_below(game, plan, forest, node, mover):
    """PUCT: the edge with the highest sum of value and exploration."""
    first, count = forest.first[node], forest.count[node]
    root = plan.exploration * math.sqrt(float(forest.tries[node]))
    sign = sign_of(game, mover)
    untried = forest.value[for_player(game, forest, node, mover)] * sign
    best, chosen = -math.inf, int64(first)
    for edge in range(first, first + count):
        visits = forest.visits[edge]
        mean = untried
        if visits > 0:
            mean = forest.total[for_player(game, forest, edge, mover)] * sign / float32(visits)
        score = float(mean) + root * float(forest.prior[edge]) / (1.0 + float(visits))
        if score > best:
            best, chosen = score, int64(edge)
    return chosen


@native
def new_node(game, plan, forest, state, number):
    """Add the node of a state: with its result if the game is over, else with edges for its actions."""
    facts, values = number * SLOT, values_in(game)
    child = forest.slots[facts + NODES]
    node = number * int64(plan.nodes) + child
    forest.slots[facts + NODES] = child + 1
    put(forest.states, node, state)
    mover = game.player(state)
    forest.mover[node], forest.tries[node] = mover, 0
    for each in range(values):
        forest.value[node * values + each] = float32(0.0)
    if game.is_terminal(state):
        forest.count[node] = ENDED
        for each in range(values):
            forest.value[node * values + each] = reward_of(game, plan, state, each)
        return child
    base, room = number * int64(plan.edges), int64(plan.edges)
    first = forest.slots[facts + EDGES]
    end, most = first, min(room, first + int64(plan.actions))
    is_full = False
    if game.chance and mover == CHANCE:
        for outcome, _ in game.chances(state):
            if end >= room:
                is_full = True
                break
            clear_edge(forest, base + end, values, outcome)
            end += 1
    else:
        for action in game.actions(state):
            if end >= most:
                is_full = True
                break
            clear_edge(forest, base + end, values, action)
            end += 1
    if is_full and child > 0:
        end = first
    forest.slots[facts + EDGES] = end
    forest.first[node], forest.count[node] = base + first, end - first
    return child


@inlined
def clear_edge(forest, edge, values, action):
    forest.action[edge], forest.child[edge], forest.visits[edge] = action, 0, 0
    for each in range(values):
        forest.total[edge * values + each] = float32(0.0)
    forest.prior[edge] = forest.logit[edge] = float32(0.0)


@native
def take_outputs(game, plan, forest, place, number, rng):
    """Give the waiting leaf of a game the network's outputs, and note them for the next time."""
    values = values_in(game)
    node = number * int64(plan.nodes) + forest.slots[number * SLOT + LEAF]
    first, count = forest.first[node], forest.count[node]
    for edge in range(first, first + count):
        forest.logit[edge] = forest.outputs[place + output_of(plan, forest, forest.action[edge])]
    sign = sign_of(game, forest.mover[node])
    for each in range(values):
        forest.value[node * values + each] = forest.outputs[place + int64(plan.slots) + each] * sign
    if count > 0:
        entry, line = entry_of(game, plan, forest.key[number])
        forest.marks[entry] = forest.key[number]
        for each in range(count):
            forest.known[line + each] = forest.logit[first + each]
        for each in range(values):
            forest.known[line + int64(plan.actions) + each] = forest.value[node * values + each]
    settle(game, plan, forest, number, rng)


@inlined
def output_of(plan, forest, action):
    """The output of the policy for an action."""
    return slot_of(forest.table, int64(plan.numbers), int64(plan.slots), action)


@inlined
def entry_of(game, plan, key):
    """Where the outputs for a state are remembered: its entry, and the first number of its line."""
    entry = int64(spread(key) >> uint64(33)) & (int64(plan.entries) - 1)
    return entry, entry * (int64(plan.actions) + values_in(game))


@inlined
def remember(game, plan, forest, number, rng):
    """Settle the waiting leaf of a game at once if the network has valued its state already."""
    key = forest.key[number]
    entry, line = entry_of(game, plan, key)
    if key != uint64(0) and forest.marks[entry] == key:
        values = values_in(game)
        node = number * int64(plan.nodes) + forest.slots[number * SLOT + LEAF]
        first = forest.first[node]
        for each in range(forest.count[node]):
            forest.logit[first + each] = forest.known[line + each]
        for each in range(values):
            forest.value[node * values + each] = forest.known[line + int64(plan.actions) + each]
        settle(game, plan, forest, number, rng)


@native
def settle(game, plan, forest, number, rng):
    """Turn the logits of the waiting leaf into priors and back its value up; at the root, draw the noise."""
    facts = number * SLOT
    leaf = forest.slots[facts + LEAF]
    node = number * int64(plan.nodes) + leaf
    forest.slots[facts + LEAF] = NONE
    first, count, highest = forest.first[node], forest.count[node], LOWEST
    for edge in range(first, first + count):
        highest = max(highest, forest.logit[edge])
    total = float32(0.0)
    for edge in range(first, first + count):
        chance = float32(math.exp(float(forest.logit[edge] - highest)))
        forest.prior[edge] = chance
        total += chance
    for edge in range(first, first + count):
        forest.prior[edge] /= total
    if leaf == 0:
        noise = number * int64(plan.actions)
        for each in range(count):
            forest.noise[noise + each] = float32(-math.log(-math.log(rng.fraction() + 1e-300) + 1e-300))
        if count == 1:  # nothing to search
            forest.slots[facts + GOAL] = 1
            forest.slots[facts + IS_FULL] = 0
    else:
        back_up(game, plan, forest, number, node)


@inlined
def back_up(game, plan, forest, number, node):
    """Add the value of a node to all edges on the path."""
    facts, values, path = number * SLOT, values_in(game), number * int64(plan.nodes)
    base = path
    forest.tries[base] += 1
    for step in range(forest.slots[facts + LENGTH]):
        edge = int64(forest.path[path + step])
        forest.visits[edge] += int32(1)
        for each in range(values):
            forest.total[edge * values + each] += forest.value[node * values + each]
        forest.tries[base + forest.child[edge]] += 1
    forest.slots[facts + DONE] += 1
