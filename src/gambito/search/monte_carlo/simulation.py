"""Monte-Carlo tree search: one loop of four steps.

Select a way down the tree by a formula, expand the leaf, simulate the rest of the game, back up its reward.
The formulas are in `formulas`, the playouts in `playouts`, the tree in `memory.tree`; all choices are made
there.
"""

from __future__ import annotations

import math

from gambito.game.contract import CHANCE, NO_ACTION
from gambito.memory.endgame_tables import NONE, probe
from gambito.memory.tree import DEEPEST, TABLES, TAKEN
from gambito.native import inlined, int64, native, uint64
from gambito.native.atomic import claim, fetch_add, give_way, look, publish
from gambito.search.monte_carlo.formulas import choose_child, see
from gambito.search.monte_carlo.playouts import (
    DONE,
    LENGTH,
    MATES,
    MOST_PLIES,
    NOTED,
    STAMP,
    TICKET,
    learn,
    reward_of,
    roll_out,
)

STOPPED, SOLVED, FULL = range(3)


@native
def grow(game, root, settings, knobs, tree, trail, rng, monitor):
    """Run simulations from the root until the monitor stops them, the root is solved, or the tree is full.

    tree.total[n] / tree.visits[n] is the mean reward of node n;
    if the solver is on, tree.low[n] <= true reward <= tree.high[n].
    """
    while True:
        monitor.visit(1)
        if monitor.is_stopped():
            monitor.halt()
            return STOPPED
        # Step 1. Select, and step 2. expand.
        state, is_over, is_full = descend(game, root, settings, knobs, tree, trail, rng, monitor)
        # Step 3. Simulate.
        length = trail.counts[LENGTH]
        leaf = trail.nodes[length - 1]
        is_repeated = game.cycles and not is_over and repeats(trail)
        known = int64(NONE)
        if settings.endings and not is_over and not is_repeated and length > 1:
            known = probe(game, tree.head[TABLES], state)
        is_known = known != NONE
        last, ends, noted = state, is_over, trail.counts[NOTED]
        if not is_over and not is_repeated and not is_known:
            if settings.leaf_parallel:
                trail.counts[DONE] = 0
                publish(trail.counts, TICKET, trail.counts[TICKET] + 1)
            before = tree.action[leaf] if length > 1 else int64(NO_ACTION)
            last, ends = roll_out(game, state, before, settings, knobs, trail, rng, monitor)
            if monitor.is_stopped():
                monitor.halt()
                return STOPPED
        for player in range(settings.players):
            if is_repeated:
                trail.rewards[player] = sign_of(game.repetition(state, player))
            elif is_known:
                trail.rewards[player] = sign_of(known if game.player(state) == player else -known)
            else:
                trail.rewards[player] = reward_of(game, last, ends, player, settings, knobs, monitor)
            if settings.stretches:
                see(knobs, trail.rewards[player])
        monitor.simulate(game, last, trail.rewards[0])
        # Step 4. Back up.
        if settings.implicit and is_known:
            tree.implicit[leaf] = trail.rewards[0]
        elif settings.implicit and not is_repeated:
            tree.implicit[leaf] = reward_of(game, state, is_over, 0, settings, knobs, monitor)
        if settings.notes:
            learn(settings, trail)
        mate = int64(0)
        while True:
            back_up(settings, knobs, tree, trail, monitor, is_over or is_known)
            if (
                not settings.leaf_parallel
                or is_over
                or is_repeated
                or is_known
                or mate == trail.counts[MATES]
            ):
                break
            take_over(settings, trail, mate, noted)
            monitor.visit(1)
            mate += 1
        if settings.solver and tree.low[0] == tree.high[0]:
            return SOLVED
        if is_full:
            return FULL


def sign_of(value):
    return 1.0 if value > 0 else -1.0 if value < 0 else 0.0


@inlined
def take_over(settings, trail, mate, noted):
    """Leaf-parallel: take a mate's rewards, as soon as all mates are done; its actions are not recorded."""
    while look(trail.counts, DONE) < trail.counts[MATES]:
        give_way()
    trail.counts[NOTED] = noted
    for player in range(settings.players):
        trail.rewards[player] = trail.mates[mate * settings.players + player]


@native
def assist(game, root, settings, knobs, tree, lead, trail, rng, monitor, number):
    """Leaf-parallel: one more playout from every leaf of the leading thread, until the monitor is stopped."""
    ticket = int64(0)
    while True:
        while look(lead.counts, TICKET) == ticket:
            if monitor.is_stopped():
                return STOPPED
            give_way()
        ticket += 1
        state, before = root, int64(NO_ACTION)
        for ply in range(1, lead.counts[LENGTH]):
            before = tree.action[lead.nodes[ply]]
            state = game.result(state, before)
        trail.counts[NOTED] = 0
        last, ends = roll_out(game, state, before, settings, knobs, trail, rng, monitor)
        for player in range(settings.players):
            place = number * settings.players + player
            lead.mates[place] = reward_of(game, last, ends, player, settings, knobs, monitor)
        fetch_add(lead.counts, DONE, 1)


@inlined
def descend(game, root, settings, knobs, tree, trail, rng, monitor):
    """Go from the root to a leaf, which gets children if it has been visited often enough.

    Return the state of the last node, whether the game is over there, and whether the memory is full.
    """
    node, state, length = int64(0), root, int64(0)
    trail.counts[STAMP] += 1
    trail.counts[NOTED] = 0
    asked = int64(-1)
    has_grown = is_full = False
    monitor.begin(game, root)
    while True:
        player = game.player(state)
        trail.nodes[length], trail.movers[length] = node, player
        length += 1
        trail.counts[LENGTH] = length
        if game.cycles:
            trail.keys[length - 1] = int64(uint64(game.key(state)))
        if tree.first[node] <= 0:
            is_over = game.is_terminal(state)
            if has_grown or is_over:
                return state, is_over, is_full
            before = tree.visits[node] - (1.0 if settings.shared else 0.0)
            if settings.guided and not (game.chance and player == CHANCE):
                return state, False, is_full
            if not settings.guided and node != 0 and before < knobs.threshold:
                return state, False, is_full
            if length >= MOST_PLIES or length > knobs.depth or (game.cycles and repeats(trail)):
                return state, False, is_full
            grown = expand(game, state, settings, knobs, tree, trail, rng, node, player, monitor)
            if grown <= 0:
                return state, False, grown < 0
            monitor.expand(game, state, grown)
            has_grown = not settings.guided  # a guide values the next decision, behind the dice
            if length > tree.head[DEEPEST]:
                tree.head[DEEPEST] = length
        if settings.rave:
            asked = ask_rave(settings, knobs, tree, trail, node, player, length, asked)
        child = int64(choose_child(game, state, settings, knobs, tree, trail, rng, node, player))
        action = tree.action[child]
        monitor.select(game, state, action, tree.visits[child])
        if settings.shared:
            fetch_add(tree.visits, child, 1.0)
            lose(settings, knobs, tree, child, player, -1.0)
        if settings.notes and player != CHANCE:
            trail.note(player, action)
        state = game.result(state, action)
        node = child


@inlined
def lose(settings, knobs, tree, child, player, sign):
    """Virtual loss: until a thread comes back, its simulation counts as lost for the player who chose it."""
    if player == CHANCE:
        return
    if settings.players > 1:
        fetch_add(tree.total, child * settings.players + player, sign * knobs.virtual_loss)
    elif player == 0:
        fetch_add(tree.total, child, sign * knobs.virtual_loss)
    else:
        fetch_add(tree.total, child, -sign * knobs.virtual_loss)


@inlined
def repeats(trail):
    """Is the last state on the path already?"""
    last = trail.counts[LENGTH] - 1
    for above in range(last):
        if trail.keys[above] == trail.keys[last]:
            return True
    return False


@inlined
def expand(game, state, settings, knobs, tree, trail, rng, node, player, monitor):
    """Give a node its children; return their number; 0: another thread adds them; -1: there is no room."""
    if settings.shared and not claim(tree.first, node, TAKEN):
        return 0
    count = 0
    if game.chance and player == CHANCE:
        for outcome, _ in game.chances(state):
            trail.add(count, outcome)
            count += 1
    else:
        for action in game.actions(state):
            trail.add(count, action)
            count += 1
    if node == 0:
        count = monitor.choose_among(trail.buffer, int64(0), count)
    first = tree.reserve(count)
    if first < 0:
        tree.first[node] = 0
        return -1
    is_chance = game.chance and player == CHANCE
    if not is_chance and not settings.prior:  # without priors, children are tried in random order
        last = count - 1
        while last > 0:
            other = rng.below(last + 1)
            trail.buffer[last], trail.buffer[other] = trail.buffer[other], trail.buffer[last]
            last -= 1
    for place in range(count):
        clear(settings, tree, first + place)
        tree.action[first + place] = trail.buffer[place]
    tree.parent[first], tree.size[first] = node, count
    tree.count[node], tree.tried[node] = count, 0
    if settings.prior and not (settings.guided and not is_chance):  # a guide gives its own
        give_priors(game, state, settings, knobs, tree, first, count, is_chance)
    publish(tree.first, node, first)
    return count


@inlined
def clear(settings, tree, node):
    """Initialise the numbers of a new node."""
    tree.first[node], tree.count[node], tree.visits[node] = 0, 0, 0.0
    for each in range(settings.players):
        tree.total[node * settings.players + each] = 0.0
        if settings.squares:
            tree.squares[node * settings.players + each] = 0.0
    if settings.solver:
        tree.low[node], tree.high[node] = -1.0, 1.0
    if settings.implicit:
        tree.implicit[node] = 0.0
    if settings.rave:
        tree.amaf_visits[node], tree.amaf_total[node] = 0.0, 0.0


def give_priors(game, state, settings, knobs, tree, first, count, is_chance):
    """Give each child its prior, from the priority of its action, and sort them: the likeliest first."""
    if is_chance:
        for child in range(first, first + count):
            tree.prior[child] = 0.0
        return
    highest = -math.inf
    for child in range(first, first + count):
        number = game.priority(state, tree.action[child]) / knobs.temperature
        tree.prior[child] = number
        highest = max(highest, number)
    total = 0.0
    for child in range(first, first + count):
        tree.prior[child] = math.exp(tree.prior[child] - highest)
        total += tree.prior[child]
    for child in range(first, first + count):
        tree.prior[child] /= total
    for child in range(first + 1, first + count):  # insertion sort: lists are short or nearly sorted
        prior, action, place = tree.prior[child], tree.action[child], child
        while place > first and tree.prior[place - 1] < prior:
            tree.prior[place], tree.action[place] = tree.prior[place - 1], tree.action[place - 1]
            place -= 1
        tree.prior[place], tree.action[place] = prior, action


@inlined
def ask_rave(settings, knobs, tree, trail, node, player, length, asked):
    """Load RAVE's statistics of this player's actions, from the nearest node that was visited often enough.

    `asked` is the node that was loaded before; return the node that is loaded now.
    """
    number = length - 1
    while number >= 0:
        above = trail.nodes[number]
        if trail.movers[number] == player and tree.visits[above] >= knobs.rave_from:
            if tree.first[above] > 0:
                if above != asked:
                    load_rave(tree, trail, above)
                return above
        number -= 1
    load_rave(tree, trail, node)
    return node


def load_rave(tree, trail, node):
    trail.counts[STAMP] += 1
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        place = trail.place(tree.action[child])
        trail.seen_at[place] = trail.counts[STAMP]
        trail.amaf_visits[place], trail.amaf_total[place] = tree.amaf_visits[child], tree.amaf_total[child]


@inlined
def back_up(settings, knobs, tree, trail, monitor, is_over):
    """Add the rewards up to the root; if the game is over at the leaf, update the proved bounds as well."""
    number = trail.counts[LENGTH] - 1
    is_certain = False
    if settings.solver and is_over:
        leaf = trail.nodes[number]
        tree.low[leaf] = tree.high[leaf] = trail.rewards[0]
        is_certain = True
    if settings.rave:
        trail.counts[STAMP] += 1
        noted = trail.counts[NOTED] - 1
    while number >= 0:
        node, player = trail.nodes[number], trail.movers[number]
        if number == 0 or not settings.shared:
            add(settings, tree.visits, node, 1.0)
        else:
            lose(settings, knobs, tree, node, trail.movers[number - 1], 1.0)
        for each in range(settings.players):
            place = node * settings.players + each
            add(settings, tree.total, place, trail.rewards[each])
            if settings.squares:
                add(settings, tree.squares, place, trail.rewards[each] * trail.rewards[each])
        if settings.solver and is_certain and number < trail.counts[LENGTH] - 1:
            is_certain = close_in(tree, node, player)
        if settings.implicit and number < trail.counts[LENGTH] - 1:
            back_up_static(tree, node, player)
        if settings.rave:
            while noted >= number:  # the notes begin with the actions of the path
                trail.done_by[trail.place(trail.actions[noted])] = trail.mark(trail.players[noted])
                noted -= 1
            if player != CHANCE and tree.first[node] > 0:
                credit_later(settings, tree, trail, node, player)
        monitor.back_up(tree.visits[node], tree.total[node * settings.players])
        number -= 1


@inlined
def add(settings, array, place, amount):
    """Add to a number of the tree, which other threads may also change."""
    if settings.shared:
        fetch_add(array, place, amount)
    else:
        array[place] += amount


def close_in(tree, node, player):
    """Update a node's bounds from its children's; return whether they moved, or met."""
    if player == CHANCE:
        return False
    low, high = -1.0, -1.0
    sign = 1.0 if player == 0 else -1.0
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        at_least = tree.low[child] if player == 0 else -tree.high[child]
        at_most = tree.high[child] if player == 0 else -tree.low[child]
        low, high = max(low, at_least), max(high, at_most)
    least, most = (low, high) if sign > 0.0 else (-high, -low)
    has_moved = least != tree.low[node] or most != tree.high[node]
    tree.low[node], tree.high[node] = least, most
    return has_moved or least == most


def back_up_static(tree, node, player):
    """Set a node's static value to that of its best visited child."""
    if player == CHANCE or tree.first[node] <= 0:
        return
    best, is_any = -2.0, False
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.visits[child] > 0.0:
            static = tree.implicit[child] if player == 0 else -tree.implicit[child]
            best, is_any = max(best, static), True
    if is_any:
        tree.implicit[node] = best if player == 0 else -best


def credit_later(settings, tree, trail, node, player):
    """RAVE: credit the reward to every child whose action was played later, by the same player first."""
    reward = trail.rewards[0]
    if settings.players > 1:
        reward = trail.rewards[player]
    elif player == 1:
        reward = -reward
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if trail.done_by[trail.place(tree.action[child])] == trail.mark(player):
            tree.amaf_visits[child] += 1.0
            tree.amaf_total[child] += reward
