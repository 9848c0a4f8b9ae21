"""Information-set Monte-Carlo tree search: every simulation imagines a world, and all share what movers see.

A node is what a player sees where it chooses, so states that look alike to it share their statistics. By
default each player chooses by its own observation (MO-ISMCTS). With `observer=root` only what the player of
the root sees is told apart (SO-ISMCTS): the others' actions then differ from world to world, and an action is
compared by how often it was available. The formulas, playouts and the tree are those of `search.monte_carlo`.

The answer is no equilibrium: given more time it may even become easier to exploit (Lisý, Lanctot & Bowling
2015). Cowling, Powley & Whitehouse, Information set Monte Carlo tree search (2012).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, NO_ACTION, NOBODY
from gambito.game.gears import gears, is_initial
from gambito.hidden.worlds import with_worlds
from gambito.memory.tree import DEEPEST, Tree, new_tree
from gambito.native import Handle, inlined, int64, mix, native, uint64
from gambito.native.random import new_random
from gambito.search.algorithm import EITHER, WITH, AnytimeSearch, Fits, Option
from gambito.search.monitor import EVALUATIONS, LIMIT, NODES
from gambito.search.monte_carlo.formulas import FORMULAS, NAMES, PUCT, choose_child, new_switches, score, see
from gambito.search.monte_carlo.mcts import CONFIDENCE, candidates, choose, on_scale
from gambito.search.monte_carlo.playouts import (
    LENGTH,
    MOST_PLIES,
    NOTED,
    POLICIES,
    REWARDS,
    SCORE,
    new_trail,
    reward_of,
    roll_out,
)
from gambito.search.monte_carlo.simulation import back_up, clear, expand
from gambito.search.monte_carlo.trees import Forest, most_memory, parts_of, read_knobs, stretches
from gambito.search.task import SearchTask, TaskResult

STOPPED = 0
OBSERVERS = ("mover", "root")
UNUSED = {  # options of plain Monte Carlo whose parts are off here
    "threshold": 1, "rave": 0.0, "rave_from": 0, "bias": 0.0, "widening": 0.0, "growth": 0.5,
    "implicit": 0.0, "virtual_loss": 0.0, "first_value": 0.0, "random_share": 0.0,
}  # fmt: skip


class Index(Handle):
    """The rows of the tree by key: what a player sees, or an action that it may see.

    head        slots, a power of two; slots in use
    keys, rows  open addressing; a row is stored plus one, and 0 is a free slot
    available   by row: the simulations in which its action was there to choose     (observer=root)
    """

    arrays: ClassVar[dict[str, type]] = {
        "head": np.int64,
        "keys": np.uint64,
        "rows": np.int32,
        "available": np.float64,
    }

    def find(self, key):
        """The slot of a key, which may be free."""
        mask = uint64(self.head[0] - 1)
        slot = key & mask
        while self.rows[int64(slot)] != 0 and self.keys[int64(slot)] != key:
            slot = (slot + uint64(1)) & mask
        return int64(slot)

    def is_full(self):
        """Are so many slots in use that finding one would take long?"""
        return 4 * self.head[1] >= 3 * self.head[0]

    def put(self, slot, key, row):
        self.keys[slot], self.rows[slot] = key, row + 1
        self.head[1] += 1


def new_index(rows: int, has_availability: bool) -> Index:
    slots = 1 << max(rows, 2).bit_length()
    return Index(
        head=np.array([slots, 0], np.int64),
        keys=np.empty(slots, np.uint64),
        rows=np.zeros(slots, np.int32),
        available=np.zeros(rows if has_availability else 1),
    )


@native
def grow(game, seen, player, settings, knobs, tree, index, trail, rng, monitor):
    """Run simulations from what the player sees, until the monitor stops them.

    tree.total[r] / tree.visits[r] is the mean reward of the action of row r, over the worlds it was tried in.
    """
    while True:
        monitor.visit(1)
        if monitor.is_stopped():
            monitor.halt()
            return STOPPED
        # Step 1. Imagine a world that looks like what is seen.
        state = seen
        if player != NOBODY:
            state = game.imagine(seen, player, rng)
        monitor.begin(game, seen)
        monitor.imagine(game, state)
        # Step 2. Select, and expand what a mover sees for the first time.
        state, is_over = descend(game, state, player, settings, knobs, tree, index, trail, rng, monitor)
        # Step 3. Simulate.
        if not is_over:
            state, is_over = roll_out(game, state, int64(NO_ACTION), settings, knobs, trail, rng, monitor)
            if monitor.is_stopped():
                monitor.halt()
                return STOPPED
        for each in range(settings.players):
            trail.rewards[each] = reward_of(game, state, is_over, each, settings, knobs, monitor)
            if settings.stretches:
                see(knobs, trail.rewards[each])
        monitor.simulate(game, state, trail.rewards[0])
        # Step 4. Back up.
        back_up(settings, knobs, tree, trail, monitor, False)


@inlined
def descend(game, state, player, settings, knobs, tree, index, trail, rng, monitor):
    """Go down from the root to an action that was chosen where a mover saw something new.

    Return the state after it, and whether the game is over there.
    """
    length, plies = int64(1), int64(0)
    trail.nodes[0], trail.counts[NOTED] = 0, 0
    is_new = False
    while True:
        trail.counts[LENGTH] = length
        is_over = game.is_terminal(state)
        if is_over or is_new or plies >= MOST_PLIES - 1 or monitor.is_stopped():
            return state, is_over
        plies += 1
        mover = game.player(state)
        if game.chance and mover == CHANCE:
            state = game.result(state, game.random_outcome(state, rng))
            continue
        observer = player if settings.single and player != NOBODY else mover
        row, key = int64(0), uint64(0)
        if length > 1 or player != mover:
            key = uint64(game.seen_key(state, observer)) + uint64(mover)
            row = find_row(settings, tree, index, key)
        if row < 0:
            return state, False
        if settings.single and observer != mover:
            is_new = tree.visits[row] == 0.0
            child = choose_available(game, state, settings, knobs, tree, index, trail, rng, key, mover)
            if child < 0:
                return state, False
        else:
            if tree.first[row] <= 0:
                grown = expand(game, state, settings, knobs, tree, trail, rng, row, mover, monitor)
                if grown < 0:
                    return state, False
                monitor.expand(game, state, grown)
                is_new = True
            child = int64(choose_child(game, state, settings, knobs, tree, trail, rng, row, mover))
        if row > 0:
            tree.visits[row] += 1.0
        action = tree.action[child]
        monitor.select(game, state, action, tree.visits[child])
        state = game.result(state, action)
        trail.nodes[length], trail.movers[length] = child, mover
        length += 1
        if length > tree.head[DEEPEST]:
            tree.head[DEEPEST] = length


@inlined
def find_row(settings, tree, index, key):
    """The row of a key, made if there is none; -1 if there is no room."""
    slot = index.find(key)
    if index.rows[slot] != 0:
        return int64(index.rows[slot]) - 1
    if index.is_full():
        return int64(-1)
    row = int64(tree.reserve(1))
    if row >= 0:
        clear(settings, tree, row)
        index.put(slot, key, row)
    return row


@inlined
def choose_available(game, state, settings, knobs, tree, index, trail, rng, key, mover):
    """The row of the action that the next simulation goes to, among those of this world; -1: no room."""
    best, chosen, untried = -math.inf, int64(-1), int64(0)
    for action in game.actions(state):
        child = find_row(settings, tree, index, uint64(mix((key, uint64(action)))))
        if child < 0:
            return int64(-1)
        tree.action[child] = action
        index.available[child] += 1.0
        if tree.visits[child] == 0.0:
            untried += 1
            if rng.below(untried) == 0:
                chosen = child
        elif untried == 0:
            times = index.available[child]
            number = score(
                settings,
                knobs,
                tree,
                trail,
                child,
                mover,
                knobs.log(times),
                knobs.exploration * knobs.root_log(times),
                math.sqrt(times),
                0.0,
            )
            if number > best:
                best, chosen = number, child
    return chosen


# ---- the algorithm -----------------------------------------------------------------------------------


def run(task: SearchTask) -> TaskResult:
    task = with_worlds(task)
    rules, options = task.rules, task.options
    player = rules.player(task.state)
    seen = gears(rules).cast(rules.observe(task.state, player))
    if player == CHANCE and not is_initial(rules, seen):
        raise SearchError("chance decides here; ask where a player is to move")
    switches = read_switches(task)
    size = max(min(options["memory"], most_memory(task)), 1)
    tree = new_tree(size, switches["players"], parts_of(switches))
    rows = len(tree.action)
    knobs = read_knobs(replace(task, options={**UNUSED, **options}))
    forest = Forest(task, switches, knobs, [tree], int(task.monitor.data[LIMIT]))
    task.ongoing.answer = lambda: answer(forest, player)
    grow(
        task.game,
        seen,
        player,
        new_switches(tuple(switches.values()), task.gear),
        knobs,
        tree,
        new_index(rows, bool(switches["single"])),
        new_trail(rules.players, False),
        new_random(options["seed"]),
        task.monitor,
    )
    task.ongoing.answer = None  # breaks a reference cycle, so that the tree is freed with its last user
    task.monitor.data[EVALUATIONS] = task.monitor.data[NODES]
    return answer(forest, player)


def read_switches(task: SearchTask) -> dict[str, int]:
    """The switches of the parts that are shared with plain Monte Carlo."""
    rules, options = task.rules, task.options
    on = dict.fromkeys(NAMES, 0)
    on["players"] = 1 if rules.players == 2 and rules.zero_sum else rules.players
    on["select"], on["playout"] = FORMULAS.index(options["select"]), POLICIES.index(options["playout"])
    on["reward"], on["in_turn"], on["squares"] = SCORE, 1, 1
    on["stretches"] = int(stretches(rules, REWARDS[SCORE]))
    on["single"] = int(options["observer"] == "root")
    return on


def answer(forest: Forest, player: int) -> TaskResult:
    """The answer from the actions of the root: the most visited one, and the share of each as a policy."""
    tree: Tree = forest.trees[0]
    depth = int(tree.head[DEEPEST])
    if player == CHANCE:
        value = on_scale(forest, float(tree.total[0]) / max(float(tree.visits[0]), 1.0))
        return TaskResult(value, action=NO_ACTION, line=[], exact=False, depth=depth)
    listed = sorted(candidates(forest, player), key=lambda c: -c.visits)
    chosen = choose(listed, "visits", forest)
    if chosen is None:
        return TaskResult(exact=False, depth=depth)
    visits = sum(c.visits for c in listed)
    known: dict[str, Any] = {"value": chosen.value, "low": chosen.low, "high": chosen.high}
    return TaskResult(
        action=chosen.action,
        line=[chosen.action],
        confidence=CONFIDENCE,
        exact=False,
        depth=depth,
        candidates=listed,
        policy={c.action: c.visits / visits for c in listed} if visits else {},
        **known,
    )


ALGORITHM = AnytimeSearch(
    name="ismcts",
    summary="information-set Monte-Carlo tree search: each simulation imagines what is hidden",
    source="Cowling, Powley & Whitehouse 2012",
    run=run,
    options=(
        Option("memory", 64, "size of the tree in MiB", low=1, high=65536, technique=False),
        Option("seed", 1, "seed of the random numbers", low=0, high=(1 << 62), technique=False),
        Option(
            "observer",
            "mover",
            "whose observations are nodes: each mover's own, or those of the player of the root",
            choices=OBSERVERS,
        ),
        Option(
            "select",
            "ucb1",
            "the formula that chooses an action",
            choices=tuple(f for number, f in enumerate(FORMULAS) if number != PUCT),
        ),
        Option(
            "exploration",
            1.0,
            "the exploration constant of the formula; rewards are from -1 to 1",
            low=0.0,
            high=100.0,
            technique=False,
        ),
        Option(
            "playout",
            "usual",
            "how playouts choose their actions",
            choices=("usual", "uniform", "priority", "replies", "decisive", "evaluate"),
        ),
        Option(
            "plies",
            0,
            "playouts end after this many plies with the static value; 0: at the end of the game",
            low=0,
            high=MOST_PLIES // 2,
            technique=False,
        ),
        Option(
            "temperature",
            1.0,
            "the temperature of choices by priority: higher is more random",
            low=0.001,
            high=1e9,
            technique=False,
        ),
    ),
    fits=Fits(EITHER, players=(), zero_sum=False, hidden=WITH),
)
